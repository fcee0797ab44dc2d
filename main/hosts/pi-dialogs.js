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
    const call = { toolCallId, toolName, args: structuredClone(args), asked: new Set() }
    this.#calls.set(toolCallId, call)
  }

  #uiAsked(frame, announced) {
    const { id, method, title } = frame
    if (method === 'setStatus') return this.#statusSet(frame)
    const calls = [...this.#calls.values()]
    const asked = toAsked(frame, calls, this.#askTools, announced)
    if (asked === null || !isId(id) || this.#dialogs.has(id)) return
    const isQuestion = asked.kind === 'question'
    const dialog = structuredClone(frame)
    const expires = frame.timeout > 0 ? { expiresAt: Date.now() + frame.timeout } : {}
    const entry = { id, dialog, isQuestion, expires, calls }
    this.#dialogs.set(id, entry)
    if (!isQuestion) return this.#show(asked.kind, entry)
    Object.assign(entry, { call: asked.call, isForm: asked.isForm })
    this.#goesOn(entry)
    asked.call.asked.add(title)
    this.#openQuestion(asked.questions, entry)
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

  #openQuestion(questions, entry) {
    const { call, dialog, id, expires } = entry
    const { toolCallId, toolName, args } = call
    entry.original = { dialog, toolCallId, toolName, args }
    entry.callOff = this.#state.inSession((sessionId) => {
      const asked = { kind: 'question', id, sessionId, questions, ...expires }
      entry.inputId = this.#openings.open(asked, entry.original, {
        handOver: (answer) => this.#handOver(entry, answer),
      })
    })
  }

  #handOver(entry, { answers, declined, resolvedBy }) {
    const frame = { type: 'extension_ui_response', id: entry.id }
    if (entry.isForm) {
      entry.entries = declined ? undefined : form.toEntries(entry.call.args.questions, answers)
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
  #goesOn({ call }) {
    for (const entry of this.#of(call.toolCallId)) {
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
    }
    // Nobody says which call it was that asked: it has ended when all have that ran then.
    const isRunning = (one) => this.#calls.has(one.toolCallId)
    for (const entry of this.#dialogs.values()) {
      if (entry.calls.includes(call) && !entry.calls.some(isRunning)) this.#decide(entry)
    }
  }

  #formOver(entry, result, isError) {
    const { inputId, entries, call } = entry
    const had = form.readResult(call.args.questions, result, isError)
    if (had === null) this.#refuse(entry)
    else if (had === undefined) this.#over(entry, 'closed')
    else if (isSame(had.answers, entries)) this.#openings.proved(inputId)
    else this.#openings.answeredElsewhere(inputId, had.answers && form.toPositions(had.answers))
  }

  #selectOver(entry, result, isError) {
    const { inputId, dialog } = entry
    const given = this.#openings.given(inputId)
    const told = toldIn(result, dialog)
    if (isError) this.#refuse(entry)
    else if (given !== null && isProved(given, result, dialog)) this.#openings.proved(inputId)
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
    return [...this.#dialogs.values()].filter(({ call }) => call?.toolCallId === toolCallId)
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a tool had what its dialog was given: the option, or none. */
function isProved({ answers, declined }, result, dialog) {
  if (declined) return toldIn(result, dialog) === undefined
  return isTold(result, dialog, dialog.options.indexOf(answers[0][0]))
}

module.exports = { Dialogs }
