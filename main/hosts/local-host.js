'use strict'
// The local host itself: `ask` waits, and the card and the voice answer through handles of their
// own. The first answer wins.

const { setImmediate: nextTurn } = require('node:timers/promises')
const { warn } = require('../warn.js')
const { answerByVoice, answerOnCard } = require('./answers.js')
const {
  checkedAskOptions,
  checkedCancel,
  checkedHold,
  checkedQuestion,
  checkedWatch,
  isObject,
} = require('./arguments.js')
const { atTime } = require('./deadline.js')
const { discreetEvent, discreetInput } = require('./discreet.js')
const { failure, mistake } = require('./failure.js')
const { RECEIVED } = require('./received.js')
const { Settlements } = require('./settlements.js')
const { Untold } = require('./untold.js')
const { Watchers } = require('./watchers.js')

class LocalHost {
  #journal
  #asked = new Map()
  #held = new Map()
  #settled
  #untold
  #voices = new Watchers()
  #cards = new Watchers()
  /** Nothing is asked or answered any more. */
  #closed = false
  #closing

  constructor(journal, journaled) {
    this.#journal = journal
    this.#settled = new Settlements(journaled)
    // Where this line does not come to the disk, the answer is given once more.
    const told = (inputId) => this.#note({ type: 'input.told', inputId }, { sync: false })
    this.#untold = new Untold(journaled, told)
    /** What a live call gets. Whatever a message claims, an answer through it is one by voice. */
    this.voice = Object.freeze({
      proof: 'host',
      watch: (sessionId, onEvent) => this.#watch(this.#voices, sessionId, onEvent),
      openInputs: async (sessionId) => this.#openInputs(sessionId, discreetInput),
      resolveInput: async (resolution) => this.#resolveByVoice(resolution),
      settlement: async (inputId) => this.#settlement(inputId),
    })
    /** What the card gets. It is shown everything. */
    this.desktop = Object.freeze({
      watch: (sessionId, onEvent) => this.#watch(this.#cards, sessionId, onEvent),
      openInputs: async (sessionId) => this.#openInputs(sessionId, (input) => input),
      resolveInput: (inputId, chosen) => this.#resolveOnDesktop(inputId, chosen),
    })
  }

