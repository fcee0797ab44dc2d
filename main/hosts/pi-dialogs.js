'use strict'
// What Pi asks over one connection, and what it says of it later. Pi confirms no reply, and does not say
// that a dialog is closed: the end of the tool call that asked does, and what that call told the model.

const { Calls } = require('./pi-calls.js')
const form = require('./pi-form.js')
const { isLabels } = require('./pi-inside.js')
const { toAsked } = require('./pi-question.js')
const { State } = require('./pi-state.js')
const { toVerdict } = require('./pi-verdict.js')
const { whileShown } = require('./shown.js')

class Dialogs {
  #openings
  #send
  #askTools
  #state
  #calls
  /** By the id of the dialog. */
  #dialogs = new Map()
  /** The call whose dialog is the next frame, as our extension says. */
  #announced

  constructor(openings, { send, askTools, onSession, feeding }) {
    this.#openings = openings
    this.#send = send
    this.#askTools = askTools
    this.#calls = new Calls(askTools)
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

  #callStarted(frame) {
    // What asks before a tool is used has been decided: calls are prepared one after the other.
    for (const entry of this.#dialogs.values()) this.#decide(entry)
    this.#calls.start(frame)
  }

  #uiAsked(frame, announced) {
    const { id, method, timeout } = frame
    if (method === 'setStatus') return this.#statusSet(frame)
    const calls = this.#calls.running
    const asked = toAsked(frame, calls, this.#askTools, announced)
    if (asked === null || typeof id !== 'string' || this.#dialogs.has(id)) return
    const isTimed = typeof timeout === 'number' && timeout > 0
    const expires = isTimed ? { expiresAt: Date.now() + timeout } : {}
    const entry = { id, isQuestion: asked.kind === 'question', expires, calls }
    if (entry.isQuestion) return this.#openQuestion(frame, asked, entry)
    this.#dialogs.set(id, entry)
    this.#openOther(frame, asked.kind, entry)
  }

  /** Our extension says that its next frame is a dialog, or that this is over. */
  #statusSet({ statusKey, statusText }) {
    if (typeof statusKey !== 'string' || !statusKey.startsWith(form.STATUS)) return
    const toolCallId = statusKey.slice(form.STATUS.length)
    if (statusText !== undefined) {
      this.#announced = toolCallId
      return
    }
    for (const entry of this.#of(this.#calls.of(toolCallId))) {
      // What was handed over is told by the end of the call.
      if (entry.isForm && this.#given(entry) === null) this.#cancel(entry, 'closed')
    }
  }

  #openQuestion(frame, { call, isForm, questions, of }, entry) {
    // A copy, before anything is said of it: what is answered is what was asked.
    const { toolCallId, toolName } = call
    const args = isForm ? of : call.args
    const original = structuredClone({ dialog: frame, toolCallId, toolName, args })
    Object.assign(entry, { call, isForm, original })
    this.#dialogs.set(entry.id, entry)
    this.#goesOn(call)
    // Whoever was told of that may have ended all of it.
    if (!this.#dialogs.has(entry.id)) return
    const { dialog } = original
    call.asked.push({ of, dialog, isWaiting: () => this.#isWaiting(entry) })
    entry.callOff = this.#state.inSession((sessionId) => {
      const asked = { kind: 'question', id: entry.id, sessionId, questions, ...entry.expires }
      this.#openings.open(asked, original, {
        handOver: (answer) => this.#handOver(entry, answer),
        opened: (inputId) => (entry.inputId = inputId),
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
  #openOther({ options }, kind, entry) {
    const { calls } = entry
    // It may be of any of them, and what they tell at their end may be of it.
    if (isLabels(options) && calls.every(({ toolName }) => this.#askTools.has(toolName))) {
      const dialog = { options: [...options] }
      for (const { asked } of calls) asked.push({ dialog, isWaiting: () => false })
    }
    const open = () => {
      entry.callOff = this.#state.inSession((sessionId) => {
        const opened = (inputId) => (entry.inputId = inputId)
        this.#openings.open({ kind, sessionId, ...entry.expires }, undefined, { opened })
      })
    }
    const close = () => this.#cancel(entry, 'decided')
    whileShown({ open, close }, undefined, () => new Promise((done) => (entry.decided = done)))
  }

  // ---- what is said of it later ----

  /**
   * A call that asks its next question does not wait for the one before, and nothing proves that it had our
   * answer: the dialog may have ended by itself.
   */
  #goesOn(call) {
    for (const entry of this.#of(call)) {
      if (this.#given(entry) === null) continue
      this.#openings.submitted(entry.inputId)
      // What nobody waited for any more may still be proved at the end of the call.
      if (this.#given(entry) === null) this.#forget(entry)
    }
  }

  #callOver(frame) {
    const call = this.#calls.end(frame.toolCallId)
    if (call === undefined) return
    const asked = call.asked.map(({ dialog }) => dialog)
    for (const entry of this.#of(call)) {
      const given = this.#given(entry)
      const verdict = call.isCertain ? toVerdict(entry, given, asked, frame) : undefined
      this.#forget(entry)
      if (entry.inputId !== undefined) this.#ended(entry, given, verdict)
    }
    // Nobody says which call it was that asked: it has ended when all have that ran then.
    const isRunning = (one) => this.#calls.isRunning(one)
    for (const entry of this.#dialogs.values()) {
      if (entry.calls.includes(call) && !entry.calls.some(isRunning)) this.#decide(entry)
    }
  }

  #ended(entry, given, { is, optionIndexes } = {}) {
    const { inputId } = entry
    if (is === 'proved' && given !== null) this.#openings.proved(inputId)
    else if (is === 'elsewhere') this.#openings.answeredElsewhere(inputId, optionIndexes)
    else if (is === 'refused' && given !== null) this.#openings.refused(inputId)
    else this.#over(entry, is === 'refused' ? 'gone' : 'closed')
  }

  // ---- how it ends ----

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

  /** Whether a question is open, or will be once the session is known, and has no answer. */
  #isWaiting({ id, inputId }) {
    const isOpen = inputId === undefined || this.#openings.original(inputId) !== undefined
    return this.#dialogs.has(id) && isOpen && this.#given({ inputId }) === null
  }

  #of(call) {
    return [...this.#dialogs.values()].filter((entry) => entry.call === call && call !== undefined)
  }
}

module.exports = { Dialogs }
