'use strict'
// What an app-server asks by requests of its own, on one connection, and what it says of them later. That
// a request is over proves nothing of an answer: an interrupted turn and another client end it as well.

const { warn } = require('../warn.js')
const { isId, isObject } = require('./arguments.js')
const codex = require('./codex-question.js')
const form = require('./mcp-form.js')
const { whileShown } = require('./shown.js')

const isRequestId = (id) => typeof id === 'string' || typeof id === 'number'

class Requests {
  #openings
  #send
  #isShared
  #answerWithinMs
  /** By the id of the request, with its type: 0 is one, and `'0'` another. */
  #waiting = new Map()
  /** Threads whose every item is told, and with it, sooner or later, what the ask tool had. */
  #told = new Set()
  /** Calls of MCP tools that run. */
  #calls = new Map()

  constructor(openings, { send, shared, answerWithinMs }) {
    this.#openings = openings
    this.#send = send
    this.#isShared = shared
    this.#answerWithinMs = answerWithinMs
  }

  hear({ method, id, params }) {
    if (typeof method !== 'string' || !isObject(params)) return
    if (isRequestId(id)) return this.#asked(method, id, params)
    if (method === 'serverRequest/resolved') return this.#over(JSON.stringify(params.requestId))
    if (method === 'turn/completed' && isObject(params.turn)) return this.#turnOver(params)
    if (!isObject(params.item)) return
    if (method === 'rawResponseItem/completed') this.#itemTold(params)
    if (method === 'item/started') this.#itemStarted(params)
    if (method === 'item/completed') this.#itemOver(params)
  }

  /** The process or the connection is gone, and with it everything that it waited for. */
  end(reason) {
    for (const [key, entry] of this.#waiting) {
      this.#cancel(key, entry, reason)
      this.#lose(key, entry)
    }
    this.#told.clear()
    this.#calls.clear()
  }

  // ---- what is asked ----

  #asked(method, id, params) {
    const kind = codex.kindOf(method, params)
    const sessionId = params.threadId ?? params.conversationId
    if (kind === null || !isId(sessionId)) return
    const key = JSON.stringify(id)
    const content = JSON.stringify([method, params])
    const before = this.#waiting.get(key)
    // What is open is said again to whoever resumes the thread.
    if (before?.content === content) return
    if (before !== undefined) this.#cancel(key, before, 'replaced')
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
    entry.inputId = this.#openings.open(asked, original, {
      handOver: (answer) => this.#send({ id, result: entry.resultOf(answer) }),
    })
  }

  #openForm(id, params, entry) {
    const original = structuredClone(params)
    const choices = form.toForm(original)
    const { sessionId, turnId } = entry
    const within = this.#answerWithinMs
    entry.original = original
    const asked = {
      kind: 'question',
      id: `${sessionId}:${turnId}:${JSON.stringify(id)}`,
      sessionId,
      questions: form.toQuestions(choices),
      expiresAt: within === Infinity ? undefined : Date.now() + within,
    }
    entry.inputId = this.#openings.open(asked, original, {
      handOver: ({ result, optionIndexes }) =>
        this.#send({ id, result: result ?? form.toResult(choices, optionIndexes) }),
      withdraw: () => this.#dismiss(id, entry),
      fits: (optionIndexes) => form.fits(choices, optionIndexes),
    })
  }

  /** Nobody has answered in time. What is over is not answered any more. */
  #dismiss(id, { isOver }) {
    if (isOver) return
    try {
      this.#send({ id, result: { action: 'cancel', content: null } })
    } catch (error) {
      warn('a form was not dismissed', error)
    }
  }

  /** Shows that something waits which is not for the voice, until the app has decided it. */
  #show(kind, entry) {
    let inputId
    const open = () => (inputId = this.#openings.open({ kind, sessionId: entry.sessionId }))
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

  #itemStarted({ threadId, turnId, item }) {
    // Whatever begins then: nothing does in a turn that was interrupted. A message of the user may wait.
    if (item.type !== 'userMessage') this.#goesOn({ threadId, turnId })
    if (item.type === 'mcpToolCall') this.#calls.set(callOf(threadId, item), { turnId, item })
  }

  /** The tool that asked by a form is done: with the answer, or because it does not wait any more. */
  #itemOver({ threadId, turnId, item }) {
    if (item.type !== 'mcpToolCall') return
    this.#calls.delete(callOf(threadId, item))
    const isSame = (call) => call.turnId === turnId && call.item.server === item.server
    // Nobody says which of several calls a form belongs to.
    if ([...this.#calls.values()].some(isSame)) return
    for (const [key, entry] of this.#of(codex.FORM, threadId, turnId)) {
      if (entry.original?.serverName !== item.server) continue
      if (!entry.isResolved) this.#refuse(key, entry)
      else if (item.status === 'completed') this.#had(key, entry)
      else this.#lose(key, entry)
    }
  }

  /** What was not over by the end of its turn was not answered; what was may have been too late. */
  #turnOver({ threadId, turn }) {
    for (const [key, entry] of this.#of(null, threadId, turn.id)) {
      if (!entry.isResolved) this.#refuse(key, entry)
      else if (turn.status === 'completed') this.#had(key, entry)
      else this.#lose(key, entry)
    }
    for (const [name, call] of this.#calls) if (call.turnId === turn.id) this.#calls.delete(name)
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

  /** Nothing more will be said of it. */
  #lose(key, entry) {
    this.#forget(key, entry)
    this.#openings.lost((original) => original !== undefined && original === entry.original)
  }

  #forget(key, entry) {
    entry.isOver = true
    this.#waiting.delete(key)
    entry.decided?.()
  }
}

const callOf = (threadId, { id }) => JSON.stringify([threadId, id])

module.exports = { Requests }