  async ask(question, options) {
    const { signal, ...terms } = checkedAskOptions(options)
    const { copy, spoken, fingerprint } = checkedQuestion(question)
    const { inputId, sessionId } = copy
    if (this.#closed) throw closed()
    if (this.#asked.has(inputId)) {
      throw failure('ALREADY_OPEN', `input ${inputId} is open already`)
    }
    if (signal?.aborted) throw failure('CANCELED', 'canceled before it was asked')
    const input = { ...copy, kind: 'question', ...terms }
    const asked = { input, spoken, fingerprint, received: options?.[RECEIVED] }
    const lost = this.#untold.find(asked)
    if (lost !== null) {
      this.#untold.keep(asked, lost)
      return { answers: lost.answers, resolvedBy: lost.resolvedBy }
    }
    this.#append({ type: 'input.requested', inputId, sessionId, digest: fingerprint })
    this.#settled.delete(inputId)
    this.#untold.forget(inputId)
    return this.#wait(asked, signal)
  }

  /** Nothing is armed before the question is written down. */
  #wait(asked, signal) {
    const { inputId, expiresAt } = asked.input
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#cancel(inputId, 'aborted')
      const onExpiry = () => this.#cancel(inputId, 'expired')
      const disarm = expiresAt === undefined ? undefined : atTime(expiresAt, onExpiry)
      signal?.addEventListener('abort', onAbort, { once: true })
      const forget = () => {
        disarm?.()
        signal?.removeEventListener('abort', onAbort)
      }
      this.#asked.set(inputId, { ...asked, resolve, reject, forget })
      this.#emit(asked.input, { type: 'input.requested', input: asked.input })
    })
  }

  hold(held) {
    const input = checkedHold(held)
    if (this.#closed) throw closed()
    const { inputId } = input
    this.#held.set(inputId, input)
    this.#emit(input, { type: 'input.requested', input })
    return {
      release: () => {
        // Held again since: that one is not over.
        if (this.#held.get(inputId) !== input) return
        this.#held.delete(inputId)
        this.#emit(input, { type: 'input.canceled', inputId })
      },
    }
  }

  cancel(inputId, reason) {
    checkedCancel(inputId, reason)
    this.#cancel(inputId, 'canceled', reason)
  }

  /** The reason in the journal is one of ours; that of the app goes with the event only. */
  #cancel(inputId, code, reason = code) {
    const asked = this.#take(inputId)
    if (asked === undefined) return
    this.#note({ type: 'input.canceled', inputId, reason: code })
    this.#settled.canceled(inputId)
    asked.reject(failure('CANCELED', `input ${inputId} was canceled: ${reason}`))
    this.#emit(asked.input, { type: 'input.canceled', inputId, reason })
  }

  close() {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end() {
    this.#closed = true
    for (const inputId of this.#asked.keys()) this.#cancel(inputId, 'host-closed')
    for (const input of this.#held.values()) {
      this.#emit(input, { type: 'input.canceled', inputId: input.inputId, reason: 'host-closed' })
    }
    this.#held.clear()
    // Whoever was answered a moment ago has it by then.
    await nextTurn()
    this.#voices.clear()
    this.#cards.clear()
    this.#journal?.close()
    this.#journal = null
  }

  // ---- answers ----

  #resolveByVoice(resolution) {
    if (!isObject(resolution)) {
      throw mistake('INVALID_RESOLUTION', 'a resolution must be an object')
    }
    const { inputId, expectDigest, optionIndexes, resolvedBy } = resolution
    if (this.#closed) return rejected('host-closed')
    const asked = this.#open(inputId)
    // The voice is not told of a private question, so there is none.
    if (asked === undefined || asked.input.private) return this.#missing(inputId)
    if (asked.spoken.digest !== expectDigest) return rejected('question-changed')
    return this.#resolve(asked, answerByVoice(asked, optionIndexes, resolvedBy))
  }

  #resolveOnDesktop(inputId, chosen) {
    if (this.#closed) return rejected('host-closed')
    const asked = this.#open(inputId)
    if (asked === undefined) return this.#missing(inputId)
    return this.#resolve(asked, answerOnCard(asked, chosen))
  }

  /** The one place where an input is answered: on the disk first, then whoever waits is told. */
  #resolve(asked, answer) {
    if (answer === null) return rejected('invalid')
    const { input, fingerprint } = asked
    const { inputId } = input
    const { answers, optionIndexes, resolvedBy } = answer
    const line = { type: 'input.resolved', inputId, digest: fingerprint, optionIndexes, resolvedBy }
    if (input.private) line.private = true
    try {
      this.#append(line)
    } catch (error) {
      warn('an answer was not taken', error)
      return { status: 'not-sent' }
    }
    this.#take(inputId)
    this.#settled.resolved(inputId, line)
    asked.resolve({ answers, resolvedBy })
    this.#untold.keep(asked, answer)
    this.#emit(input, { type: 'input.resolved', inputId, optionIndexes, resolvedBy })
    return { status: 'resolved' }
  }

  #open(inputId) {
    const asked = this.#asked.get(inputId)
    if (asked === undefined || !(asked.input.expiresAt <= Date.now())) return asked
    // Its timer is late.
    this.#cancel(inputId, 'expired')
    return undefined
  }

  #missing(inputId) {
    const isResolved = this.#settled.get(inputId).status === 'resolved'
    return rejected(isResolved ? 'already-resolved' : 'not-found')
  }

  #settlement(inputId) {
    return this.#asked.has(inputId) ? { status: 'open' } : this.#settled.get(inputId)
  }

  // ---- bookkeeping ----

  #openInputs(sessionId, show) {
    const asked = [...this.#asked.values()].map(({ input }) => input)
    const inputs = [...asked, ...this.#held.values()].filter((one) => one.sessionId === sessionId)
    return structuredClone(inputs.map(show))
  }

  #take(inputId) {
    const asked = this.#asked.get(inputId)
    this.#asked.delete(inputId)
    asked?.forget()
    return asked
  }

  #append(line, options) {
    this.#journal?.append({ ...line, at: Date.now() }, options)
  }

  /** Writes down what is so whether it is written down or not. */
  #note(line, options) {
    try {
      this.#append(line, options)
    } catch (error) {
      warn(`${line.type} of input ${line.inputId} is not in the journal`, error)
    }
  }

  #watch(watchers, sessionId, onEvent) {
    checkedWatch(sessionId, onEvent)
    return watchers.add(sessionId, onEvent)
  }

  #emit(input, event) {
    this.#cards.tell(input.sessionId, event)
    this.#voices.tell(input.sessionId, input.private ? discreetEvent(event) : event)
  }
}

const rejected = (code) => ({ status: 'rejected', code })

const closed = () => failure('HOST_CLOSED', 'the host is closed')

module.exports = { LocalHost }
