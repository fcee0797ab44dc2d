'use strict'
// The last way: this package. An adapter as docs/write-an-adapter.md has it, and a live call with its
// default matcher.

const { isDeepStrictEqual } = require('node:util')
const { Openings } = require('../../../main/hosts/openings.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFaultyHost } = require('../../../main/testing.js')
const { SESSION } = require('../agent-host.js')

function open({ host, voice, clock }) {
  const call = openLiveCall({
    callId: 'call-1',
    session: { id: SESSION },
    // Reading the list takes as long as it does for the others.
    host: createFaultyHost(adapter(host), { openInputs: { before: () => host.list() } }),
    voice: { name: 'scripted', deliver: ({ text }, { signal }) => voice.say(text, signal) },
    clock,
    onForward: ({ instruction }) => host.instruct(instruction),
  })
  return {
    hear: ({ requestId, words, speechStartedAt }) =>
      call.instruct({ requestId, instruction: words }, { utterance: words, speechStartedAt }),
  }
}

function adapter(host) {
  const openings = new Openings({ proof: 'host', feeding: 'watch the host' })
  const find = (id) => openings.find(({ inputId }) => inputId === id)
  const acts = {
    asked({ input }) {
      const { inputId: id, kind, sessionId, questions } = input
      for (const inputId of find(id)) openings.cancel(inputId, 'asked anew')
      // What became of it is what the host tells of it, not how the call ended.
      const handOver = ({ answers }) => void host.answer(id, answers).catch(() => {})
      if (kind === 'question')
        openings.open({ kind, id, sessionId, questions }, input, { handOver })
      else openings.open({ kind, id, sessionId }, input)
    },
    answered({ inputId: id, answers }) {
      for (const inputId of find(id)) {
        const given = openings.given(inputId)
        if (isDeepStrictEqual(given?.answers, answers)) openings.proved(inputId)
        else openings.answeredElsewhere(inputId)
      }
    },
    withdrawn({ inputId: id }) {
      for (const inputId of find(id)) openings.cancel(inputId, 'withdrawn')
    },
  }
  host.watch((event) => {
    openings.heard()
    acts[event.type](event)
  })
  return openings.handle
}

module.exports = { open }
