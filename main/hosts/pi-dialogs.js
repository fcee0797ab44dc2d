'use strict'
// What Pi asks over one connection, and what it says of it later. Pi confirms no reply, and does not say
// that a dialog is closed: the end of the tool call that asked does, and what that call told the model.

const { isId } = require('./arguments.js')
const form = require('./pi-form.js')
const { isTold, toAsked, toldIn } = require('./pi-question.js')
const { State } = require('./pi-state.js')
const { whileShown } = require('./shown.js')

class Dialogs {
  #openings
  #send
  #askTools
  #state
  /** Tool calls that run, and the questions that each has asked. */
  #calls = new Map()
  /** By the id of the dialog. */
  #dialogs = new Map()
  /** The call whose dialog is the next frame, as our extension says. */
  #announced

  constructor(openings, { send, askTools, onSession, feeding }) {
    this.#openings = openings
    this.#send = send
    this.#askTools = askTools
    const changed = (sessionId) => {
      for (const entry of this.#dialogs.values()) if (entry.inputId) this.#over(entry, 'closed')
      onSession(sessionId)
    }
    this.#state = new State({ send, changed, feeding })
  }

  begin() {
    this.#state.ask()
  }

  hear(frame) {
    const announced = this.#announced
    this.#announced = undefined
    const { type } = frame
    if (type === 'extension_ui_request') this.#uiAsked(frame, announced)
    else if (type === 'tool_execution_start') this.#callStarted(frame)
    else if (type === 'tool_execution_end') this.#callOver(frame)
    else if (type === 'agent_start') this.#state.ask()
    else if (type === 'agent_end' || type === 'agent_settled') this.end('closed')
    else if (type === 'response' && frame.success === true) this.#state.hear(frame)
  }

  /** Nothing that was asked waits any more. */
  end(reason) {
    for (const entry of this.#dialogs.values()) this.#over(entry, reason)
    this.#calls.clear()
  }

  /** The connection is gone. */
  close() {
    this.#state.stop()
    this.end('disconnected')
  }

  /** Whether a dialog is one that is answered here. */
  asks(id) {
    return this.#dialogs.get(id)?.isQuestion === true
  }

  /** The app has answered a dialog itself. */
  decided(id) {
    const entry = this.#dialogs.get(id)
    if (entry !== undefined) this.#decide(entry)
  }

  // ---- what is asked ----

  #callStarted({ toolCallId, toolName, args }) {
    if (!isId(toolCallId)) return
    // What asks before a tool is used has been decided: calls are prepared one after the other.
    for (const entry of this.#dialogs.values()) this.#decide(entry)
    this.#calls.set(toolCallId, { toolCallId, toolName, args, asked: new Map() })
  }

  #uiAsked(frame, announced) {
    const { id, method, title, timeout } = frame
    if (method === 'setStatus') return this.#statusSet(frame)
    const calls = [...this.#calls.values()]
    const asked = toAsked(frame, calls, this.#askTools, announced)
    if (asked === null || !isId(id) || this.#dialogs.has(id)) return
    const isQuestion = asked.kind === 'question'
    const isTimed = typeof timeout === 'number' && timeout > 0
    const expires = isTimed ? { expiresAt: Date.now() + timeout } : {}
    const entry = { id, isQuestion, expires, calls }
    this.#dialogs.set(id, entry)
    if (!isQuestion) return this.#show(asked.kind, entry)
    this.#goesOn(asked.call)
    this.#openQuestion(frame, asked, entry)
    asked.call.asked.set(title, entry.original.dialog)
  }

  /** Our extension says that its next frame is a dialog, or that this is over. */
  #statusSet({ statusKey, statusText }) {
    if (typeof statusKey !== 'string' || !statusKey.startsWith(form.STATUS)) return
    const toolCallId = statusKey.slice(form.STATUS.length)
    if (statusText !== undefined) {
      this.#announced = toolCallId
      return
    }
    for (const entry of this.#of(toolCallId)) {
      // What was handed over is told by the end of the call.
      if (entry.isForm && this.#given(entry) === null) this.#cancel(entry, 'closed')
    }
  }

  #openQuestion(dialog, { call, isForm, questions }, entry) {
    const { toolCallId, toolName, args } = call
    // A copy: what is answered is what was asked.
    const original = structuredClone({ dialog, toolCallId, toolName, args })
    Object.assign(entry, { toolCallId, isForm, original, asked: call.asked })
    entry.callOff = this.#state.inSession((sessionId) => {
      const asked = { kind: 'question', id: entry.id, sessionId, questions, ...entry.expires }
      entry.inputId = this.#openings.open(asked, original, {
        handOver: (answer) => this.#handOver(entry, answer),
      })
    })
  }

  #handOver(entry, { answers, declined, resolvedBy }) {
    const frame = { type: 'extension_ui_response', id: entry.id }
    if (entry.isForm) {
      entry.entries = declined ? undefined : form.toEntries(entry.original.args.questions, answers)
      const reply = form.toReply({ entries: entry.entries, declined, resolvedBy })
      this.#send({ ...frame, value: reply })
    } else {
      this.#send(declined ? { ...frame, cancelled: true } : { ...frame, value: answers[0][0] })
    }
  }

  /** Shows that something waits which is not for the voice, until the app has decided it. */
  #show(kind, entry) {
    const open = () => {
      entry.callOff = this.#state.inSession((sessionId) => {
        entry.inputId = this.#openings.open({ kind, sessionId, ...entry.expires })
      })
    }
    const close = () => this.#cancel(entry, 'decided')
    whileShown({ open, close }, undefined, () => new Promise((done) => (entry.decided = done)))
  }

  // ---- what is said of it later ----

  /**
   * A call that asks its next question had a reply to the one before: ours, for nobody else has the
   * connection. One that ends by itself may have had none.
   */
  #goesOn({ toolCallId }) {
    for (const entry of this.#of(toolCallId)) {
      if (entry.isForm || entry.expires.expiresAt || this.#given(entry) === null) continue
      this.#dialogs.delete(entry.id)
      this.#openings.proved(entry.inputId)
    }
  }

  #callOver({ toolCallId, result, isError }) {
    const call = this.#calls.get(toolCallId)
    if (call === undefined) return
    this.#calls.delete(toolCallId)
    for (const entry of this.#of(toolCallId)) {
      this.#forget(entry)
      if (entry.inputId === undefined) continue
      // What does not say that it is no error is one.
      if (entry.isForm) this.#formOver(entry, result, isError !== false)
      else this.#selectOver(entry, result, isError !== false)
      this.#openings.cancel(entry.inputId, 'closed')
    }
    // Nobody says which call it was that asked: it has ended when all have that ran then.
    const isRunning = (one) => this.#calls.has(one.toolCallId)
    for (const entry of this.#dialogs.values()) {
      if (entry.calls.includes(call) && !entry.calls.some(isRunning)) this.#decide(entry)
    }
  }

  #formOver(entry, result, isError) {
    const { inputId, entries, original } = entry
    const had = form.readResult(original.args.questions, result, isError)
    if (had === null) this.#refuse(entry)
    else if (had === undefined) this.#over(entry, 'closed')
    else if (isSame(had.answers, entries)) this.#openings.proved(inputId)
    else this.#openings.answeredElsewhere(inputId, had.answers && form.toPositions(had.answers))
  }

  #selectOver(entry, result, isError) {
    const { inputId, original } = entry
    const { dialog } = original
    const asked = [...entry.asked.values()]
    const given = this.#openings.given(inputId)
    const told = toldIn(result, dialog, asked)
    const isProved = () =>
      given.declined
        ? told === undefined
        : isTold(result, dialog, dialog.options.indexOf(given.answers[0][0]), asked)
    if (isError) this.#refuse(entry)
    else if (given !== null && isProved()) this.#openings.proved(inputId)
    else if (told !== undefined) this.#openings.answeredElsewhere(inputId, [[told]])
    else this.#over(entry, 'closed')
  }

  // ---- how it ends ----

  /** What was handed over was not taken; where nothing was, nobody waits any more. */
  #refuse({ inputId }) {
    if (this.#openings.given(inputId) === null) this.#openings.cancel(inputId, 'gone')
    else this.#openings.refused(inputId)
  }

  /** Nothing more will be said of it. */
  #over(entry, reason) {
    this.#cancel(entry, reason)
    if (entry.isQuestion) this.#openings.lost((original) => original === entry.original)
  }

  #cancel(entry, reason) {
    this.#forget(entry)
    if (entry.inputId !== undefined) this.#openings.cancel(entry.inputId, reason)
  }

  #decide(entry) {
    if (!entry.isQuestion) this.#forget(entry)
  }

  #forget(entry) {
    this.#dialogs.delete(entry.id)
    entry.callOff?.()
    entry.decided?.()
  }

  #given({ inputId }) {
    return inputId === undefined ? null : this.#openings.given(inputId)
  }

  #of(toolCallId) {
    return [...this.#dialogs.values()].filter((entry) => entry.toolCallId === toolCallId)
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

module.exports = { Dialogs }
