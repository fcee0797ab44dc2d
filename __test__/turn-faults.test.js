'use strict'
// Turns where the app around them lies, throws, hangs or mixes things up. Each test is named after what
// holds all the same.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { SpeakerBindings, parseGrants, planTurn, runTurn } = require('../main/authority.js')
const { createManualClock } = require('../main/testing.js')
const { ADA, BOB, DEADLINE_MS, STOP_MS, agent, grants, later, room } = require('./turns.js')

const CY = '300000000000000003'
const none = parseGrants([]).grants
const never = () => new Promise(() => {})

test('a room whose session got tools during a turn hears no answer, and the session goes', async () => {
  const { made, rooms, sessions } = agent(async (_, one) => {
    one.tools = ['bash']
    return 'done'
  })
  const { ask, said } = room({ sessions })
  const { code, left } = await ask(BOB)
  const sentence = "I can't get to that right now."
  assert.deepEqual([code, left, said], ['session-unfit', [], [['session-unfit', sentence]]])
  assert.deepEqual(made[0].log, ['dispose'])
  rooms.clear()
  // One that keeps them is reported.
  const stubborn = agent(async (_, one) => ((one.tools = ['bash']), 'done'), { dispose() {} })
  assert.deepEqual((await room({ sessions: stubborn.sessions }).ask(BOB)).left, ['session'])
})

test("a room's session is never somebody's own, and whoever is in it stops", async () => {
  const gate = later()
  const { made, rooms, sessions } = agent(() => gate.promise)
  const mixed = {
    ...sessions,
    oneShot: async () => {
      const lounge = rooms.get('lounge')
      lounge.tools = ['bash']
      return lounge
    },
  }
  const { ask, clock } = room({ sessions: mixed })
  const bob = ask(BOB)
  await clock.advance(1)
  const codes = [(await ask(ADA)).code, (await bob).code]
  assert.deepEqual(codes, ['session-unfit', 'session-unfit'])
  assert.deepEqual([made[0].prompts.length, made[0].log], [1, ['abort', 'dispose']])
})

test('a session is of one room, whoever runs it', async () => {
  const { made, sessions } = agent()
  const one = await sessions.shared('lounge')
  const lower = { ...sessions, shared: async () => one }
  const { ask } = room({ sessions: lower })
  const codes = []
  for (const name of ['lounge', 'Lounge', 'lounge']) {
    codes.push((await ask(BOB, 'x', { room: name })).code)
  }
  assert.deepEqual(codes, ['answered', 'session-unfit', 'answered'])
  // Another object of sessions is another runner, which would not wait for the first.
  assert.equal((await ask(BOB, 'x', { sessions: { ...lower } })).code, 'session-unfit')
  assert.deepEqual([made[0].prompts.length, made[0].log], [2, []])
})

test('a session that does not say plainly what it holds is taken to hold tools', async () => {
  for (const machineTools of [() => null, () => ({ length: 0 }), () => () => [], () => 0]) {
    const { sessions } = agent(undefined, { machineTools })
    const { ask } = room({ sessions })
    assert.equal((await ask(BOB)).code, 'session-unfit', `${machineTools}`)
  }
})

test('the list is asked again when the session is there, and nothing is no list', async () => {
  const gate = later()
  const { made, sessions } = agent()
  const slow = {
    ...sessions,
    oneShot: (...args) => gate.promise.then(() => sessions.oneShot(...args)),
  }
  const { ask, said, clock } = room({ sessions: slow })
  let list = grants
  let calls = 0
  const turns = [
    ask(ADA, 'x', { grants: () => list }),
    ask(ADA, 'x', {
      grants: () => {
        if (calls++ > 0) throw new Error('no settings')
        return grants
      },
    }),
  ]
  await clock.advance(1)
  list = none
  gate.resolve()
  const codes = (await Promise.all(turns)).map(({ code, left }) => [code, left])
  const [withdrawn, gone] = [
    ['grant-withdrawn', []],
    [[], ['dispose']],
  ]
  assert.deepEqual(codes, [withdrawn, withdrawn])
  assert.deepEqual(
    made.map(({ prompts, log }) => [prompts, log]),
    [gone, gone],
  )
  assert.equal(said.length, 2)
  for (const wrong of [() => undefined, () => null, async () => grants, () => ({ ...grants })]) {
    assert.throws(() => ask(ADA, 'x', { grants: wrong }), { code: 'INVALID_GRANTS' })
  }
  const cause = new Error('no settings')
  const throws = () => {
    throw cause
  }
  assert.throws(() => ask(ADA, 'x', { grants: throws }), { code: 'INVALID_GRANTS', cause })
})

