'use strict'
// What of the app's is under way, by its name, each with an abort signal.

const { warn } = require('./warn.js')

class UnderWay {
  #controllers = new Map()

  /**
   * Starts something, in place of what has the same name, and tells what came of it, also when it
   * throws.
   */
  start(name, start, done) {
    const controller = new AbortController()
    this.abort(name)
    this.#controllers.set(name, controller)
    const ended = (value, failed) => {
      if (this.#controllers.get(name) === controller) this.#controllers.delete(name)
      done(value, failed)
    }
    // Not before everything else that is to be done now has been started, and not at all where it
    // is not wanted any more by then.
    Promise.resolve()
      .then(() => {
        controller.signal.throwIfAborted()
        return start(controller.signal)
      })
      .then(
        (value) => ended(value, false),
        () => ended(undefined, true),
      )
      .catch((error) => warn(`what came of "${name}" was not taken in`, error))
  }

  abort(name) {
    this.#controllers.get(name)?.abort()
  }

  end() {
    for (const controller of this.#controllers.values()) controller.abort()
    this.#controllers.clear()
  }
}

module.exports = { UnderWay }
