'use strict'
// One input of a host of somebody else's, from its request to its end: what was asked, who was the first
// to answer, and who waits to hear what became of that answer.

const { warn } = require('../warn.js')
const { onAbort } = require('./aborted.js')
const { atTime } = require('./deadline.js')

/**
 * How long the host may take to prove that an answer arrived (milliseconds); longer than a live call
 * looks for it.
 */
const PROOF_MS = 15_000

class Opening {
  /** `'open'`, `'given'` once an answer was handed over, `'overdue'` where nothing came of it, `'closed'`. */
  state = 'open'
  /** The answer that was handed over. */
  answer = null
  /** Ends what was called off while an answer was on its way, where that turns out not to have left. */
  callOff
  #handOver
  #withdraw
  #tell = () => {}
  #timer
  #overdue
  #disarm

  /**
   * `proof` is whether the host will ever prove that an answer to this arrived. `original` is its own
   * request. `handOver(answer)` hands an answer to the host, at once, and throws where it certainly did
   * not; `withdraw()` lets go of whoever waits where nobody will answer; `fits(optionIndexes)` is what the
   * host demands beside what the question says.
   */
  constructor(input, spoken, proof, original, { handOver, withdraw, fits } = {}) {
    this.input = input
    this.spoken = spoken
    this.proof = proof
    this.original = original
    this.#handOver = handOver
    this.#withdraw = withdraw
    this.fits = fits ?? (() => true)
  }

  /** Calls `expired` when the host takes no answer any more. */
  arm(expired) {
    this.#disarm = atTime(this.input.expiresAt, expired)
  }

  get isAnswerable() {
    return this.state === 'open' && this.spoken !== null
  }

  /**
   * Takes the first answer; from then on there is no other. What it returns is settled by
   * {@link tell}: until the signal aborts, and without `overdue` at once.
   */
  give(answer, signal, overdue) {
    this.state = 'given'
    this.answer = answer
    // Its end may come while it is handed over.
    this.#overdue = overdue
    const told = new Promise((resolve) => (this.#tell = resolve))
    try {
      this.#wait(this.#handOver(answer), answer)
    } catch (error) {
      warn('an answer was not handed over', error)
      if (this.answer === answer) this.takeBack()
      return told
    }
    if (this.state === 'given' && this.answer === answer && overdue !== undefined) {
      this.#timer = setTimeout(() => this.lose(), PROOF_MS)
      // An answer alone keeps no process running.
      this.#timer.unref?.()
      const forget = onAbort(signal, () => this.tell({ status: 'unknown' }))
      told.then(forget)
    }
    return told
  }

  /** Nobody waits for a promise, but where it is rejected nobody knows whether the answer left. */
  #wait(handed, answer) {
    Promise.resolve(handed).catch((error) => {
      warn('an answer was perhaps not handed over', error)
      if (this.answer === answer) this.lose()
    })
  }

  /** The answer did not leave: the next one may. */
  takeBack() {
    if (this.state !== 'given') return
    clearTimeout(this.#timer)
    this.state = 'open'
    this.answer = null
    this.tell({ status: 'not-sent' })
    this.callOff?.()
  }

  /** It is not waited any more for what becomes of an answer. */
  lose() {
    if (this.state !== 'given' || this.#overdue === undefined) return
    clearTimeout(this.#timer)
    this.state = 'overdue'
    this.#overdue()
  }

  /** What became of the answer, for whoever gave it; said once. */
  tell(reply) {
    this.#tell(reply)
  }

  /** It is over. */
  close() {
    this.state = 'closed'
    this.#disarm?.()
    clearTimeout(this.#timer)
  }

  /** Lets go of whoever waits for an answer of ours. */
  withdraw() {
    try {
      this.#withdraw?.()
    } catch (error) {
      warn('whoever asked was not let go', error)
    }
  }
}

module.exports = { Opening }
