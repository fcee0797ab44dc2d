'use strict'
// The other ends of a served host's ports: of the voice, of the agent and of the card.

const { setImmediate: nextTurn } = require('node:timers/promises')
const { warn } = require('../warn.js')
const { checkedAskOptions, checkedCancel, checkedHold, checkedWatch } = require('./arguments.js')
const { Client } = require('./client.js')
const { failure } = require('./failure.js')
const { tell } = require('./watchers.js')

/** Nobody waits for these; that the host is gone is told by everything else. */
const unawaited = (what, answer) => {
  answer.catch((error) => {
    if (error.code !== 'HOST_GONE') warn(what, error)
  })
}

/** A handle that watches, behind a port that may be replaced. */
function watching(port, principal) {
  let client = new Client(port, principal)
  const watchers = new Set()
  const follow = (watcher) => {
    const { answer, stop } = client.watch(watcher.sessionId, watcher.onEvent)
    unawaited('a host cannot be watched', answer)
    watcher.stop = () => unawaited('a host is watched on', stop())
  }
  return {
    call: (...args) => client.call(...args),
    ended: () => client.ended,
    watch(sessionId, onEvent) {
      checkedWatch(sessionId, onEvent)
      const watcher = { sessionId, onEvent, stop: undefined }
      watchers.add(watcher)
      follow(watcher)
      return () => {
        if (watchers.delete(watcher)) watcher.stop()
      }
    },
    /** Whoever watches is told that events may have been lost. */
    attach(next) {
      // Where that port cannot be taken, everything stays as it was.
      client = new Client(next, principal)
      for (const watcher of watchers) {
        watcher.stop()
        follow(watcher)
        tell(watcher.onEvent, { type: 'gap' })
      }
    },
  }
}

/** The host behind a port of the voice principal. */
function connectLocalHost(port) {
  const { call, ended, watch, attach } = watching(port, 'voice')
  return {
    proof: 'host',
    watch,
    openInputs: (sessionId) => call('openInputs', [sessionId], 'INVALID_SESSION_ID'),
    // Before anything is sent it is certain that nothing arrived; afterwards it is not.
    resolveInput: async (resolution) =>
      ended() ? { status: 'not-sent' } : call('resolveInput', [resolution], 'INVALID_RESOLUTION'),
    settlement: (inputId) => call('settlement', [inputId], 'INVALID_INPUT_ID'),
    attach,
  }
}

/** The card's end of a port. */
function connectDesktop(port) {
  const { call, watch, attach } = watching(port, 'desktop')
  return {
    watch,
    openInputs: (sessionId) => call('openInputs', [sessionId], 'INVALID_SESSION_ID'),
    resolveInput: (inputId, answers) => call('resolveInput', [inputId, answers], 'INVALID_ANSWERS'),
    attach,
  }
}

/** The agent's end of a port: asks, cancels and holds from another process. */
function connectAgent(port) {
  const client = new Client(port, 'agent')
  return {
    async ask(question, options) {
      const { signal, ...terms } = checkedAskOptions(options)
      if (signal?.aborted) throw failure('CANCELED', 'canceled before it was asked')
      const { id, answer } = client.begin('ask', [question, terms], 'INVALID_QUESTION')
      const say = (method) => unawaited(`${method} of an input failed`, client.call(method, [id]))
      const onAbort = () => say('abort')
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const given = await answer
        // Not before whoever asked has it: until then the host would give it again.
        nextTurn().then(() => say('received'))
        return given
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    cancel(inputId, reason) {
      checkedCancel(inputId, reason)
      // A channel of JSON has no `undefined`.
      const args = reason === undefined ? [inputId] : [inputId, reason]
      unawaited('an input could not be canceled', client.call('cancel', args))
    },
    hold(input) {
      const { id, answer } = client.begin('hold', [checkedHold(input)])
      unawaited('an input could not be shown', answer)
      return {
        release: () => unawaited('an input could not be released', client.call('release', [id])),
      }
    },
  }
}

module.exports = { connectAgent, connectDesktop, connectLocalHost }
