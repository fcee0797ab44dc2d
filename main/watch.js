'use strict'
// The clocks and the one timer of a runner. A clock is the app's: whatever becomes of it, turns still
// end.

const { systemClock } = require('./clock.js')
const { warn } = require('./warn.js')

class Watch {
  #clock
  #onWake
  #monotonic = NaN
  #wall = NaN
  #clear = () => {}

  constructor(clock, onWake) {
    this.#clock = clock
    this.#onWake = onWake
  }

  /** Both clocks. One that gives no time stands still; one that has never given any gives NaN. */
  time() {
    this.#monotonic = read(() => this.#clock.now(), this.#monotonic)
    this.#wall = read(() => this.#clock.wall(), this.#wall)
    return [this.#monotonic, this.#wall]
  }

  /** Wakes in so many milliseconds instead of when it was to; not at all where it is null. */
  wakeIn(ms) {
    this.#clear()
    this.#clear = () => {}
    if (ms !== null) this.#set(this.#clock, ms)
  }

  #set(clock, ms) {
    try {
      const timer = clock.setTimeout(this.#onWake, ms)
      this.#clear = () => {
        try {
          clock.clearTimeout(timer)
        } catch (error) {
          warn('the timer of a clock was not cleared', error)
        }
      }
    } catch (error) {
      warn('a clock set no timer', error)
      if (clock !== systemClock) this.#set(systemClock, ms)
    }
  }
}

function read(clock, last) {
  try {
    const now = clock()
    return typeof now === 'number' && now >= 0 && now <= Number.MAX_SAFE_INTEGER ? now : last
  } catch {
    return last
  }
}

module.exports = { Watch }
