'use strict'
// The driver of turns. It performs what the machine (src/authority) asks for and feeds back what came
// of it; it owns sessions, timers and abort signals, and decides nothing.

const { performance } = require('node:perf_hooks')
const { TURN_CODES, TurnMachine, frameTurn } = require('../addon.js')
const { plans } = require('./planning.js')
const { warn } = require('./warn.js')

const systemClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (timer) => clearTimeout(timer),
}

/** What was said in turns of their own, that a room's session has yet to hear; at most so many. */
const MISSED = 8
const MISSED_UNITS = 2_000

/** One runner for each app's sessions: rooms are theirs. */
const runners = new WeakMap()

function runTurn(options) {
  const { sessions, clock = systemClock } = checked(options)
  if (!runners.has(sessions)) runners.set(sessions, new Runner(sessions, clock))
  return runners.get(sessions).run(options)
}

class Runner {
  #sessions
  #clock
  #machine = new TurnMachine()
  #timer = null
  #turns = new Map()
  /** By room. */
  #missed = new Map()
  /** Sessions of one turn, and those that were disposed of: neither is anybody else's. */
  #taken = new WeakSet()

  constructor(sessions, clock) {
    this.#sessions = sessions
    this.#clock = clock
  }

  run({ plan, room, message, say, signal, grants, budget }) {
    const copy = copied(message)
    const start = {
      plan: plans.get(plan),
      room,
      message: copy,
      budget,
      cancelled: signal?.aborted === true,
      grants: grants?.(),
    }
    const [id, effects] = this.#machine.start(start, this.#clock.now(), this.#clock.wall())
    return new Promise((resolve) => {
      const onAbort = () => this.#tell(id, { type: 'cancel' })
      const controller = new AbortController()
      const turn = { plan, room, message: copy, budget, say, resolve, controller, signal, onAbort }
      this.#turns.set(id, turn)
      signal?.addEventListener('abort', onAbort, { once: true })
      for (const effect of effects) this.#perform(effect)
      this.#rearm()
    })
  }

  // ---- events in, effects out ----

  #tell(id, event) {
    const effects = this.#machine.handle(id, event, this.#clock.now(), this.#clock.wall())
    for (const effect of effects) this.#perform(effect)
    this.#rearm()
  }

  #rearm() {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    const wait = this.#machine.nextWake()
    const wake = () => this.#tell(0, { type: 'wake' })
    this.#timer = wait === null ? null : this.#clock.setTimeout(wake, wait)
  }

  #perform({ type, value }) {
    switch (type) {
      case 'open':
        return this.#open(...value)
      case 'prompt':
        return this.#prompt(value)
      case 'abort':
        return this.#abort(value)
      case 'dispose':
        return this.#dispose(value)
      case 'say':
        return this.#say(...value)
      case 'done':
        return this.#done(...value)
    }
  }

  #open(id, kind) {
    const turn = this.#turns.get(id)
    const { plan, room, controller } = turn
    const { signal } = controller
    const isShared = kind === 'shared'
    const open = isShared
      ? () => this.#sessions.shared(room, { signal })
      : () => this.#sessions.oneShot(kind.own, { room, actorId: plan.actorId, signal })
    const opened = (session) => {
      turn.session = session
      const fresh = !this.#taken.has(session)
      if (!isShared) this.#taken.add(session)
      this.#tell(id, { type: 'opened', machineTools: holdsTools(session), fresh })
      if (turn.over) this.#turns.delete(id)
    }
    const notOpened = (error) => {
      turn.error = error
      this.#tell(id, { type: 'notOpened' })
      if (turn.over) this.#turns.delete(id)
    }
    attempt(async () => checkedSession(await open()))
      .then(opened, notOpened)
      .catch((error) => warn('what came of it when a session was opened was not taken in', error))
  }

  #prompt(id) {
    const turn = this.#turns.get(id)
    const { room, plan, message, budget, controller } = turn
    const missed = plan.plan === 'shared' ? (this.#missed.get(room) ?? []) : []
    turn.heard = missed.length
    const text = frameTurn({ ...message, context: [...(message.context ?? []), ...missed] }, budget)
    const answered = (answer) => {
      turn.answer = typeof answer === 'string' ? answer : ''
      this.#tell(id, { type: 'answered', anything: turn.answer.trim() !== '' })
    }
    const failed = (error) => {
      turn.error = error
      this.#tell(id, { type: 'failed' })
    }
    attempt(() => turn.session.prompt(text, { signal: controller.signal }))
      .then(answered, failed)
      .catch((error) => warn('what came of it when a turn ended was not taken in', error))
  }

  #abort(id) {
    const { controller, session } = this.#turns.get(id)
    controller.abort()
    if (session === undefined) return
    const stopped = () => this.#tell(id, { type: 'stopped' })
    const notStopped = () => this.#tell(id, { type: 'notStopped' })
    attempt(() => session.abort())
      .then(stopped, notStopped)
      .catch((error) => warn('what came of it when a turn was stopped was not taken in', error))
  }

  #dispose(id) {
    const { session } = this.#turns.get(id)
    this.#taken.add(session)
    const disposed = () =>
      this.#tell(id, { type: holdsTools(session) ? 'notDisposed' : 'disposed' })
    const notDisposed = () => this.#tell(id, { type: 'notDisposed' })
    attempt(() => session.dispose())
      .then(disposed, notDisposed)
      .catch((error) =>
        warn('what came of it when a session was disposed of was not taken in', error),
      )
  }

  #say(id, code) {
    const turn = this.#turns.get(id)
    if (code === 'answered') this.#remember(turn)
    const text = TURN_CODES[code].message ?? turn.answer
    const { say, error } = turn
    const more = error === undefined ? { code } : { code, error }
    attempt(() => say(text, more)).catch((thrown) => warn('say', thrown))
  }

  /** A room's session hears, with its next turn, what was said in the room in a turn of its own. */
  #remember({ plan, room, message, answer, heard }) {
    const missed = this.#missed.get(room) ?? []
    if (plan.plan === 'shared') missed.splice(0, heard)
    else {
      missed.push({ speaker: message.speaker, text: message.request.slice(0, MISSED_UNITS) })
      missed.push({ speaker: OWN_TURN, text: answer.slice(0, MISSED_UNITS) })
      missed.splice(0, missed.length - MISSED)
    }
    if (missed.length === 0) this.#missed.delete(room)
    else this.#missed.set(room, missed)
  }

  #done(id, receipt) {
    const turn = this.#turns.get(id)
    turn.signal?.removeEventListener('abort', turn.onAbort)
    turn.resolve(receipt)
    // A session that turns up late is still to be disposed of.
    turn.over = true
    if (turn.session !== undefined || !receipt.left.includes('session')) this.#turns.delete(id)
  }
}

