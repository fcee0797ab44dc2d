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
      if (watchers.has(watcher)) call(watcher.onEvent, structuredClone(event))
    }
  }

  clear() {
    for (const watchers of this.#sessions.values()) watchers.clear()
    this.#sessions.clear()
  }
}

/** A listener's defect is not the host's, and the others are told all the same. */
function call(onEvent, event) {
  const failed = (error) => warn('a listener to the events of a host failed', error)
  try {
    Promise.resolve(onEvent(event)).catch(failed)
  } catch (error) {
    failed(error)
  }
}

module.exports = { Watchers, call }
