'use strict'
// Calls the methods of a served host through a port.

const { randomUUID } = require('node:crypto')
const { failure, mistake } = require('./failure.js')
const { gone, openPort } = require('./port.js')
const { tell } = require('./watchers.js')

/** What is under way when the port ends is rejected. */
class Client {
  #principal
  #port
  #name = randomUUID()
  #calls = new Map()
  #watchers = new Map()
  #last = 0

  constructor(port, principal) {
    this.#principal = principal
    this.#port = openPort(port, {
      onMessage: (message) => this.#heard(message),
      onEnd: () => this.#ended(),
    })
  }

  /** Whether the port has ended: what is sent now certainly does not arrive. */
  get ended() {
    return this.#port.ended
  }

  /** `code`: which argument it is, where one cannot be sent. */
  call(method, args, code) {
    return this.begin(method, args, code).answer
  }

  /** The same, with the number of the call. */
  begin(method, args, code = 'INVALID_ARGUMENTS') {
    const id = ++this.#last
    if (this.ended) return { id, answer: Promise.reject(gone()) }
    const answer = new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject })
      try {
        this.#port.send({ client: this.#name, principal: this.#principal, id, method, args })
      } catch (cause) {
        this.#calls.delete(id)
        reject(mistake(code, `the arguments of ${method} must be plain data`, cause))
      }
    })
    return { id, answer }
  }

  /** Returns how to stop: nothing is told afterwards. */
  watch(sessionId, onEvent) {
    const { id, answer } = this.begin('watch', [sessionId], 'INVALID_SESSION_ID')
    this.#watchers.set(id, onEvent)
    return {
      answer,
      stop: () => {
        this.#watchers.delete(id)
        return this.call('unwatch', [id])
      },
    }
  }

  #heard({ to, id, value, error, watch, event }) {
    if (to !== this.#name) return
    if (watch !== undefined) {
      const onEvent = this.#watchers.get(watch)
      if (onEvent !== undefined) tell(onEvent, event)
      return
    }
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (!error) call?.resolve(value)
    else call?.reject((error.isMistake ? mistake : failure)(error.code, error.message))
  }

  #ended() {
    for (const { reject } of this.#calls.values()) reject(gone())
    this.#calls.clear()
    this.#watchers.clear()
  }
}

module.exports = { Client }
