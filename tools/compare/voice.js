'use strict'
// The voice that every way is given: one text after the other, and the person may talk over it. What
// was heard is written down here, whatever a way believes.

/** Bytes of one message; the voice says no more of it. */
const LIMIT = 1_100
/** A question takes longer to say than a sentence. */
const QUESTION_MS = 3_000
const SENTENCE_MS = 1_000

class Voice {
  limit = LIMIT
  /** What was said to its end, and when that was. */
  said = []
  #clock
  #host
  #last = Promise.resolve()
  #interrupt = () => {}

  constructor(clock, host) {
    this.#clock = clock
    this.#host = host
  }

  /** `'spoken'`, `'interrupted'`, or `'not-sent'` where it was not wanted any more when its turn came. */
  say(text, signal) {
    const turn = this.#last.then(() => (signal?.aborted ? 'not-sent' : this.#speak(text, signal)))
    this.#last = turn
    return turn
  }

  /** The person talks over it. */
  interrupt() {
    this.#interrupt()
  }

  async #speak(text, signal) {
    const heard = Buffer.from(text).subarray(0, LIMIT).toString()
    const ms = this.#isQuestion(heard) ? QUESTION_MS : SENTENCE_MS
    const isInterrupted = await new Promise((resolve) => {
      const timer = this.#clock.setTimeout(() => resolve(false), ms)
      this.#interrupt = () => {
        this.#clock.clearTimeout(timer)
        resolve(true)
      }
      signal?.addEventListener('abort', this.#interrupt, { once: true })
    })
    this.#interrupt = () => {}
    if (isInterrupted) return 'interrupted'
    this.said.push({ text: heard, at: this.#clock.now() })
    return 'spoken'
  }

  #isQuestion(text) {
    return this.#host.openings.some(({ input: { questions = [] } }) =>
      questions.some(({ question }) => text.includes(question)),
    )
  }
}

module.exports = { Voice }
