'use strict'
// One request of an OpenCode server, for as long as it waits: what it is here, and when it is looked up.

const { ASK, areSame, kindOf, toAnswers } = require('./opencode-question.js')
const { whileShown } = require('./shown.js')

/** Where what waits is listed. */
const QUESTIONS = '/question'
const PERMISSIONS = '/permission'

/** When to look again (milliseconds). A tool that has an answer says so in less than the first. */
const LOOKS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000]

/** After so many looks at what nobody waits for any more it is over: an abort takes a moment. */
const MISSES = 3

class Entry {
  /** Once it is open as a question. */
  inputId
  isOver = false
  /** The server says that it does not have it any more. */
  isRefused = false
  #openings
  /** Says that the app has decided it, once it is shown as something that is not for the voice. */
  #decided
  /** Its call has the id of another one: neither what asks nor what became of it is known. */
  #isShared = false
  #looks = 0
  #misses = 0
  #timer

  /**
   * `path` is where it is listed for as long as it waits; `isInDoubt` is whether events about it may be
   * missing, or late: what they would say is looked up first.
   */
  constructor(openings, path, request, isInDoubt) {
    this.#openings = openings
    this.path = path
    this.request = request
    this.isInDoubt = isInDoubt
  }

  get isShown() {
    return this.inputId !== undefined || this.#decided !== undefined
  }

  /** The answer that was handed over and waits for its proof. */
  get given() {
    return this.inputId === undefined ? null : this.#openings.given(this.inputId)
  }

  /** Whether these are the answers that we gave. */
  isOurs(answers) {
    const { given } = this
    if (given === null || given.declined || this.isRefused) return false
    return areSame(toAnswers(given.answers), answers)
  }

  /**
   * The call of its tool, where it is surely that. A model service may give two calls one id: what the
   * server has of them is the one that began last.
   */
  own(call) {
    if (this.#isShared) return null
    if (this.path !== QUESTIONS) return call
    const hasBegun = call?.tool === ASK && call.status !== 'pending'
    if (!hasBegun && this.inputId === undefined) return call
    return kindOf(this.request, call) === 'question' ? call : null
  }

  /** Another one has the id of its call. What was taken for a question is perhaps none. */
  share() {
    this.#isShared = true
    if (this.inputId === undefined) return
    this.show('other')
    this.lose('gone')
  }

  /** Shows that something waits which is not for the voice, until the app has decided it. */
  show(kind) {
    let inputId
    const { id, sessionID: sessionId } = this.request
    const opened = (given) => (inputId = given)
    const open = () => this.#openings.open({ kind, id, sessionId }, undefined, { opened })
    const close = () => this.#openings.cancel(inputId, 'decided')
    whileShown({ open, close }, undefined, () => new Promise((done) => (this.#decided = done)))
  }

  /** It is no question any more, and nothing says what became of an answer. */
  lose(reason) {
    const { inputId } = this
    if (inputId === undefined) return
    this.inputId = undefined
    this.#openings.cancel(inputId, reason)
    this.#openings.lost((original) => original === this.request)
  }

  /** Calls `look` in a while, unless it did so often enough; whether it does. */
  soon(look) {
    if (this.isOver || this.#looks >= LOOKS_MS.length) return false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(look, LOOKS_MS[this.#looks])
    this.#timer.unref?.()
    this.#looks += 1
    return true
  }

  /** From the start. */
  again(look) {
    this.#looks = 0
    this.#misses = 0
    this.soon(look)
  }

  /** It is looked up now. */
  looked() {
    clearTimeout(this.#timer)
  }

  /** Whether somebody waits for it was looked up; whether it is over. */
  missed(isWaitedFor) {
    this.#misses = isWaitedFor ? 0 : this.#misses + 1
    return this.#misses >= MISSES
  }

  close() {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#decided?.()
  }
}

module.exports = { Entry, PERMISSIONS, QUESTIONS }
