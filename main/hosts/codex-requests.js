'use strict'
// What an app-server asks by requests of its own, on one connection, and what it says of them later. That
// a request is over proves nothing of an answer: an interrupted turn and another client end it as well.

const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const codex = require('./codex-question.js')
const form = require('./mcp-form.js')
const { Newest } = require('./newest.js')
const { whileShown } = require('./shown.js')

/** So many threads are remembered by what is told of them. */
const THREADS = 1_000

class Requests {
  #openings
  #send
  #isShared
  #answerWithinMs
  /** By the id of the request, with its type: 0 is one, and `'0'` another. */
  #waiting = new Map()
  /** Threads whose every item is told, and with it, sooner or later, what the ask tool had. */
  #told = new Newest(THREADS)

  constructor(openings, { send, shared, answerWithinMs }) {
    this.#openings = openings
    this.#send = send
    this.#isShared = shared
    this.#answerWithinMs = answerWithinMs
  }

  hear(message) {
    const request = codex.toRequest(message)
    if (request !== null) return this.#asked(request)
    const { method, params } = message
    if (!isObject(params)) return
    if (method === 'serverRequest/resolved') return this.#over(JSON.stringify(params.requestId))
    if (method === 'turn/completed' && isObject(params.turn)) return this.#turnOver(params)
    if (!isObject(params.item)) return
    if (method === 'rawResponseItem/completed') this.#itemTold(params)
    // Nothing of the model begins in a turn that was interrupted.
    if (method === 'item/started' && codex.isOfModel(params.item)) this.#goesOn(params)
  }

  /** The process or the connection is gone, and with it everything that it waited for. */
  end(reason) {
    for (const [key, entry] of this.#waiting) {
      this.#cancel(key, entry, reason)
      this.#lose(key, entry)
    }
    this.#told.clear()
  }

  // ---- what is asked ----

