'use strict'
// A set of the newest so many values: what a process that runs for months may remember.

class Newest {
  #values = new Set()
  #most

  constructor(most) {
    this.#most = most
  }

  add(value) {
    this.#values.delete(value)
    this.#values.add(value)
    if (this.#values.size > this.#most) this.#values.delete(this.#values.values().next().value)
  }

  has(value) {
    return this.#values.has(value)
  }

  clear() {
    this.#values.clear()
  }
}

module.exports = { Newest }
