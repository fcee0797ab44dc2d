'use strict'
// An agent of somebody else, as small as they come: it hands out slips and waits until they are filled in.

const { EventEmitter } = require('node:events')

class Agent extends EventEmitter {
  #open = new Set()
  #last = 0

  /** Hands out a slip; `choices` have a code for the agent and a title for people. */
  hand(slip) {
    const number = ++this.#last
    this.#open.add(number)
    this.emit('slip', { number, ...slip })
    return number
  }

  /** Whatever is written on it is believed, and only what comes first. */
  fill(number, codes) {
    if (this.#open.delete(number)) setImmediate(() => this.emit('filled', { number, codes }))
  }

  tear(number) {
    if (this.#open.delete(number)) this.emit('torn', { number })
  }
}

module.exports = { Agent }
