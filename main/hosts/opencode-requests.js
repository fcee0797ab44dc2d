'use strict'
// What an OpenCode server asks, on one connection. Its events say what is asked and how it ends; what they
// leave out is looked up. That the server takes a reply proves nothing: it takes one as well for a question
// whose turn was aborted, and then nobody has it. What the tool says of its call does.

const { warn } = require('../warn.js')
const { isId, isObject } = require('./arguments.js')
const { Entry, PERMISSIONS, QUESTIONS } = require('./opencode-entry.js')
const opencode = require('./opencode-question.js')
const { isNeverMade, segment } = require('./opencode-server.js')

const isOver = (call) => call?.status === 'completed' || call?.status === 'error'

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
    else if (type === 'question.replied' && !entry.isOurs(answers)) {
      this.#answered(entry, answers)
    }
  }

  /** Events begin; what was before is not told. */
  async read() {
    const known = [...this.#waiting.values()]
    for (const entry of known) entry.isInDoubt = true
    for (const path of [QUESTIONS, PERMISSIONS]) {
      for (const request of await this.#server.list(path)) this.#asked(path, request, true)
    }
    for (const entry of known) this.#lookAgain(entry)
  }

  /** The app has ended the connection. */
  end() {
    this.#isEnded = true
    for (const entry of this.#waiting.values()) this.#lose(entry, 'disconnected')
  }

  // ---- what is asked ----

  /** `isFound` is whether it was on the list: an event of before it may still be on its way. */
  #asked(path, request, isFound = false) {
    if (!isObject(request) || !isId(request.id) || !isId(request.sessionID)) return
    if (this.#isEnded || this.#waiting.has(request.id)) return
    const entry = new Entry(this.#openings, path, request, isFound)
    const twins = path === QUESTIONS ? this.#ofOneCall(request) : []
    this.#waiting.set(request.id, entry)
    if (twins.length > 0) for (const one of [entry, ...twins]) one.share()
    this.#last = this.#last.then(() => this.#look(entry))
  }

  /** What waits by the id of the same call. */
  #ofOneCall(request) {
    return [...this.#waiting.values()].filter(
      (one) => one.path === QUESTIONS && opencode.areOfOneCall(one.request, request),
    )
  }

  /** It waits, and `call` is the call of the tool that asks. */
  #open(entry, call) {
    const { path, request } = entry
    const kind = path === QUESTIONS ? opencode.kindOf(request, call) : 'permission'
    if (kind !== 'question') return entry.show(kind)
    const { id, sessionID: sessionId } = request
    const asked = { kind, id, sessionId, questions: opencode.toQuestions(request) }
    this.#openings.open(asked, request, {
      opened: (inputId) => (entry.inputId = inputId),
      handOver: (answer) => this.#handOver(entry, answer),
      fits: (optionIndexes) => opencode.fits(request, optionIndexes),
    })
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
    if (entry.isOver) return
    warn('an answer was not taken', error)
    this.#openings.notSent(entry.inputId)
  }

  // ---- what is said of it later ----

  #partUpdated(part) {
    const call = opencode.toCall(Object(part))
    for (const entry of isOver(call) ? this.#waiting.values() : []) {
      const isOwn = opencode.isCall(part, entry.request) && entry.own(call) !== null
      if (isOwn) this.#callOver(entry, call)
    }
  }

  /** Nobody waits in a session that is idle. The tool may have an answer all the same. */
  #idle(sessionId) {
    for (const entry of this.#waiting.values()) {
      if (entry.request.sessionID !== sessionId) continue
      if (entry.given !== null || entry.isInDoubt) this.#lookAgain(entry)
      else this.#end(entry, 'aborted')
    }
  }

  // ---- what is looked up ----

  /** Looks whether it still waits, for which tool, and what that has. */
  async #look(entry) {
    entry.looked()
    try {
      const found = await this.#server.lookUp(entry.path, entry.request)
      if (!entry.isOver) this.#judge(entry, found)
    } catch (error) {
      if (entry.isOver || this.#lookSoon(entry)) return
      warn('what an OpenCode server asks could not be looked up', error)
      // Who asks is not known, so it is no question.
      if (!entry.isShown) this.#open(entry)
    }
  }

  #judge(entry, { call: found, isWaitedFor }) {
    const call = entry.own(found)
    entry.isInDoubt = false
    if (isOver(call)) return this.#callOver(entry, call)
    if (!entry.isShown) return isWaitedFor ? this.#begin(entry, call) : this.#forget(entry)
    if (entry.missed(isWaitedFor)) return this.#unseen(entry, call)
    if (isWaitedFor && entry.given === null) return
    if (!this.#lookSoon(entry) && entry.isRefused) this.#end(entry, 'gone')
  }

  /** It waits. What its tool was called with is there in a moment where it is not yet. */
  #begin(entry, call) {
    const isEarly = entry.path === QUESTIONS && call?.status === 'pending'
    if (!isEarly || !this.#lookSoon(entry)) this.#open(entry, call)
  }

  #lookAgain(entry) {
    entry.again(() => this.#look(entry))
  }

  /** Looks in a while, unless it did so often enough; whether it does. */
  #lookSoon(entry) {
    return entry.soon(() => this.#look(entry))
  }

  // ---- how it ends ----

  #callOver(entry, { status, answers }) {
    if (status === 'error') return this.#end(entry, 'aborted')
    if (entry.isOurs(answers)) {
      this.#forget(entry)
      return this.#openings.proved(entry.inputId)
    }
    // A plugin may have taken out what the tool has.
    const isKnown = Array.isArray(answers) || entry.isRefused || entry.given === null
    if (isKnown) this.#answered(entry, answers)
    else this.#lose(entry, 'gone')
  }

  #answered(entry, answers) {
    this.#forget(entry)
    if (entry.inputId === undefined) return
    this.#openings.answeredElsewhere(entry.inputId, opencode.toPositions(entry.request, answers))
  }

  /** Nobody waits for it, and the tool has no answer. */
  #end(entry, reason) {
    const { given } = entry
    this.#forget(entry)
    if (entry.inputId === undefined) return
    if (given === null) this.#openings.cancel(entry.inputId, reason)
    else if (given.declined) this.#openings.proved(entry.inputId)
    else this.#openings.refused(entry.inputId)
  }

  /** Nobody waits for it. Where its call is not seen either, an answer may have arrived. */
  #unseen(entry, call) {
    if (call === null && !entry.isRefused) this.#lose(entry, 'gone')
    else this.#end(entry, 'gone')
  }

  /** It is over, and nothing says any more what became of an answer. */
  #lose(entry, reason) {
    this.#forget(entry)
    entry.lose(reason)
  }

  #forget(entry) {
    entry.close()
    this.#waiting.delete(entry.request.id)
  }
}

module.exports = { Requests }