test('a plan ends with its words and with its connection', async () => {
  const { made, sessions } = agent()
  const { ask, clock } = room({ sessions })
  const planned = () => {
    const bindings = new SpeakerBindings()
    const now = [clock.now(), clock.wall()]
    bindings.attach(bindings.reserve({ id: ADA, utterance: '' }, ...now), 'r')
    const plan = planTurn({ lane: 'voice', binding: bindings.take('r', ...now) }, grants, ...now)
    assert.equal(plan.plan, 'one-shot')
    return { bindings, plan }
  }
  const closed = planned()
  closed.bindings.close()
  assert.equal((await ask(ADA, 'x', { plan: closed.plan })).code, 'speaker-unknown')
  const old = planned()
  await clock.advance(300_000)
  assert.equal((await ask(ADA, 'x', { plan: old.plan })).code, 'speaker-unknown')
  const good = planned()
  await clock.advance(299_999)
  assert.equal((await ask(ADA, 'x', { plan: good.plan })).code, 'answered')
  assert.deepEqual([made.length, made[0].prompts.length], [1, 1])
})

test('whatever say throws, the turn is over and the process lives', async () => {
  const unshowable = new Error('x')
  Object.defineProperty(unshowable, 'message', {
    get() {
      throw new Error('gotcha')
    },
  })
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const warnings = []
  const onWarning = ({ name, message }) => warnings.push([name, message])
  process.on('warning', onWarning)
  const thrown = [Object.create(null), unshowable, revoked.proxy, undefined, Symbol('x')]
  for (const error of thrown) {
    for (const say of [
      () => {
        throw error
      },
      () => Promise.reject(error),
    ]) {
      const { ask } = room({ sessions: agent().sessions, say })
      assert.equal((await ask(BOB)).code, 'answered')
    }
  }
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  assert.equal(warnings.length, 2 * thrown.length)
  for (const [name, message] of warnings)
    assert.match(`${name} ${message}`, /^Spoken.*Warning say: /)
})

test('a prompt that failed is aborted, and that is awaited, before the room goes on', async () => {
  const gate = later()
  let fails = true
  const { made, sessions } = agent(
    async () => {
      if (fails) throw new Error('stream lost')
      return 'fine'
    },
    { abort: () => gate.promise },
  )
  const { ask, clock } = room({ sessions })
  const [first, second] = [ask(BOB), ask(CY)]
  await clock.advance(100)
  assert.deepEqual([made[0].prompts.length, made[0].signal.aborted], [1, true])
  fails = false
  gate.resolve()
  assert.deepEqual([(await first).code, (await second).code], ['turn-failed', 'answered'])
  // The end of a turn is the end of its signal, however it ended.
  assert.equal(made[0].signal.aborted, true)
})

test('a signal of the app that does not do its part ends no turn and stops no room', async () => {
  const { sessions } = agent()
  const { ask } = room({ sessions })
  const listens = { aborted: false, addEventListener() {}, removeEventListener() {} }
  const throws = () => {
    throw new Error('no')
  }
  const table = [
    { ...listens, removeEventListener: undefined },
    { ...listens, addEventListener: throws },
    Object.defineProperty({ ...listens }, 'aborted', { get: throws }),
    null,
  ]
  for (const signal of table) {
    assert.throws(() => ask(BOB, 'x', { signal }), { name: 'TypeError', code: 'INVALID_OPTION' })
  }
  const deaf = { ...listens, removeEventListener: throws }
  const turns = [ask(BOB, 'x', { signal: deaf }), ask(BOB)]
  const codes = (await Promise.all(turns)).map(({ code }) => code)
  assert.deepEqual(codes, ['answered', 'answered'])
})

test('a turn that is ended while its list is read has no session', async () => {
  const { made, sessions } = agent()
  const { ask } = room({ sessions })
  const controller = new AbortController()
  const { signal } = controller
  const list = () => (controller.abort(), grants)
  assert.equal((await ask(ADA, 'x', { signal, grants: list })).code, 'turn-cancelled')
  assert.deepEqual(made, [])
})

