'use strict'
// Running turns through the public API: fake sessions, a clock moved by hand. Each test is named after
// what happens, and says what it prevents.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { validateAnswer } = require('..')
const { parseGrants, planTurn, runTurn } = require('../main/authority.js')
const { createLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { ADA, BOB, DEADLINE_MS, STOP_MS, agent, grants, later, room, spoken } = require('./turns.js')

test('a turn of somebody on the list has one session with tools, which is gone after it', async () => {
  const { made, sessions } = agent()
  const { ask, said, clock } = room({ sessions })
  const receipt = await ask(ADA, 'build', { plan: spoken(ADA) })
  assert.deepEqual(receipt, {
    plan: 'one-shot',
    actorId: ADA,
    responseId: 'response-1',
    code: 'answered',
    waitedMs: 0,
    settledMs: 0,
    totalMs: 0,
    left: [],
  })
  assert.deepEqual(said, [['answered', 'done']])
  const [one] = made
  assert.deepEqual([made.length, one.kind, one.log, one.tools], [1, 'machine', ['dispose'], []])
  const { signal, ...options } = one.options
  assert.deepEqual([options, signal.aborted], [{ room: 'lounge', actorId: ADA }, true])
  assert.equal(one.prompts.length, 1)
  assert.match(one.prompts[0], /\nrequest: "build"\n/)
  assert.equal(clock.timers(), 0)
})

test('what somebody else says next is on the session of the room, which has no tools', async () => {
  const { made, sessions } = agent()
  const { ask } = room({ sessions })
  await ask(ADA)
  const receipt = await ask(BOB)
  await ask(BOB)
  assert.deepEqual([receipt.plan, receipt.actorId, receipt.responseId], ['shared', BOB, null])
  const kinds = made.map(({ kind, prompts, log }) => [kind, prompts.length, log])
  assert.deepEqual(kinds, [
    ['machine', 1, ['dispose']],
    ['shared', 2, []],
  ])
})

test('a plan runs once, whoever passes it and whatever came of it', async () => {
  const { sessions } = agent()
  const { ask } = room({ sessions })
  const plan = spoken(ADA)
  const run = (more) => () => ask(ADA, 'x', { plan, ...more })
  // A mistake in another argument does not use the plan up.
  assert.throws(run({ room: '' }), { code: 'INVALID_ROOM' })
  assert.equal((await run({ signal: AbortSignal.abort() })()).code, 'turn-cancelled')
  assert.throws(run(), { code: 'PLAN_USED' })
  assert.throws(() => ask(ADA, 'x', { plan: { ...plan } }), { code: 'INVALID_PLAN' })
})

test('a request nobody is bound to is a failure that the room hears, not a completed tool', async () => {
  const { made, sessions } = agent()
  const { ask, said } = room({ sessions })
  const receipt = await ask('', 'x', { plan: planTurn({ lane: 'voice', binding: null }, grants) })
  assert.deepEqual(
    [receipt.plan, receipt.code, receipt.actorId],
    ['refused', 'speaker-unknown', null],
  )
  const sentence = 'I could not tell who asked for that, so I did nothing. Please ask again.'
  assert.deepEqual([said, made], [[['speaker-unknown', sentence]], []])
})

test('a request that is none is refused with a reason before there is a session', async () => {
  const { made, sessions } = agent()
  const { ask } = room({ sessions })
  for (const request of ['', ' \u200b\n', null, undefined, 5, { request: 'x' }]) {
    const message = { speaker: 'Ada', request, utterance: null }
    assert.equal((await ask(ADA, '', { message })).code, 'request-missing')
  }
  assert.deepEqual(made, [])
})

test('shared turns run one at a time, in order, and a one-shot turn waits for none of them', async () => {
  const gates = { first: later(), second: later() }
  const answer = async (text, { kind }) => {
    if (kind === 'machine') return 'at once'
    return gates[text.includes('"first"') ? 'first' : 'second'].promise
  }
  const { made, sessions } = agent(answer)
  const { ask, said, clock } = room({ sessions })
  const first = ask(BOB, 'first')
  const second = ask(BOB, 'second')
  await clock.advance(1_000)
  assert.equal(made[0].prompts.length, 1)
  assert.equal((await ask(ADA)).code, 'answered')
  gates.first.resolve('one')
  assert.equal((await first).waitedMs, 0)
  await clock.advance(500)
  gates.second.resolve('two')
  const { waitedMs, settledMs } = await second
  assert.deepEqual([waitedMs, settledMs], [1_000, 1_500])
  assert.deepEqual(
    said.map(([, text]) => text),
    ['at once', 'one', 'two'],
  )
})

test('one long privileged turn does not block every other ask', async () => {
  const gate = later()
  const { sessions } = agent(async (_, { kind }) => (kind === 'machine' ? gate.promise : 'quick'))
  const { ask, clock, said } = room({ sessions })
  const long = ask(ADA)
  await clock.advance(300_000)
  assert.equal((await ask(BOB)).code, 'answered')
  gate.resolve('slow')
  assert.equal((await long).settledMs, 300_000)
  assert.deepEqual(
    said.map(([, text]) => text),
    ['quick', 'slow'],
  )
})

test('a hung turn ends at the deadline, once; a late result is dropped', async () => {
  const gate = later()
  const { made, sessions } = agent(() => gate.promise)
  const { ask, clock, said } = room({ sessions })
  const turn = ask(ADA)
  await clock.advance(DEADLINE_MS - 1)
  assert.deepEqual(said, [])
  await clock.advance(1)
  const receipt = await turn
  gate.resolve('too late')
  await clock.advance(1_000)
  const sentence = 'That took too long, so I stopped it.'
  assert.deepEqual(said, [['turn-timeout', sentence]])
  assert.deepEqual(
    [receipt.code, receipt.settledMs, receipt.left],
    ['turn-timeout', DEADLINE_MS, []],
  )
  assert.deepEqual([made[0].log, made[0].signal.aborted], [['abort', 'dispose'], true])
  assert.equal(clock.timers(), 0)
})

test('a machine that sleeps does not stretch the deadline', async () => {
  const { sessions } = agent(() => new Promise(() => {}))
  const clock = createManualClock()
  let slept = 0
  const sleepy = { ...clock, wall: () => clock.wall() + slept }
  const { ask, said } = room({ sessions, clock: sleepy })
  const turn = ask(ADA)
  await clock.advance(1_000)
  slept = 22 * 60_000
  await clock.advance(5_000)
  assert.equal(said[0][0], 'turn-timeout')
  assert.equal((await turn).left.length, 0)
})

test('what does not stop is reported after a bounded time, and no other turn meets it', async () => {
  const hangs = () => new Promise(() => {})
  const { made, rooms, sessions } = agent(hangs, { abort: hangs })
  const { ask, clock } = room({ sessions })
  const turns = [ask(ADA), ask(BOB), ask(BOB, 'next')]
  await clock.advance(DEADLINE_MS)
  await clock.advance(STOP_MS)
  const [own, shared] = await Promise.all(turns.slice(0, 2))
  for (const { code, left, totalMs } of [own, shared]) {
    assert.deepEqual([code, left, totalMs], ['turn-timeout', ['turn'], DEADLINE_MS + STOP_MS])
  }
  assert.deepEqual(
    made.map(({ log }) => log),
    [['dispose'], ['dispose']],
  )
  // The app still gives the session that did not stop: it is not prompted.
  assert.equal((await ask(BOB)).code, 'session-unfit')
  rooms.clear()
  const fresh = ask(BOB)
  await clock.advance(1)
  assert.equal(made.at(-1).prompts.length, 1)
  void fresh
})

test('a session that cannot be disposed of, or keeps its tools, is reported', async () => {
  const table = [
    { dispose: () => Promise.reject(new Error('no')) },
    { dispose: async () => {} },
    {
      dispose: () => {
        throw new Error('no')
      },
    },
  ]
  for (const more of table) {
    const { sessions } = agent(undefined, more)
    const { ask, said } = room({ sessions })
    const { code, left } = await ask(ADA)
    assert.deepEqual([code, left, said.length], ['answered', ['session'], 1])
  }
  const { sessions } = agent(undefined, { dispose: () => new Promise(() => {}) })
  const { ask, clock } = room({ sessions })
  const turn = ask(ADA)
  await clock.advance(STOP_MS)
  assert.deepEqual((await turn).left, ['session'])
})

test('a session with machine tools is never the one of a room, and none has two turns', async () => {
  const [one, other] = [agent(), agent()]
  const own = await one.sessions.oneShot('machine', {})
  const table = [
    ['a shared one with tools', BOB, { ...one.sessions, shared: async () => own }, ['dispose']],
    ['one that does not say', BOB, { shared: async () => ({ ...own, machineTools: () => null }) }],
  ]
  for (const [name, actor, given, log] of table) {
    const { ask } = room({ sessions: { ...one.sessions, ...given } })
    assert.equal((await ask(actor)).code, 'session-unfit', name)
    if (log) assert.deepEqual([own.log, own.prompts], [log, []], name)
  }
  const again = await other.sessions.oneShot('machine', {})
  const reused = { ...other.sessions, oneShot: async () => again, shared: async () => again }
  const { ask } = room({ sessions: reused })
  const codes = []
  for (const actor of [ADA, ADA, BOB]) codes.push((await ask(actor)).code)
  assert.deepEqual(codes, ['answered', 'session-unfit', 'session-unfit'])
  assert.equal(again.prompts.length, 1)
})

test('a failure is one fixed sentence for the room, and its cause is for the app', async () => {
  const boom = new Error('the secret is 1234')
  const fails = () => Promise.reject(boom)
  const throws = () => {
    throw boom
  }
  const { sessions } = agent()
  const table = [
    ['session-failed', { ...sessions, oneShot: fails }, boom],
    ['session-failed', { ...sessions, oneShot: throws }, boom],
    ['session-failed', { ...sessions, oneShot: async () => ({ prompt() {} }) }, undefined],
    ['session-failed', { ...sessions, oneShot: async () => null }, undefined],
    ['turn-failed', agent(fails).sessions, boom],
    ['turn-failed', agent(throws).sessions, boom],
    ['response-missing', agent(async () => ' ').sessions, undefined],
    ['response-missing', agent(async () => ({ text: 'x' })).sessions, undefined],
  ]
  for (const [code, given, cause] of table) {
    const heard = []
    const { ask } = room({ sessions: given, say: (...all) => void heard.push(all) })
    const receipt = await ask(ADA, 'my words')
    const [[text, { error, ...said }]] = heard
    assert.deepEqual([heard.length, receipt.code, said], [1, code, { code }])
    assert.doesNotMatch(text, /secret|my words/)
    assert.doesNotMatch(JSON.stringify(receipt), /secret|my words/)
    if (cause) assert.equal(error, cause)
    assert.deepEqual(receipt.left, [])
  }
})

test('a session that is made after the deadline is disposed of and never prompted', async () => {
  const gate = later()
  const { made, sessions } = agent()
  const slow = {
    ...sessions,
    oneShot: (...args) => gate.promise.then(() => sessions.oneShot(...args)),
  }
  const { ask, clock, said } = room({ sessions: slow })
  const turn = ask(ADA)
  await clock.advance(DEADLINE_MS)
  await clock.advance(STOP_MS)
  assert.deepEqual((await turn).left, ['session'])
  gate.resolve()
  await clock.advance(1)
  assert.deepEqual([made[0].log, made[0].prompts, said.length], [['dispose'], [], 1])
})

test('the app can end a turn at any time; the room hears nothing', async () => {
  const { made, sessions } = agent(() => new Promise(() => {}))
  const { ask, clock, said } = room({ sessions })
  const controllers = [ADA, BOB, BOB].map(() => new AbortController())
  const turns = [ADA, BOB, BOB].map((actor, n) =>
    ask(actor, 'x', { signal: controllers[n].signal }),
  )
  await clock.advance(100)
  for (const controller of controllers) controller.abort()
  const receipts = await Promise.all(turns)
  assert.deepEqual(
    receipts.map(({ code, left }) => [code, left]),
    controllers.map(() => ['turn-cancelled', []]),
  )
  assert.deepEqual([said, made.map(({ log }) => log)], [[], [['abort', 'dispose'], ['abort']]])
})

test('a turn that was ended before it began has no session', async () => {
  const { made, sessions } = agent()
  const { ask, said } = room({ sessions })
  for (const actor of [ADA, BOB]) {
    const { code, left } = await ask(actor, 'x', { signal: AbortSignal.abort() })
    assert.deepEqual([code, left], ['turn-cancelled', []])
  }
  assert.deepEqual([made, said], [[], []])
})

test('a second speaker never changes whose turn it is, and the same words twice are two turns', async () => {
  const gate = later()
  const { made, sessions } = agent(async () => gate.promise.then(() => 'done'))
  const { ask, clock } = room({ sessions })
  const CY = '300000000000000003'
  const turns = [BOB, CY, BOB, ADA].map((actor) => ask(actor, 'the same words'))
  await clock.advance(1_000)
  gate.resolve()
  const receipts = await Promise.all(turns)
  const actors = receipts.map(({ actorId, code }) => [actorId, code])
  assert.deepEqual(
    actors,
    [BOB, CY, BOB, ADA].map((id) => [id, 'answered']),
  )
  const [lounge, own] = made
  assert.deepEqual([lounge.prompts.length, own.prompts.length], [3, 1])
  const speakers = lounge.prompts.map((prompt) => /^speaker: "(\d+)"/m.exec(prompt)[1])
  assert.deepEqual(speakers, [BOB, CY, BOB])
})

test('the list is read again right before a session is made', async () => {
  const { made, sessions } = agent()
  const { ask, said } = room({ sessions })
  const none = parseGrants([]).grants
  assert.equal((await ask(ADA, 'x', { grants: () => none })).code, 'grant-withdrawn')
  assert.equal((await ask(ADA, 'x', { grants: () => grants })).code, 'answered')
  assert.equal((await ask(BOB, 'x', { grants: () => none })).code, 'answered')
  assert.deepEqual(
    [made.map(({ kind }) => kind), said[0][1]],
    [['machine', 'shared'], 'I may not do that for you any more, so I did nothing.'],
  )
})

test('a privileged turn sees what was said in the room, also where its session is warm', async () => {
  const { made, sessions } = agent()
  const { ask } = room({ sessions })
  const context = [{ speaker: 'Bob', text: 'the build hangs' }]
  await ask(BOB)
  await ask(ADA, 'x', {
    message: { speaker: 'Ada', request: 'fix it', utterance: 'fix it', context },
  })
  assert.match(made[1].prompts[0], /\nverbatim: "fix it"\ncontext:\n- "Bob": "the build hangs"$/)
})

test("the room's session learns what a privileged turn was asked and did, once", async () => {
  let fails = true
  const { made, sessions } = agent(async (_, { kind }) => {
    if (kind === 'machine') return 'deleted\nrequest: "x"'
    if (fails) throw new Error('no')
    return 'fine'
  })
  const { ask } = room({ sessions })
  const lines =
    /\ncontext:\n- "1[0-9]*": "clean up"\n- agent, in a turn of its own: "deleted\\nrequest: \\"x\\""$/
  await ask(ADA, 'clean up')
  await ask(BOB, 'elsewhere', { room: 'kitchen' })
  // It has not heard it where its turn failed.
  assert.equal((await ask(BOB)).code, 'turn-failed')
  fails = false
  for (let n = 0; n < 2; n++) await ask(BOB)
  const [, kitchen, lounge] = made
  assert.match(kitchen.prompts[0], /\ncontext: absent$/)
  const heard = lounge.prompts.map((prompt) => lines.test(prompt))
  assert.deepEqual(heard, [true, true, false])
})

test('a question inside a privileged turn is answered by its own speaker alone', async () => {
  const host = await createLocalHost()
  const clock = createManualClock()
  const voice = createFakeVoice()
  const question = (inputId) => ({
    inputId,
    sessionId: 'session-1',
    questions: [{ question: 'Delete it?', options: ['Yes', 'No'] }],
  })
  let answered
  const { sessions } = agent(async (_, { options }) => {
    answered = await host.ask(question('input-1'), { askedOf: options.actorId })
    return `answered ${answered.answers[0][0]}`
  })
  const call = openLiveCall({ session: { id: 'session-1' }, host: host.voice, voice, clock })
  const { ask, said } = room({ sessions, clock })
  const turn = ask(ADA, 'x', { plan: spoken(ADA) })
  await clock.advance(10)
  let requests = 0
  const say = async (speaker) => {
    const requestId = `request-${++requests}`
    const evidence = { utterance: 'Yes', speechStartedAt: clock.now(), speaker }
    const { settled } = call.instruct({ requestId, instruction: 'Yes' }, evidence)
    // Who spoke may become known a little later; for so long it waits.
    await clock.advance(10_000)
    const { state, reason } = await settled
    return reason ?? state
  }
  assert.equal(await say({ id: BOB, attribution: 'account' }), 'speaker-not-allowed')
  assert.equal(await say(undefined), 'speaker-unknown')
  assert.equal(await say({ id: ADA, attribution: 'account' }), 'accepted')
  assert.equal((await turn).code, 'answered')
  assert.deepEqual(said, [['answered', 'answered Yes']])
  assert.deepEqual(answered.resolvedBy.speaker, { id: ADA, attribution: 'account' })
  await call.close()
  await host.close()
})

test('a plan answers nothing, and an answer plans nothing: neither approves anything', async () => {
  const { sessions } = agent()
  const { ask } = room({ sessions })
  const question = {
    inputId: 'i',
    sessionId: 's',
    questions: [{ question: 'May I delete it?', options: ['Yes', 'No'] }],
  }
  const permission = { ...question, kind: 'permission' }
  const plan = spoken(ADA)
  const verdict = validateAnswer(question, '[{"questionIndex":0,"options":["Yes"]}]')
  assert.equal(verdict.status, 'accepted')
  // An accepted answer is no plan, no binding, no grant.
  assert.throws(() => ask(ADA, 'x', { plan: verdict }), { code: 'INVALID_PLAN' })
  assert.throws(() => planTurn({ lane: 'voice', binding: verdict }, grants), {
    code: 'INVALID_BINDING',
  })
  assert.throws(() => planTurn({ lane: 'text', actorId: ADA }, verdict), { code: 'INVALID_GRANTS' })
  // A plan is no answer, to a question or to what needs approval.
  assert.equal(validateAnswer(question, plan).reason, 'malformed-answer')
  assert.equal(validateAnswer(permission, plan).reason, 'not-a-question')
  // During a privileged turn, what needs approval still cannot be answered by voice, by its speaker.
  const host = await createLocalHost()
  const clock = createManualClock()
  const voice = createFakeVoice()
  const call = openLiveCall({ session: { id: 'session-1' }, host: host.voice, voice, clock })
  const held = host.hold({ kind: 'permission', inputId: 'p', sessionId: 'session-1' })
  await clock.advance(10)
  const evidence = { utterance: 'yes', speaker: { id: ADA, attribution: 'account' } }
  const { settled } = call.instruct({ requestId: 'r', instruction: 'yes' }, evidence)
  await clock.advance(10)
  assert.notEqual((await settled).state, 'accepted')
  assert.equal(call.pending().kind, 'permission')
  held.release()
  await call.close()
  await host.close()
})

test('a mistake of the calling program is a TypeError with a code', () => {
  const { sessions } = agent()
  const { ask } = room({ sessions })
  const message = { speaker: 'Ada', request: 'x', utterance: null }
  const table = [
    ['INVALID_OPTION', () => runTurn()],
    ['INVALID_OPTION', () => ask(ADA, 'x', { sessions: {} })],
    ['INVALID_OPTION', () => ask(ADA, 'x', { say: undefined })],
    ['INVALID_OPTION', () => ask(ADA, 'x', { signal: {} })],
    ['INVALID_OPTION', () => ask(ADA, 'x', { grants })],
    ['INVALID_OPTION', () => ask(ADA, 'x', { clock: {} })],
    ['INVALID_PLAN', () => ask(ADA, 'x', { plan: undefined })],
    ['INVALID_PLAN', () => ask(ADA, 'x', { plan: planTurn({ lane: 'console' }, grants) })],
    ['INVALID_ROOM', () => ask(ADA, 'x', { room: 5 })],
    ['INVALID_ROOM', () => ask(ADA, 'x', { room: 'x'.repeat(257) })],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: null })],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: { ...message, speaker: undefined } })],
    ['INVALID_MESSAGE', () => ask(ADA, 'x', { message: { ...message, context: [null] } })],
    ['INVALID_BUDGET', () => ask(ADA, 'x', { budget: 10 })],
    ['INVALID_GRANTS', () => ask(ADA, 'x', { grants: () => ({ actorIds: [ADA] }) })],
  ]
  for (const [code, call] of table) {
    assert.throws(call, (error) => error instanceof TypeError && error.code === code, `${call}`)
  }
})
