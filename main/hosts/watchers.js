'use strict'
// Who watches which session.

const { warn } = require('../warn.js')

class Watchers {
  #sessions = new Map()
  /** What is not told yet to all of those who watched then. */
  #events = []

  /** Returns how to stop: nothing is told afterwards. */
  add(sessionId, onEvent) {
    // An object of its own: whoever watches twice stops twice.
    const watcher = { onEvent }
    const watchers = this.#sessions.get(sessionId) ?? new Set()
    this.#sessions.set(sessionId, watchers.add(watcher))
    return () => {
      watchers.delete(watcher)
      if (watchers.size === 0 && this.#sessions.get(sessionId) === watchers) {
        this.#sessions.delete(sessionId)
      }
    }
  }

  /**
   * Tells an event; each gets a copy of its own. What a listener does may make another event: everybody
   * is told the first one first.
   */
  tell(sessionId, event) {
    const watchers = this.#sessions.get(sessionId) ?? new Set()
    this.#events.push({ watchers, told: [...watchers], event: structuredClone(event) })
    if (this.#events.length > 1) return
    for (; this.#events.length > 0; this.#events.shift()) this.#tellFirst()
  }

  #tellFirst() {
    const [{ watchers, told, event }] = this.#events
    for (const watcher of told) {
      // One who was stopped meanwhile is told nothing any more.
      if (watchers.has(watcher)) tell(watcher.onEvent, structuredClone(event))
    }
  }

  clear() {
    for (const watchers of this.#sessions.values()) watchers.clear()
    this.#sessions.clear()
  }
}

/** A listener's defect is not the host's, and the others are told all the same. */
const tell = (onEvent, event) => call('a listener to the events of a host failed', onEvent, event)

/** Calls a function of the app's; where that fails, now or later, `what` is the warning. */
function call(what, listener, value) {
  const failed = (error) => warn(what, error)
  try {
    Promise.resolve(listener(value)).catch(failed)
  } catch (error) {
    failed(error)
  }
}

module.exports = { Watchers, call, tell }
