'use strict'
// The driver of turns. It performs what the machine (src/authority) asks for and feeds back what came
// of it; it owns sessions and abort signals, and decides nothing.

const { TURN_CODES, TurnMachine, frameTurn } = require('../addon.js')
const { cut } = require('./message.js')
const { Missed } = require('./missed.js')
const { mistake } = require('./mistake.js')
const { isObject } = require('./own.js')
const { lists, plans } = require('./planning.js')
const use = require('./session-use.js')
const { attached, isAborted } = require('./signal.js')
const { warn } = require('./warn.js')
const { Watch } = require('./watch.js')

/** UTF-16 units of an answer that the room hears. */
const ANSWER_UNITS = 100_000

class Runner {
  #sessions
  #machine = new TurnMachine()
  #watch
  #turns = new Map()
  #missed = new Missed()

  constructor(sessions, clock) {
    this.#sessions = sessions
    this.#watch = new Watch(clock, () => this.#tell(0, { type: 'wake' }))
  }

  run({ plan, room, message, say, signal, grants, budget, remember = true }) {
    const made = plans.get(plan)
    const actorId = made?.actorId ?? undefined
    // Whose line a line is is known by the plan, not by what an app says beside it.
    if (isObject(message)) message.actorId = actorId
    const controller = new AbortController()
    const turn = { actorId, room, message, budget, say, grants, remember, controller }
    let id
    let cancelled = false
    const onAbort = () => {
      cancelled = true
      if (id !== undefined) this.#tell(id, { type: 'cancel' })
    }
    turn.detach = attached(signal, onAbort)
    const receipt = new Promise((resolve) => (turn.resolve = resolve))
    let effects
    try {
      const list = listed(grants)
      cancelled ||= isAborted(signal)
      const start = { plan: made, room, message, budget, cancelled, grants: list }
      ;[id, effects] = this.#machine.start(start, ...this.#watch.time())
    } catch (error) {
      turn.detach()
      throw error
    }
    this.#turns.set(id, turn)
    this.#perform(effects)
    return receipt
  }

  // ---- events in, effects out ----

  #tell(id, event) {
    try {
      this.#perform(this.#machine.handle(id, event, ...this.#watch.time()))
    } catch (error) {
      warn(`a turn: ${event.type}`, error)
    }
  }

  /** Whatever goes wrong with one effect, the others happen, and the time is looked at again. */
  #perform(effects) {
    for (const { type, value } of effects) {
      try {
        this.#performOne(type, value)
      } catch (error) {
        warn(`a turn: ${type}`, error)
      }
    }
    this.#watch.wakeIn(this.#machine.nextWake())
  }

  #performOne(type, value) {
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
    const { room, actorId, controller } = turn
    const { signal } = controller
    turn.isShared = kind === 'shared'
    turn.isGranted = kind.own === 'machine'
    const open = turn.isShared
      ? () => this.#sessions.shared(room, { signal })
      : () => this.#sessions.oneShot(kind.own, { room, actorId, signal })
    const opened = (session) => {
      turn.session = session
      const fresh = turn.isShared
        ? use.claimForRoom(session, this, room)
        : use.claimForTurn(session)
      if (!fresh && turn.isGranted) this.#tellTaken(turn)
      const grants = turn.isGranted ? listedNow(turn) : undefined
      this.#tell(id, { type: 'opened', machineTools: use.holdsTools(session), fresh, grants })
      if (turn.over) this.#turns.delete(id)
    }
    const notOpened = (error) => {
      turn.error = error
      this.#tell(id, { type: 'notOpened' })
      if (turn.over) this.#turns.delete(id)
    }
    took('open', async () => use.checkedSession(await open()), opened, notOpened)
  }

  /** Whoever has the session of this turn is not to go on with what it may hold now. */
  #tellTaken(turn) {
    for (const [id, other] of this.#turns) {
      if (other !== turn && other.session === turn.session) this.#tell(id, { type: 'taken' })
    }
  }

  #prompt(id) {
    const turn = this.#turns.get(id)
    const { room, message, budget, session, controller } = turn
    const missed = turn.isShared ? this.#missed.of(room) : { lines: [], last: 0 }
    turn.heard = missed.last
    const prompt = () => {
      const context = (message.context ?? []).concat(missed.lines)
      return session.prompt(frameTurn({ ...message, context }, budget), {
        signal: controller.signal,
      })
    }
    const answered = (answer) => {
      turn.answer = typeof answer === 'string' ? cut(answer, ANSWER_UNITS) : ''
      const machineTools = use.holdsTools(session)
      this.#tell(id, { type: 'answered', answer: turn.answer, machineTools })
    }
    const failed = (error) => {
      turn.error = error
      this.#tell(id, { type: 'failed' })
    }
    took('prompt', prompt, answered, failed)
  }

  #abort(id) {
    const { controller, session } = this.#turns.get(id)
    controller.abort()
    if (session === undefined) return
    const stopped = () => this.#tell(id, { type: 'stopped', machineTools: use.holdsTools(session) })
    took(
      'abort',
      () => session.abort(),
      stopped,
      () => this.#tell(id, { type: 'notStopped' }),
    )
  }

  #dispose(id) {
    const { controller, session } = this.#turns.get(id)
    use.retire(session)
    controller.abort()
    const disposed = () =>
      this.#tell(id, { type: use.holdsTools(session) ? 'notDisposed' : 'disposed' })
    const notDisposed = () => this.#tell(id, { type: 'notDisposed' })
    took('dispose', () => session.dispose(), disposed, notDisposed)
  }

  #say(id, code) {
    const turn = this.#turns.get(id)
    const { say, error, answer } = turn
    const isAnswer = code === 'answered'
    if (turn.isShared && isAnswer) this.#missed.heard(turn.room, turn.heard)
    const text = isAnswer ? answer : TURN_CODES[code].message
    const more = error === undefined ? { code } : { code, error }
    const said = () => isAnswer && turn.isGranted && turn.remember && this.#remember(turn)
    took(
      'say',
      () => say(text, more),
      said,
      (thrown) => warn('say', thrown),
    )
  }

  /** A room's session hears, with its next turn, what was said in the room in a turn of its own. */
  #remember({ room, message, actorId, answer }) {
    const { speaker, request } = message
    this.#missed.add(room, { speaker, text: request, actorId }, { agent: true, text: answer })
  }

  #done(id, receipt) {
    const turn = this.#turns.get(id)
    turn.resolve(receipt)
    // A session that turns up late is still to be disposed of.
    turn.over = true
    if (turn.session !== undefined || !receipt.left.includes('session')) this.#turns.delete(id)
    turn.detach()
    turn.controller.abort()
  }
}

/** Starts something of the app's; what it throws at once is a rejection too. */
function took(what, call, done, failed) {
  Promise.resolve()
    .then(call)
    .then(done, failed)
    .catch((error) => warn(`what came of a turn was not taken in: ${what}`, error))
}

/** The list as it is now. A function that gives none is no way to say that it is not to be asked. */
function listed(grants) {
  if (grants === undefined) return undefined
  try {
    const list = lists.get(grants())
    if (list !== undefined) return list
  } catch (cause) {
    throw mistake('INVALID_GRANTS', 'grants must give what parseGrants gave; it threw', cause)
  }
  throw mistake('INVALID_GRANTS', 'grants must give what parseGrants gave')
}

/** The same where nobody can be thrown at: nobody is granted, and the room's app hears why. */
function listedNow(turn) {
  try {
    return listed(turn.grants)
  } catch (error) {
    turn.error = error
    return false
  }
}

module.exports = { Runner }