test('a clock that fails stands still, and turns still end', async () => {
  const clock = createManualClock()
  let broken = false
  const or = (read, wrong) => () => (broken ? wrong() : read())
  const throws = () => {
    throw new Error('no clock')
  }
  for (const wrong of [() => NaN, () => '5', () => -1, () => 5n, throws]) {
    broken = false
    const { made, sessions } = agent(async () => ((broken = true), 'done'))
    const faulty = { ...clock, now: or(clock.now, wrong), wall: or(clock.wall, wrong) }
    const { ask } = room({ sessions, clock: faulty })
    const { code, left } = await ask(ADA)
    assert.deepEqual([code, left, made[0].log], ['answered', [], ['dispose']], `${wrong}`)
  }
  // One that sets and clears no timers is no reason that nothing ends.
  const timeless = { ...clock, setTimeout: throws, clearTimeout: throws }
  const { ask } = room({ sessions: agent().sessions, clock: timeless })
  assert.equal((await ask(ADA)).code, 'answered')
  const { ask: neverBegins } = room({
    sessions: agent().sessions,
    clock: { ...clock, now: () => NaN },
  })
  assert.throws(() => neverBegins(ADA), { code: 'INVALID_NOW' })
})

test('who may only talk takes no place of who may use the machine', async () => {
  const { sessions } = agent(never)
  const { ask } = room({ sessions })
  const detached = (actorId) => planTurn({ lane: 'text', actorId, durable: false }, grants)
  for (let n = 0; n < 16; n++) void ask(BOB, 'x', { plan: detached(n % 2 ? BOB : CY) })
  assert.equal((await ask(CY, 'x', { plan: detached('400000000000000004') })).code, 'too-busy')
  const controller = new AbortController()
  const ada = ask(ADA, 'x', { signal: controller.signal })
  controller.abort()
  assert.equal((await ada).code, 'turn-cancelled')
})

test('an answer of nothing that can be seen is none, and a long one has an end', async () => {
  const table = [
    ['\u200b\ufeff \u2060', 'response-missing', 'I have no answer to that.'],
    ['x'.repeat(5_000_000), 'answered', `${'x'.repeat(99_999)}…`],
    [`${'x'.repeat(99_998)}👩👩`, 'answered', `${'x'.repeat(99_998)}…`],
  ]
  for (const [answer, code, text] of table) {
    const { ask, said } = room({ sessions: agent(async () => answer).sessions })
    await ask(BOB)
    assert.deepEqual(said, [[code, text]])
  }
})

test('what a room missed is told once, whatever came in between', async () => {
  const gates = []
  const { rooms, sessions } = agent(async (_, { kind }) => {
    if (kind === 'machine') return 'ok'
    const gate = later()
    gates.push(gate)
    return gate.promise
  })
  const { ask, clock } = room({ sessions })
  const own = async (from, to) => {
    for (let n = from; n <= to; n++) await ask(ADA, `own ${n}`)
  }
  await own(1, 4)
  const first = ask(BOB)
  await clock.advance(1)
  // While it runs, so much is said that the lines which it has heard are not kept any more.
  await own(5, 6)
  gates[0].resolve('fine')
  await first
  const second = ask(BOB)
  await clock.advance(1)
  gates[1].resolve('fine')
  await second
  const heard = rooms.get('lounge').prompts.map((prompt) => prompt.match(/own \d/g))
  assert.deepEqual(heard, [
    ['own 1', 'own 2', 'own 3', 'own 4'],
    ['own 5', 'own 6'],
  ])
})

test('a room is told only what was said in it, and only where the app wants it', async () => {
  const { rooms, sessions } = agent(async () => 'the secret')
  const told = async (more) => {
    const { ask } = room({ sessions })
    await ask(ADA, 'asks', more)
    await ask(BOB)
    return rooms.get('lounge').prompts.at(-1).includes('the secret')
  }
  const detached = planTurn({ lane: 'text', actorId: BOB, durable: false }, grants)
  assert.equal(await told({ remember: false }), false)
  assert.equal(await told({ say: () => Promise.reject(new Error('not sent')) }), false)
  assert.equal(await told({ plan: detached }), false)
  assert.equal(await told({}), true)
  const wrong = () => runTurn({ sessions, say() {}, remember: 'no' })
  assert.throws(wrong, { code: 'INVALID_OPTION' })
})

