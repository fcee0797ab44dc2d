'use strict'
// The driver of one live call. It performs what the machine (src/call) asks for and feeds back what
// came of it; it owns timers and abort signals, and decides nothing.

const { randomUUID } = require('node:crypto')
const { LiveCallMachine, REFUSALS } = require('..')
const { checked } = require('./call-options.js')
const { systemClock } = require('./clock.js')
const { UnderWay } = require('./under-way.js')
const { warn } = require('./warn.js')

/** The sessions of each host that have a call: one call per session. */
const calls = new WeakMap()

function openLiveCall(options) {
  return new LiveCall(checked(options))
}

class LiveCall {
  #options
  #machine
  #clock
  #session = null
  #watching = null
  #timer = null
  #closing = null
  #closed = false
  #pending = null
  #receipt = null
  #hasWarned = false
  #underWay = new UnderWay()
  /** By number: the request of each operation, its promise, and what the classifier said. */
  #operations = new Map()

  constructor(options) {
    this.callId = options.callId ?? randomUUID()
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#machine = new LiveCallMachine({
      callId: this.callId,
      provider: options.voice.name,
      budget: options.budget,
      readOut: options.readOut,
      evidence: options.evidence,
      partialAnswers: options.partialAnswers,
      speakers: options.speakers,
      mayShareQuestions: options.mayShareQuestions,
      appClassifies: options.classify !== undefined,
      journal: options.journal !== undefined,
      proof: options.host.proof,
    })
    if (options.session !== null) this.setSession(options.session)
  }

  instruct(request, evidence) {
    if (this.#closed) return this.#afterTheEnd(request?.requestId)
    this.#receipt = null
    this.#send({ type: 'instruct', request, evidence }, (number) => {
      if (!this.#operations.has(number)) {
        const { requestId, instruction } = request
        this.#operations.set(number, { ...withResolvers(), requestId, instruction, evidence })
        this.#forget()
      }
    })
    const [number, receipt] = this.#receipt
    const { promise } = this.#operations.get(number)
    return { operationId: this.#id(number), receipt, settled: promise }
  }

  heard(requestId, evidence) {
    this.#send({ type: 'heard', requestId, evidence })
  }

  delivered(feedbackId, outcome) {
    this.#send({ type: 'delivered', feedbackId, outcome })
  }

  voiceReset() {
    this.#send({ type: 'voiceReset' })
  }

  setSession(session) {
    // A call that is ending takes no place from one that begins.
    if (this.#closing !== null) return
    const before = this.#session
    const id = session?.id
    const sessions = calls.get(this.#options.host) ?? new Set()
    if (sessions.has(id) && id !== before?.id) {
      const error = new Error('this session has a live call already; close it first')
      throw Object.assign(error, { code: 'CALL_EXISTS' })
    }
    calls.set(this.#options.host, sessions.add(id))
    this.#session = { id }
    try {
      this.#send({ type: 'setSession', session })
    } catch (error) {
      this.#session = before
      if (id !== before?.id) sessions.delete(id)
      throw error
    }
    if (before !== null && before.id !== id) sessions.delete(before.id)
  }

  operations() {
    return this.#machine.operations().map((view) => this.#view(view))
  }

  pending() {
    return this.#pending
  }

  close() {
    this.#closing ??= withResolvers()
    // Said again it changes nothing, but one that threw can be made up for.
    this.#send({ type: 'close' })
    return this.#closing.promise
  }

  // ---- events in, effects out ----

  #send(event, registered) {
    if (this.#closed) return
    const effects = this.#machine.handle(event, this.#clock.now())
    // The operation exists before anything is said about it.
    const receipt = effects.find(({ type }) => type === 'receipt')
    if (receipt) registered?.(receipt.value[0])
    for (const { type, value } of effects) this.#perform(type, value)
    this.#rearm()
  }

  /** The machine remembers 256 operations; what it has forgotten is not asked for again. */
  #forget() {
    for (const [number, { final }] of this.#operations) {
      if (this.#operations.size <= REMEMBERED) return
      if (final) this.#operations.delete(number)
    }
  }

  #rearm() {
    try {
      if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
      this.#timer = null
      const at = this.#closed ? null : this.#machine.nextWake()
      if (at === null) return
      // Rounded up: a timer that fires early would only be set again.
      const wait = Math.max(0, Math.ceil(at - this.#clock.now()))
      this.#timer = this.#clock.setTimeout(() => this.#wake(), wait)
    } catch (error) {
      // What happened has happened; the next event sets it again.
      warn('a timer of the live call was not set', error)
    }
  }

  #wake() {
    this.#timer = null
    try {
      this.#send({ type: 'wake' })
    } catch (error) {
      warn('a timer of the live call did nothing', error)
    }
  }

  #perform(type, value) {
    const { host, voice, classify, journal } = this.#options
    switch (type) {
      case 'watch':
        return this.#watch(value)
      case 'list': {
        const { id } = this.#session
        return this.#run(
          `list ${value}`,
          (signal) => host.openInputs(id, { signal }),
          (inputs) => ({ type: 'listed', id: value, inputs, wall: this.#clock.wall() }),
        )
      }
      case 'abortList':
        return this.#underWay.abort(`list ${value}`)
      case 'receipt':
        this.#receipt = value
        return
      case 'deliver': {
        const { id, kind, text } = value
        const feedback = { feedbackId: this.#id(id), kind, text, speak: true }
        return this.#run(
          `delivery ${id}`,
          (signal) => voice.deliver(feedback, { signal }),
          (outcome, failed) => {
            if (!failed) this.#checkOutcome(outcome)
            const { feedbackId } = feedback
            return { type: 'delivered', feedbackId, outcome: outcome ?? 'not-sent' }
          },
        )
      }
      case 'abortDelivery':
        return this.#underWay.abort(`delivery ${value}`)
      case 'classify': {
        const [id, pending] = value
        const { instruction, evidence } = this.#operations.get(id)
        const question = this.#machine.question(id)
        const input = { instruction, utterance: evidence?.utterance, question }
        if (pending !== null) input.pending = pending
        return this.#run(
          `classify ${id}`,
          (signal) => classify(input, { signal }),
          (intent, failed) => {
            const operation = this.#operations.get(id)
            if (operation) operation.intent = intent
            return { type: 'classified', id, intent, failed }
          },
        )
      }
      case 'resolve': {
        const [id, resolution] = value
        return this.#run(
          `resolve ${id}`,
          (signal) => host.resolveInput(resolution, { signal }),
          (reply) => ({ type: 'replied', id, reply: reply ?? { status: 'unknown' } }),
        )
      }
      case 'abortResolve':
        return this.#underWay.abort(`resolve ${value}`)
      case 'lookUp': {
        const [id, inputId] = value
        return this.#run(
          `lookUp ${id}`,
          (signal) => host.settlement(inputId, { signal }),
          (settlement) => ({
            type: 'lookedUp',
            id,
            settlement: settlement ?? { status: 'unknown' },
          }),
        )
      }
      case 'journal': {
        const { inputId, sessionId, optionIndexes, resolvedBy } = value
        const line = { type: 'input.resolved', inputId, sessionId, optionIndexes, resolvedBy }
        return this.#tell('journal.append', () => journal.append(line))
      }
      case 'view':
        return this.#viewed(value)
      case 'forward': {
        const { requestId, instruction, intent } = this.#operations.get(value)
        const forward = { operationId: this.#id(value), requestId, instruction, intent }
        return this.#tell('onForward', () => this.#options.onForward?.(forward))
      }
      case 'pending':
        this.#pending = value && { ...value, sessionId: this.#session.id }
        const shown = this.#pending
        return this.#tell('onPending', () => this.#options.onPending?.(shown))
      case 'closed':
        return this.#end()
    }
  }

  /** Without a word for it no question would ever count as read out, and nobody would know why. */
  #checkOutcome(outcome) {
    if (this.#hasWarned || OUTCOMES.includes(outcome)) return
    this.#hasWarned = true
    warn('voice.deliver does not say what became of a text', `it is one of ${OUTCOMES.join(', ')}`)
  }

  #watch(sessionId) {
    this.#watching?.()
    this.#watching = null
    if (sessionId === null || this.#closed) return
    let live = true
    let unsubscribe
    // Before the host is called: it may call back, and that may end the call.
    this.#watching = () => {
      live = false
      if (unsubscribe !== undefined) this.#tell('unsubscribing from host.watch', unsubscribe)
    }
    try {
      unsubscribe = this.#options.host.watch(sessionId, (event) => {
        if (live) this.#send({ type: 'host', event })
      })
    } catch (error) {
      warn('host.watch', error)
    }
    if (!live && unsubscribe !== undefined) {
      this.#tell('unsubscribing from host.watch', unsubscribe)
    }
  }

  /** Starts something of the app's and feeds back what came of it. */
  #run(name, start, event) {
    if (this.#closed) return
    this.#underWay.start(name, start, (value, failed) => this.#send(event(value, failed)))
  }

  /** Tells the app something, after all is done; what it throws is its own affair. */
  #tell(name, call) {
    Promise.resolve()
      .then(call)
      .catch((error) => warn(name, error))
  }

  #viewed(view) {
    const shown = this.#view(view)
    this.#tell('onOperation', () => this.#options.onOperation?.(shown))
    if (!shown.final) return
    this.#underWay.abort(`classify ${view.id}`)
    const operation = this.#operations.get(view.id)
    if (operation === undefined) return
    operation.final = true
    operation.resolve(shown)
  }

  #view({ id, requestId, state, refusal, inputId }) {
    const view = { operationId: this.#id(id), requestId, state, final: !OPEN_STATES.has(state) }
    if (inputId !== null) view.inputId = inputId
    if (refusal !== null) {
      const { reason, questionIndex, next } = refusal
      Object.assign(view, { reason, next }, questionIndex === undefined ? {} : { questionIndex })
    }
    return view
  }

  #afterTheEnd(requestId) {
    const reason = 'call-closed'
    const view = {
      operationId: '',
      requestId,
      state: 'withdrawn',
      reason,
      next: 'card',
      final: true,
    }
    const { message } = REFUSALS[reason]
    return { operationId: '', receipt: message, settled: Promise.resolve(view) }
  }

  #end() {
    this.#closed = true
    this.#watching?.()
    this.#underWay.end()
    calls.get(this.#options.host)?.delete(this.#session?.id)
    this.#closing?.resolve()
  }

  #id(number) {
    return `${this.callId}:${number}`
  }
}

/** Operations that are remembered here, some more than in the machine. */
const REMEMBERED = 300

const OUTCOMES = ['not-sent', 'unknown', 'context-only', 'sent', 'spoken', 'interrupted']

const OPEN_STATES = new Set(['classifying', 'dispatching'])

function withResolvers() {
  let resolve
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}

module.exports = { openLiveCall }
