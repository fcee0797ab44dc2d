'use strict'
// What an OpenCode server asks, on one connection. Its events say what is asked and how it ends; what they
// leave out is looked up. That the server takes a reply proves nothing: it takes one as well for a question
// whose turn was aborted, and then nobody has it. What the tool says of its call does.

const { warn } = require('../warn.js')
const { isId, isObject } = require('./arguments.js')
const opencode = require('./opencode-question.js')
const { isNeverMade, segment } = require('./opencode-server.js')
const { whileShown } = require('./shown.js')

/** When to look again (milliseconds). A tool that has an answer says so in less than the first. */
const LOOKS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000]

/** After so many looks at what nobody waits for any more it is over: an abort takes a moment. */
const MISSES = 3

const QUESTIONS = '/question'
const PERMISSIONS = '/permission'

const isOver = (call) => call?.status === 'completed' || call?.status === 'error'
const isShown = ({ inputId, decided }) => inputId !== undefined || decided !== undefined

class Requests {
  #openings
  #server
  /** By the id of the request. */
  #waiting = new Map()
  /** The last one that was asked is looked up then, so that they open in their order. */
  #last = Promise.resolve()
  #isEnded = false

  constructor(openings, server) {
    this.#openings = openings
    this.#server = server
  }

  hear({ type, properties }) {
    if (!isObject(properties)) return
    const { requestID, sessionID, answers, part, status } = properties
    const entry = this.#waiting.get(requestID)
    if (type === 'question.asked') this.#asked(QUESTIONS, properties)
    else if (type === 'permission.asked') this.#asked(PERMISSIONS, properties)
    else if (type === 'message.part.updated') this.#partUpdated(part)
    else if (type === 'session.idle' || type === 'session.deleted') this.#idle(sessionID)
    else if (type === 'session.status' && status?.type === 'idle') this.#idle(sessionID)
    else if (entry === undefined) return
    else if (type === 'question.rejected') this.#end(entry, 'rejected')
    else if (type === 'permission.replied') this.#end(entry, 'decided')
    // Whether an answer of ours arrived is for the tool to say.
    else if (type === 'question.replied' && !this.#isOurs(entry, answers)) {
      this.#answered(entry, answers)
    }
  }