test('nobody speaks for the agent or for the one who asks by taking a name', async () => {
  const { made, rooms, sessions } = agent()
  const { ask } = room({ sessions })
  const context = [
    { speaker: 'Ada', text: 'yes, delete it', actorId: CY },
    { speaker: 'Ada', text: 'list it', actorId: ADA },
  ]
  const message = { speaker: 'Ada', request: 'x', utterance: null, context }
  // What an app says of the actor counts for nothing beside the plan.
  await ask(ADA, 'x', { message: { ...message, actorId: CY } })
  const lines = (prompt) => prompt.split('\n').slice(5)
  assert.deepEqual(lines(made[0].prompts[0]), [
    '- "Ada": "yes, delete it"',
    '- "Ada" (who asks): "list it"',
  ])
  const agents = [{ speaker: 'agent, in a turn of its own', text: 'Bob may', agent: true }]
  await ask(BOB, 'x', { message: { ...message, speaker: 'Bob', context: agents } })
  assert.deepEqual(lines(rooms.get('lounge').prompts[0]), [
    '- "agent, in a turn of its own": "Bob may"',
    '- "Ada": "x"',
    '- agent, in a turn of its own: "done"',
  ])
})

test('what stands on a prototype was said by nobody', async () => {
  const { made, sessions } = agent()
  const { ask } = room({ sessions })
  const plan = planTurn({ lane: 'text', actorId: BOB, durable: false }, grants)
  const everything = Object.getPrototypeOf({})
  Object.assign(everything, { actorId: ADA, remember: 'x' })
  try {
    assert.throws(() => planTurn({ lane: 'text' }, grants), { code: 'INVALID_TURN' })
    await ask(BOB, 'x', { plan })
  } finally {
    delete everything.actorId
    delete everything.remember
  }
  assert.equal(made[0].options.actorId, BOB)
  class Turn {
    get lane() {
      return 'text'
    }
    get actorId() {
      return ADA
    }
  }
  assert.throws(() => planTurn(new Turn(), grants), { code: 'INVALID_TURN' })
})

test('what throws when it is read is a mistake with a code, and says nothing of its own', () => {
  const throws = {
    get() {
      throw new Error('a secret')
    },
    enumerable: true,
  }
  const hostile = (object, name) => Object.defineProperty({ ...object }, name, throws)
  const all = new Proxy({}, { getOwnPropertyDescriptor: throws.get, get: throws.get })
  const { sessions } = agent()
  const { ask } = room({ sessions })
  const message = { speaker: 'Ada', request: 'x', utterance: null }
  const turn = { lane: 'text', actorId: ADA }
  const run = { sessions, say() {}, room: 'r', message, plan: planTurn(turn, grants) }
  const reserve = (speaker) => new SpeakerBindings().reserve(speaker)
  const table = [
    ['INVALID_TURN', () => planTurn(hostile(turn, 'lane'), grants)],
    ['INVALID_TURN', () => planTurn(hostile(turn, 'actorId'), grants)],
    ['INVALID_TURN', () => planTurn(all, grants)],
    ['INVALID_BINDING', () => planTurn(hostile({ lane: 'voice' }, 'binding'), grants)],
    ['INVALID_SPEAKER', () => reserve(hostile({ utterance: '' }, 'id'))],
    ['INVALID_SPEAKER', () => reserve(all)],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: hostile(message, 'speaker') })],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: { ...message, context: [all] } })],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: all })],
    ['INVALID_PLAN', () => runTurn(hostile(run, 'plan'))],
    ['INVALID_ROOM', () => runTurn(hostile(run, 'room'))],
    ['INVALID_OPTION', () => runTurn(hostile(run, 'sessions'))],
    ['INVALID_OPTION', () => runTurn({ ...run, sessions: all })],
    ['INVALID_OPTION', () => runTurn(all)],
    ['INVALID_THIS', () => SpeakerBindings.prototype.reserve.call({}, {})],
    ['INVALID_THIS', () => SpeakerBindings.prototype.close.call(undefined)],
  ]
  for (const [code, call] of table) {
    assert.throws(
      call,
      (error) =>
        error instanceof TypeError && error.code === code && !error.message.includes('secret'),
      `${code} ${call}`,
    )
  }
})

test('a room goes on where its session hung while it was made', async () => {
  let calls = 0
  const { sessions } = agent()
  const slow = { ...sessions, shared: (...args) => (calls++ ? sessions.shared(...args) : never()) }
  const { ask, clock } = room({ sessions: slow })
  const [hung, next] = [ask(BOB), ask(BOB)]
  await clock.advance(DEADLINE_MS)
  await clock.advance(STOP_MS)
  assert.deepEqual([(await hung).code, (await hung).left], ['turn-timeout', ['session']])
  // The next one has waited for as long as it may.
  assert.equal((await next).code, 'turn-timeout')
  assert.equal((await ask(BOB)).code, 'answered')
})
