'use strict'
// What became of the inputs that are closed, for as long as it may be looked up.

/** Handed over to a host that never says what became of it. */
const SUBMITTED = { status: 'unknown' }

/** The newest so many. */
const REMEMBERED = 1_000

class Settlements {
  #settled = new Map()

  constructor(journaled) {
    for (const [inputId, { line }] of journaled) this.resolved(inputId, line)
  }

  /** Of a private question: that it is answered, and not how. Of one without proof: nothing is known. */
  resolved(inputId, { optionIndexes, resolvedBy, private: isPrivate, proof }) {
    if (proof === 'none') return this.unproved(inputId)
    const shown = isPrivate ? undefined : optionIndexes
    this.#remember(inputId, { status: 'resolved', optionIndexes: shown, resolvedBy })
  }

  /** It was answered, and nobody will ever say whether that arrived; its id is not given again. */
  unproved(inputId) {
    this.#remember(inputId, SUBMITTED)
  }

  canceled(inputId) {
    this.#remember(inputId, { status: 'canceled' })
  }

  has(inputId) {
    return this.#settled.has(inputId)
  }

  /** Why one that is closed, or never was open, takes no answer. */
  whyNot(inputId) {
    const settled = this.#settled.get(inputId)
    return settled === SUBMITTED || settled?.status === 'resolved'
      ? 'already-resolved'
      : 'not-found'
  }

  get(inputId) {
    return structuredClone(this.#settled.get(inputId)) ?? { status: 'unknown' }
  }

  delete(inputId) {
    this.#settled.delete(inputId)
  }

  #remember(inputId, settlement) {
    this.#settled.delete(inputId)
    this.#settled.set(inputId, settlement)
    if (this.#settled.size > REMEMBERED) this.#settled.delete(this.#settled.keys().next().value)
  }
}

module.exports = { Settlements }
