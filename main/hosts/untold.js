'use strict'
// Answers that whoever asked does not have yet. One that was on its way when a process or a port
// ended is given to the next one who asks the same question, once.

const { setImmediate: nextTurn } = require('node:timers/promises')
const { warn } = require('../warn.js')
const { answerAgain } = require('./answers.js')

class Untold {
  /** By input id; `lost`: nobody is going to get it any more. */
  #answers = new Map()
  #told

  /** `journaled` answers are lost unless they were told; `told` is called with what arrived. */
  constructor(journaled, told) {
    this.#told = told
    for (const [inputId, { line, told: isTold }] of journaled) {
      if (isTold) continue
      const { digest, optionIndexes, resolvedBy } = line
      this.#answers.set(inputId, { fingerprint: digest, optionIndexes, resolvedBy, lost: true })
    }
  }

  /** The lost answer to what is asked now, or `null`. Where it does not fit that is said. */
  find(asked) {
    const { inputId } = asked.input
    const untold = this.#answers.get(inputId)
    if (!untold?.lost) return null
    const answer = answerAgain(asked, untold)
    if (answer === null) {
      warn(`input ${inputId} is asked anew`, 'the answer it was given before does not fit it')
    }
    return answer
  }

  /** Keeps an answer until `received` says that it arrived; without it, until the next turn. */
  async keep({ input, fingerprint, received }, answer) {
    const { inputId } = input
    const untold = { fingerprint, ...answer, lost: false }
    this.#answers.set(inputId, untold)
    try {
      await (received ?? nextTurn())
    } catch {
      untold.lost = true
      return
    }
    // Asked again since: this was about an earlier asking.
    if (this.#answers.get(inputId) !== untold) return
    this.#answers.delete(inputId)
    this.#told(inputId)
  }

  /** Asked anew: the answer is still to come. */
  forget(inputId) {
    this.#answers.delete(inputId)
  }
}

module.exports = { Untold }