  #asked({ kind, id, method, params, sessionId, content }) {
    const key = JSON.stringify(id)
    const before = this.#waiting.get(key)
    // What is open is said again to whoever resumes the thread.
    if (before !== undefined && content !== null && before.content === content) return
    if (before !== undefined) {
      this.#cancel(key, before, 'replaced')
      this.#lose(key, before)
    }
    if (method === codex.QUESTION) this.#goesOn(params)
    const { turnId = null } = params
    const entry = { content, sessionId, turnId, method, isOver: false, isResolved: false }
    this.#waiting.set(key, entry)
    if (kind !== 'question') this.#show(kind, entry)
    else if (method === codex.FORM) this.#openForm(id, params, entry)
    else this.#openQuestion(id, params, entry)
  }

  #openQuestion(id, params, entry) {
    const original = structuredClone(params)
    const { sessionId, turnId } = entry
    entry.original = original
    entry.resultOf = ({ result, answers }) => result ?? codex.toResult(original, answers)
    const asked = {
      kind: 'question',
      id: `${sessionId}:${turnId}:${params.itemId}`,
      sessionId,
      questions: codex.toQuestions(original),
      ...(codex.isSecret(original) ? { private: true } : {}),
    }
    this.#openings.open(asked, original, {
      opened: (inputId) => (entry.inputId = inputId),
      handOver: (answer) => this.#send({ id, result: entry.resultOf(answer) }),
    })
  }

  /** An MCP server never says what it has, so nothing proves the answer to a form. */
  #openForm(id, params, entry) {
    const original = structuredClone(params)
    const choices = form.toForm(original)
    const { sessionId, turnId } = entry
    const within = this.#answerWithinMs
    entry.original = original
    const asked = {
      kind: 'question',
      proof: 'none',
      id: `${sessionId}:${turnId}:${JSON.stringify(id)}`,
      sessionId,
      questions: form.toQuestions(choices),
      expiresAt: within === Infinity ? undefined : Date.now() + within,
    }
    this.#openings.open(asked, original, {
      opened: (inputId) => (entry.inputId = inputId),
      handOver: ({ result, optionIndexes }) =>
        this.#send({ id, result: result ?? form.toResult(choices, optionIndexes) }),
      withdraw: () => this.#dismiss(id, entry),
      fits: (optionIndexes) => form.fits(choices, optionIndexes),
    })
  }

  /** Nobody has answered in time. What is over is not answered: its id may be another request's by now. */
  #dismiss(id, entry) {
    if (entry.isOver) return
    const failed = (error) => warn('a form was not dismissed', error)
    try {
      const sent = this.#send({ id, result: { action: 'cancel', content: null } })
      Promise.resolve(sent).catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  /** Shows that something waits which is not for the voice, until the app has decided it. */
  #show(kind, entry) {
    const { sessionId } = entry
    let inputId
    const opened = (id) => (inputId = id)
    const open = () => this.#openings.open({ kind, sessionId }, undefined, { opened })
    const close = () => this.#openings.cancel(inputId, 'decided')
    whileShown({ open, close }, undefined, () => new Promise((done) => (entry.decided = done)))
  }

  // ---- what is said of it later ----

  /** A request is over, and nobody says why. */
  #over(key) {
    const entry = this.#waiting.get(key)
    if (entry === undefined) return
    if (entry.decided !== undefined) {
      this.#forget(key, entry)
    } else if (this.#openings.given(entry.inputId) === null) {
      this.#forget(key, entry)
      this.#openings.answeredElsewhere(entry.inputId)
    } else {
      entry.isResolved = true
    }
  }

  /** An item as the model has it: the output of the ask tool is the answer that it had. */
  #itemTold({ threadId, turnId, item }) {
    this.#told.add(threadId)
    if (item.type !== 'function_call_output') return
    for (const [key, entry] of this.#of(codex.QUESTION, threadId, turnId)) {
      if (entry.original?.itemId !== item.call_id) continue
      const given = this.#openings.given(entry.inputId)
      const had = codex.toReceived(item.output)
      if (codex.isAborted(item.output)) this.#refuse(key, entry)
      else if (had === null) this.#lose(key, entry)
      else if (given !== null && codex.areSame(entry.resultOf(given), had)) this.#prove(key, entry)
      else {
        this.#forget(key, entry)
        this.#openings.answeredElsewhere(entry.inputId, codex.toPositions(entry.original, had))
      }
    }
  }

  /** Without such items: a turn that goes on after its question was over had an answer. */
  #goesOn({ threadId, turnId }) {
    for (const [key, entry] of this.#of(codex.QUESTION, threadId, turnId)) {
      if (entry.isResolved && !(this.#isShared && this.#told.has(threadId))) this.#had(key, entry)
    }
  }

  /** What was not over by the end of its turn was not answered; what was may have been too late. */
  #turnOver({ threadId, turn }) {
    for (const [key, entry] of this.#of(null, threadId, turn.id)) {
      if (!entry.isResolved) this.#refuse(key, entry)
      else if (turn.status === 'completed') this.#had(key, entry)
      else this.#lose(key, entry)
    }
  }

  #of(method, threadId, turnId) {
    return [...this.#waiting].filter(
      ([, entry]) =>
        entry.sessionId === threadId &&
        entry.turnId === turnId &&
        (method === null || entry.method === method),
    )
  }

  // ---- how it ends ----

  /** Whoever asked had an answer: ours, unless others answer here, in the same moment perhaps. */
  #had(key, entry) {
    if (this.#isShared) this.#lose(key, entry)
    else this.#prove(key, entry)
  }

  #prove(key, entry) {
    this.#forget(key, entry)
    this.#openings.proved(entry.inputId)
  }

  /** What was handed over did not arrive; where nothing was, it is canceled. */
  #refuse(key, entry) {
    if (entry.inputId === undefined) return this.#forget(key, entry)
    if (this.#openings.given(entry.inputId) === null) return this.#cancel(key, entry, 'gone')
    this.#forget(key, entry)
    this.#openings.refused(entry.inputId)
  }

  #cancel(key, entry, reason) {
    this.#forget(key, entry)
    if (entry.inputId !== undefined) this.#openings.cancel(entry.inputId, reason)
  }

  /** Nothing more will be said of it; where nothing was handed over, it is canceled. */
  #lose(key, entry) {
    const { inputId, original } = entry
    if (inputId === undefined || this.#openings.given(inputId) === null) {
      return this.#cancel(key, entry, 'gone')
    }
    this.#forget(key, entry)
    this.#openings.lost((one) => one === original)
  }

  #forget(key, entry) {
    entry.isOver = true
    this.#waiting.delete(key)
    entry.decided?.()
  }
}

module.exports = { Requests }