  /** Events begin; what was before is not told. */
  async read() {
    const known = [...this.#waiting.values()]
    for (const entry of known) entry.isInDoubt = true
    for (const path of [QUESTIONS, PERMISSIONS]) {
      for (const request of await this.#server.list(path)) this.#asked(path, request)
    }
    for (const entry of known) this.#lookAgain(entry)
  }

  /** The app has ended the connection. */
  end() {
    this.#isEnded = true
    for (const entry of this.#waiting.values()) {
      this.#forget(entry)
      if (entry.inputId === undefined) continue
      this.#openings.cancel(entry.inputId, 'disconnected')
      this.#openings.lost((original) => original === entry.request)
    }
  }

  // ---- what is asked ----

  /** `path` is where it is listed for as long as it waits. */
  #asked(path, request) {
    if (!isObject(request) || !isId(request.id) || !isId(request.sessionID)) return
    if (this.#isEnded || this.#waiting.has(request.id)) return
    const entry = { path, request, looks: 0, misses: 0, isRefused: false }
    this.#waiting.set(request.id, entry)
    this.#last = this.#last.then(() => this.#look(entry))
  }

  /** It waits, and `tool` is what asks. */
  #open(entry, tool) {
    const { path, request } = entry
    const kind = path === QUESTIONS ? opencode.kindOf(request, tool) : 'permission'
    if (kind !== 'question') return this.#show(kind, entry)
    const { id, sessionID: sessionId } = request
    const asked = { kind, id, sessionId, questions: opencode.toQuestions(request) }
    entry.inputId = this.#openings.open(asked, request, {
      handOver: (answer) => this.#handOver(entry, answer),
      fits: (optionIndexes) => opencode.fits(request, optionIndexes),
    })
  }

  /** Shows that something waits which is not for the voice, until the app has decided it. */
  #show(kind, entry) {
    let inputId
    const { id, sessionID: sessionId } = entry.request
    const open = () => (inputId = this.#openings.open({ kind, id, sessionId }))
    const close = () => this.#openings.cancel(inputId, 'decided')
    whileShown({ open, close }, undefined, () => new Promise((done) => (entry.decided = done)))
  }

  // ---- what is answered ----

  #handOver(entry, { answers, declined }) {
    const path = `${QUESTIONS}/${segment(entry.request.id)}`
    const sent = declined
      ? this.#server.post(`${path}/reject`)
      : this.#server.post(`${path}/reply`, { answers: opencode.toAnswers(answers) })
    sent.then(
      (status) => this.#received(entry, status),
      (error) => {
        if (isNeverMade(error)) return this.#notSent(entry, error)
        warn('an answer was perhaps not sent', error)
        this.#lookAgain(entry)
      },
    )
  }

  /** What the server says to an answer. */
  #received(entry, status) {
    // Somebody else was first, or the server was started anew and knows nothing of it.
    entry.isRefused = status === 404
    const isMistake = status >= 400 && status < 500 && status !== 404
    if (isMistake) return this.#notSent(entry, `the server says ${status}`)
    if (status >= 500) warn('an answer was perhaps not taken', `the server says ${status}`)
    this.#lookAgain(entry)
  }

  /** It waits as before. */
  #notSent(entry, error) {
    if (!this.#isWaiting(entry)) return
    warn('an answer was not taken', error)
    this.#openings.notSent(entry.inputId)
  }

  // ---- what is said of it later ----

  #partUpdated(part) {
    const call = opencode.toCall(Object(part))
    for (const entry of isOver(call) ? this.#waiting.values() : []) {
      if (opencode.isCall(part, entry.request)) this.#callOver(entry, call)
    }
  }

  /** Nobody waits in a session that is idle. The tool may have an answer all the same. */
  #idle(sessionId) {
    for (const entry of this.#waiting.values()) {
      if (entry.request.sessionID !== sessionId) continue
      if (this.#given(entry) !== null || entry.isInDoubt) this.#lookAgain(entry)
      else this.#end(entry, 'aborted')
    }
  }

  // ---- what is looked up ----

  /** Looks whether it still waits, for which tool, and what that has. */
  async #look(entry) {
    clearTimeout(entry.timer)
    try {
      const found = await this.#server.lookUp(entry.path, entry.request)
      if (this.#isWaiting(entry)) this.#judge(entry, found)
    } catch (error) {
      if (!this.#isWaiting(entry) || this.#lookSoon(entry)) return
      warn('what an OpenCode server asks could not be looked up', error)
      // Who asks is not known, so it is no question.
      if (!isShown(entry)) this.#open(entry)
    }
  }

  #judge(entry, { call, isWaitedFor }) {
    entry.isInDoubt = false
    if (isOver(call)) return this.#callOver(entry, call)
    if (!isShown(entry)) return isWaitedFor ? this.#open(entry, call?.tool) : this.#forget(entry)
    entry.misses = isWaitedFor ? 0 : entry.misses + 1
    if (entry.misses >= MISSES) return this.#end(entry, 'gone')
    if (isWaitedFor && this.#given(entry) === null) return
    if (!this.#lookSoon(entry) && entry.isRefused) this.#end(entry, 'gone')
  }

  #lookAgain(entry) {
    Object.assign(entry, { looks: 0, misses: 0 })
    this.#lookSoon(entry)
  }

  /** Looks in a while, unless it did so often enough; whether it does. */
  #lookSoon(entry) {
    if (!this.#isWaiting(entry) || entry.looks >= LOOKS_MS.length) return false
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => this.#look(entry), LOOKS_MS[entry.looks])
    entry.timer.unref?.()
    entry.looks += 1
    return true
  }

  // ---- how it ends ----

  #callOver(entry, { status, answers }) {
    if (status === 'error') return this.#end(entry, 'aborted')
    if (!this.#isOurs(entry, answers)) return this.#answered(entry, answers)
    this.#forget(entry)
    this.#openings.proved(entry.inputId)
  }

  #answered(entry, answers) {
    this.#forget(entry)
    if (entry.inputId === undefined) return
    this.#openings.answeredElsewhere(entry.inputId, opencode.toPositions(entry.request, answers))
  }

  /** Nobody waits for it, and the tool has no answer. */
  #end(entry, reason) {
    const given = this.#given(entry)
    this.#forget(entry)
    if (entry.inputId === undefined) return
    if (given === null) this.#openings.cancel(entry.inputId, reason)
    else if (given.declined) this.#openings.proved(entry.inputId)
    else this.#openings.refused(entry.inputId)
  }

  #forget(entry) {
    clearTimeout(entry.timer)
    this.#waiting.delete(entry.request.id)
    entry.decided?.()
  }

  #isWaiting(entry) {
    return this.#waiting.get(entry.request.id) === entry
  }

  #given({ inputId }) {
    return inputId === undefined ? null : this.#openings.given(inputId)
  }

  /** Whether these are the answers that we gave. */
  #isOurs(entry, answers) {
    const given = this.#given(entry)
    if (given === null || given.declined || entry.isRefused) return false
    return opencode.areSame(opencode.toAnswers(given.answers), answers)
  }
}

module.exports = { Requests }