/** The agent's own lines among what a room's session has missed. */
const OWN_TURN = 'agent, in a turn of its own'

const isFunction = (value) => typeof value === 'function'

/** Starts something of the app's; what it throws at once is a rejection too. */
function attempt(call) {
  return Promise.resolve().then(call)
}

/** Whether a session holds machine tools; one that does not say so is taken to. */
function holdsTools(session) {
  try {
    return session.machineTools().length !== 0
  } catch {
    return true
  }
}

function checkedSession(session) {
  for (const name of ['machineTools', 'prompt', 'abort', 'dispose']) {
    if (!isFunction(session?.[name])) throw new TypeError(`a session has no ${name}()`)
  }
  return session
}

/** What was said when the turn began: a caller may go on with its own objects. */
function copied(message) {
  if (message === null || typeof message !== 'object') return message
  const { speaker, request, utterance, context } = message
  const line = (one) =>
    one !== null && typeof one === 'object' ? { speaker: one.speaker, text: one.text } : one
  return {
    speaker,
    request,
    utterance,
    context: Array.isArray(context) ? context.map((one) => line(one)) : context,
  }
}

/** What the calling program got wrong is said before anything starts; values are checked in Rust. */
function checked(options) {
  if (options === null || typeof options !== 'object') throw invalid('(all)')
  const { sessions, say, signal, grants, clock } = options
  for (const name of ['shared', 'oneShot']) {
    if (!isFunction(sessions?.[name])) throw invalid(`sessions.${name}`)
  }
  if (!isFunction(say)) throw invalid('say')
  if (signal !== undefined && !isFunction(signal?.addEventListener)) throw invalid('signal')
  if (grants !== undefined && !isFunction(grants)) throw invalid('grants')
  for (const name of clock === undefined ? [] : Object.keys(systemClock)) {
    if (!isFunction(clock?.[name])) throw invalid(`clock.${name}`)
  }
  return options
}

function invalid(option) {
  const error = new TypeError(`the option ${option} of a turn is missing or of another type`)
  return Object.assign(error, { code: 'INVALID_OPTION' })
}

module.exports = { runTurn }
