'use strict'
// A live call on the local host with a fake voice and a clock moved by hand, and everything it did.

const { createLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createFaultyHost, createManualClock } = require('../main/testing.js')

/** A question of one yes or no. */
const question = (inputId = 'input-1', options = ['Yes', 'No'], more = {}) => ({
  inputId,
  sessionId: 'session-1',
  questions: [{ question: 'Shall I?', options, ...more }],
})

/** A call on a local host, with everything it did. */
async function rig({ faults, voice = createFakeVoice(), ...options } = {}) {
  const clock = createManualClock()
  const host = await createLocalHost()
  const seen = { operations: [], pending: [], forwarded: [], resolves: 0 }
  const counted = {
    ...host.voice,
    resolveInput: (...args) => ((seen.resolves += 1), host.voice.resolveInput(...args)),
  }
  const call = openLiveCall({
    callId: 'call-1',
    session: { id: 'session-1' },
    host: createFaultyHost(counted, faults),
    voice,
    clock,
    onOperation: (view) => seen.operations.push(view),
    onPending: (pending) => seen.pending.push(pending),
    onForward: (forward) => seen.forwarded.push(forward),
    ...options,
  })
  let requests = 0
  /** The person says something, now; the provider passes it on. */
  const say = (instruction, evidence) =>
    call.instruct(
      { requestId: `request-${++requests}`, instruction },
      { speechStartedAt: clock.now(), ...evidence },
    )
  /** Asks, and waits until it was read out; what it came to is in `answers`. */
  const ask = async (asked = question(), given) => {
    const answered = host.ask(asked, given)
    const result = { done: null }
    answered.then(
      (value) => (result.done = value),
      (error) => (result.done = error),
    )
    await clock.advance(10)
    return result
  }
  return { call, clock, host, voice, seen, say, ask }
}

/** How an operation stands, with the reason where it was refused. */
const outcome = ({ state, reason }) => (reason ? `${state}: ${reason}` : state)

module.exports = { outcome, question, rig }
