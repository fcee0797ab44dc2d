'use strict'
// What an app needs to test its own integration without Electron, a provider or waiting: a clock
// that is moved by hand, a voice that does what the test says, a host that can be slow or lie. And what
// every host and every voice must do, as checks.

const { hostChecks } = require('./conformance/host.js')
const { voiceChecks } = require('./conformance/voice.js')

/** A clock that stands still until it is told to move. */
function createManualClock(start = 1_000) {
  let now = start
  let last = 0
  const timers = new Map()
  return {
    now: () => now,
    wall: () => 1_700_000_000_000 + now,
    setTimeout(fn, ms) {
      timers.set(++last, { fn, at: now + Math.max(0, ms) })
      return last
    },
    clearTimeout: (timer) => void timers.delete(timer),
    /** Timers that are set and have not fired. */
    timers: () => timers.size,
    /** Moves on by `ms` milliseconds, firing what is due in its order, and lets promises settle. */
    async advance(ms = 0) {
      const end = now + ms
      await settle()
      for (;;) {
        const due = [...timers]
          .filter(([, { at }]) => at <= end)
          .sort(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined) break
        const [timer, { fn, at }] = due
        timers.delete(timer)
        now = Math.max(now, at)
        fn()
        await settle()
      }
      now = end
      await settle()
    },
  }
}

/** Lets everything that waits for a resolved promise run. */
async function settle() {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A voice provider that records what it is given; `outcome` says what becomes of each delivery. */
function createFakeVoice({ name = 'fake', outcome = () => 'sent' } = {}) {
  const deliveries = []
  return {
    name,
    deliveries,
    /** The texts of what was given so far. */
    texts: () => deliveries.map(({ text }) => text),
    async deliver(feedback, { signal }) {
      if (signal?.aborted) return 'not-sent'
      const delivery = { ...feedback, signal }
      deliveries.push(delivery)
      return outcome(delivery, deliveries.length)
    },
  }
}

/**
 * Stands between a call and its host and does to each method what the test says: `before` runs
 * first, and may wait or throw; `after` gets the answer, and what it returns is what the call gets.
 */
function createFaultyHost(host, faults = {}) {
  const wrap =
    (name) =>
    async (...args) => {
      const { before, after } = faults[name] ?? {}
      await before?.(...args)
      const answer = await host[name](...args)
      return after ? after(answer, ...args) : answer
    }
  return {
    proof: faults.proof ?? host.proof,
    watch: (sessionId, onEvent) => host.watch(sessionId, faults.events?.(onEvent) ?? onEvent),
    openInputs: wrap('openInputs'),
    resolveInput: wrap('resolveInput'),
    settlement: wrap('settlement'),
  }
}

module.exports = { createFakeVoice, createFaultyHost, createManualClock, hostChecks, voiceChecks }
