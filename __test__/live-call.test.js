'use strict'
// One live call through the public API, scenario by scenario: the local host, a fake voice, a clock
// moved by hand. Each is named after what happens, and says what it prevents.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Openings } = require('../main/hosts/openings.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { REFUSALS } = require('..')
const { warnings } = require('./asking.js')
const { outcome, question, rig } = require('./rig.js')

const four = {
  inputId: 'four',
  sessionId: 'session-1',
  questions: ['one', 'two', 'three', 'four'].map((text) => ({
    question: text,
    options: ['Yes', 'No'],
  })),
}

test('a question is read out, answered once, and the host knows who answered', async () => {
  const { call, clock, voice, seen, say, ask } = await rig()
  const asked = await ask()
  assert.match(voice.texts()[0], /Question 1 of 1: "Shall I\?"\n1\. "Yes"\n2\. "No"$/)
  const { operationId, receipt, settled } = say('2', { utterance: 'No' })
  assert.deepEqual([operationId, typeof receipt], ['call-1:1', 'string'])
  await clock.advance(10)
  const view = await settled
  assert.deepEqual(view, {
    operationId: 'call-1:1',
    requestId: 'request-1',
    state: 'accepted',
    inputId: 'input-1',
    final: true,
  })
  const { at, digest, ...resolvedBy } = asked.done.resolvedBy
  assert.deepEqual(asked.done.answers, [['No']])
  assert.deepEqual(resolvedBy, {
    kind: 'voice',
    callId: 'call-1',
    operationId: 'call-1:1',
    requestId: 'request-1',
    provider: 'fake',
    readOut: 'sent',
    basis: 'both',
    shortened: false,
  })
  assert.match(digest, /^1:/)
  assert.equal(at, clock.wall() - 10)
  assert.equal(voice.texts().at(-1), 'The answer was accepted. Tell the person: "No".')
  assert.equal(seen.resolves, 1)
  assert.deepEqual(
    seen.pending.map((pending) => pending && [pending.kind, pending.text, pending.more]),
    [['question', 'Shall I?', 0], null],
  )
  await call.close()
})

test('barge-in during the read-out: the page is read again, and what was said is no answer', async () => {
  const outcomes = ['interrupted', 'sent']
  const voice = createFakeVoice({
    outcome: ({ kind }) => (kind === 'interaction-required' ? outcomes.shift() : 'sent'),
  })
  const { call, clock, seen, say, ask } = await rig({ voice })
  const spoke = clock.now()
  await clock.advance(100)
  await ask()
  const early = say('Yes', { speechStartedAt: spoke })
  await clock.advance(10)
  assert.equal(outcome(await early.settled), 'refused: question-not-read-out')
  assert.equal(voice.texts().filter((text) => text.includes('Shall I?')).length, 2)
  const late = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await late.settled), 'accepted')
  assert.equal(seen.resolves, 1)
  await call.close()
})

test('same labels asked again right after: an old answer does not answer the new question', async () => {
  const { call, clock, host, say, ask } = await rig()
  await ask()
  const spoke = clock.now()
  await clock.advance(100)
  host.desktop.resolveInput('input-1', [['Yes']])
  await clock.advance(100)
  const again = await ask(question('input-2'))
  const late = say('Yes', { speechStartedAt: spoke })
  const unclear = call.instruct({ requestId: 'without evidence', instruction: 'Yes' })
  await clock.advance(10)
  assert.equal(outcome(await late.settled), 'refused: answered-elsewhere')
  assert.equal(outcome(await unclear.settled), 'refused: question-changed')
  assert.equal(again.done, null)
  await call.close()
})

test('the card wins mid-dispatch: one answer, and the person hears that it was not theirs', async () => {
  let host
  const faults = { resolveInput: { before: () => host.desktop.resolveInput('input-1', [['Yes']]) } }
  const made = await rig({ faults })
  host = made.host
  const asked = await made.ask()
  const { settled } = made.say('No')
  await made.clock.advance(10)
  assert.equal(outcome(await settled), 'refused: answered-elsewhere')
  assert.deepEqual(asked.done, { answers: [['Yes']], resolvedBy: { kind: 'desktop' } })
  assert.ok(made.voice.texts().includes(REFUSALS['answered-elsewhere'].message))
  await made.call.close()
})

test('a host that throws, or says nothing of use, after it has written: no refusal, settled by looking, never sent again', async () => {
  const table = [
    [
      'throws',
      () => {
        throw new Error('connection lost')
      },
    ],
    ['nothing', () => null],
    ['a word', () => 'resolved'],
    ['another status', () => ({ status: 'done' })],
  ]
  for (const [label, after] of table) {
    const faults = { resolveInput: { after }, events: () => () => {} }
    const { call, clock, seen, say, ask } = await rig({ faults, session: null })
    call.setSession({ id: 'session-1' })
    const asked = await ask()
    call.voiceReset()
    await clock.advance(10)
    const { settled } = say('No')
    await clock.advance(400)
    assert.equal(seen.operations.at(-1).state, 'dispatching', label)
    await clock.advance(200)
    assert.equal(outcome(await settled), 'accepted', label)
    assert.deepEqual([seen.resolves, asked.done.answers], [1, [['No']]], label)
    await call.close()
  }
})

test('a host that is silent and cannot be asked: unknown in the end, and closed to voice', async () => {
  const never = () => new Promise(() => {})
  const faults = { resolveInput: { before: never }, settlement: { before: never } }
  const { call, clock, voice, seen, say, ask } = await rig({ faults })
  await ask()
  const first = say('No')
  await clock.advance(20_000)
  assert.equal(outcome(await first.settled), 'unknown')
  assert.match(voice.texts().at(-1), /not known whether the answer arrived/)
  const second = say('No')
  await clock.advance(20_000)
  assert.equal(outcome(await second.settled), 'refused: question-closed')
  assert.equal(seen.resolves, 0, 'the host never got as far')
  await call.close()
})

test('a reply after the deadline settles what is unknown, and nothing undoes it', async () => {
  let reply
  const faults = {
    resolveInput: { after: (answer) => new Promise((resolve) => (reply = () => resolve(answer))) },
    settlement: { after: () => ({ status: 'unknown' }) },
    events: (onEvent) => (event) => event.type === 'input.requested' && onEvent(event),
  }
  const { call, clock, seen, say, ask } = await rig({ faults })
  await ask()
  const { settled } = say('No')
  await clock.advance(3_000)
  reply()
  await clock.advance(10)
  assert.equal(outcome(await settled), 'accepted')
  await clock.advance(20_000)
  assert.equal(seen.operations.filter(({ final }) => final).length, 1)
  await call.close()
})

test('a permission while a question is open: said without its content, the question is answered', async () => {
  const { call, clock, host, voice, say, ask } = await rig()
  await ask()
  host.hold({ kind: 'permission', inputId: 'rm -rf', sessionId: 'session-1' })
  await clock.advance(10)
  assert.match(voice.texts().at(-1), /Something is waiting for the person on the desktop/)
  assert.ok(voice.texts().every((text) => !text.includes('rm -rf')))
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'accepted')
  assert.equal(call.pending().kind, 'permission')
  const approval = say('Yes')
  await clock.advance(10)
  assert.notEqual((await approval.settled).state, 'accepted', 'a spoken yes is never approval')
  await call.close()
})

test('four questions answered in four utterances: collected, the host sees one answer; or refused', async () => {
  const collected = await rig({ partialAnswers: 'collect' })
  const asked = await collected.ask(four)
  const states = []
  for (const label of ['Yes', 'No', 'No', 'Yes']) {
    const { settled } = collected.say(label, { utterance: label })
    await collected.clock.advance(10)
    states.push(outcome(await settled))
  }
  assert.deepEqual(states, ['collecting', 'collecting', 'collecting', 'accepted'])
  assert.deepEqual(asked.done.answers, [['Yes'], ['No'], ['No'], ['Yes']])
  assert.equal(collected.seen.resolves, 1, 'the host never sees a part')
  await collected.call.close()

  const refused = await rig()
  await refused.ask(four)
  const { settled } = refused.say('Yes')
  await refused.clock.advance(10)
  const view = await settled
  assert.deepEqual(
    [view.reason, view.questionIndex, refused.seen.resolves],
    ['question-missing', 1, 0],
  )
  await refused.call.close()
})

test('parts that were collected are shown to the classifier of what is said next, and only then', async () => {
  const shown = []
  const { call, clock, say, ask } = await rig({
    partialAnswers: 'collect',
    classify: async ({ pending, ...input }) => {
      shown.push('question' in input && pending)
      return [{ questionIndex: pending?.length ?? 0, options: [input.utterance] }]
    },
  })
  const asked = await ask(four)
  for (const label of ['Yes', 'No', 'No', 'Yes']) {
    say('passed on', { utterance: label })
    await clock.advance(10)
  }
  const parts = ['Yes', 'No', 'No'].map((label, questionIndex) => ({
    questionIndex,
    options: [label],
  }))
  assert.deepEqual(shown, [undefined, parts.slice(0, 1), parts.slice(0, 2), parts])
  assert.deepEqual(asked.done.answers, [['Yes'], ['No'], ['No'], ['Yes']])
  await call.close()
})

test('mishearing, then correction: the newer answer takes the place of one not handed over', async () => {
  let list
  const faults = {
    openInputs: {
      after: (inputs) =>
        list ? new Promise((resolve) => list.push(() => resolve(inputs))) : inputs,
    },
  }
  const { call, clock, seen, say, ask } = await rig({ faults })
  const asked = await ask()
  list = []
  const first = say('Yes')
  await clock.advance(10)
  const second = say('No')
  await clock.advance(10)
  assert.equal(outcome(await first.settled), 'refused: superseded')
  for (const answer of list) answer()
  await clock.advance(10)
  assert.equal(outcome(await second.settled), 'accepted')
  assert.deepEqual([asked.done.answers, seen.resolves], [[['No']], 1])
  await call.close()
})

test('two provider requests for one question: one answer', async () => {
  const { call, clock, seen, say, ask } = await rig()
  await ask()
  const first = say('Yes')
  await clock.advance(10)
  const second = say('No')
  await clock.advance(10)
  assert.deepEqual([outcome(await first.settled), seen.resolves], ['accepted', 1])
  assert.notEqual((await second.settled).state, 'accepted')
  await call.close()
})

test('a request id again: the same request once, another text is refused', async () => {
  const { call, clock, seen, ask } = await rig()
  await ask()
  const instruct = (instruction) =>
    call.instruct({ requestId: 'r', instruction }, { speechStartedAt: clock.now() })
  const [first, again, other] = [instruct('Yes'), instruct('Yes'), instruct('No')]
  await clock.advance(10)
  assert.deepEqual(
    [first.operationId, again.operationId, other.operationId],
    ['call-1:1', 'call-1:1', 'call-1:2'],
  )
  assert.equal(again.receipt, first.receipt)
  assert.equal(outcome(await other.settled), 'refused: request-conflict')
  assert.deepEqual([outcome(await first.settled), seen.resolves], ['accepted', 1])
  await call.close()
})

test('"run the tests too" while a question is open, and anything while none is: the app gets it', async () => {
  const { call, clock, seen, say, ask } = await rig()
  const before = say('run the tests')
  await ask()
  const during = say('run the tests too')
  await clock.advance(10)
  assert.deepEqual(
    [outcome(await before.settled), outcome(await during.settled)],
    ['forwarded', 'forwarded'],
  )
  assert.deepEqual(
    seen.forwarded.map(({ instruction }) => instruction),
    ['run the tests', 'run the tests too'],
  )
  assert.equal(seen.resolves, 0)
  await call.close()
})

test('several open: none is read out until one remains, and none is answered', async () => {
  const { call, clock, host, voice, say, ask } = await rig()
  await ask()
  await ask(question('input-2', ['Left', 'Right']))
  assert.match(voice.texts().at(-1), /^Several questions are waiting/)
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'refused: several-open-questions')
  host.cancel('input-1')
  await clock.advance(10)
  assert.match(voice.texts().at(-1), /1\. "Left"/)
  await call.close()
})

test('a question withdrawn, or answered on the card, while it is read: its delivery is aborted', async () => {
  const table = [
    ['withdrawn', (host) => host.cancel('input-1', 'the agent moved on'), { code: 'CANCELED' }],
    ['answered', (host) => host.desktop.resolveInput('input-1', [['Yes']]), { answers: [['Yes']] }],
  ]
  for (const [label, close, done] of table) {
    let delivery
    const voice = createFakeVoice({
      outcome: (given) => ((delivery = given), new Promise(() => {})),
    })
    const { call, clock, host, ask } = await rig({ voice })
    const asked = await ask()
    assert.equal(delivery.signal.aborted, false, label)
    close(host)
    await clock.advance(10)
    assert.equal(delivery.signal.aborted, true, label)
    const [[key, value]] = Object.entries(done)
    assert.deepEqual([asked.done[key], call.pending()], [value, null], label)
    await call.close()
  }
})

test('the provider reconnects: what it had read out counts no more, and is read again', async () => {
  const { call, clock, voice, say, ask } = await rig()
  await ask()
  const spoke = clock.now()
  call.voiceReset()
  const { settled } = say('Yes', { speechStartedAt: spoke })
  await clock.advance(10)
  assert.equal(outcome(await settled), 'refused: question-not-read-out')
  assert.equal(voice.texts().filter((text) => text.includes('Shall I?')).length, 2)
  await call.close()
})

test('the provider reconnects: that a question cannot be answered by voice is said to it again, once', async () => {
  const { call, clock, voice, ask } = await rig()
  await ask(question('input-1', ['Yes', 'Yes']))
  const pointers = () => voice.texts().filter((text) => text.includes("can't be answered by voice"))
  assert.equal(pointers().length, 1)
  call.voiceReset()
  await clock.advance(60_000)
  assert.equal(pointers().length, 2)
  await call.close()
})

test('the machine sleeps: deadlines pass once, and the list is read again', async () => {
  const never = () => new Promise(() => {})
  const { call, clock, host, voice, say, ask } = await rig({ classify: never })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(8 * 3_600_000)
  assert.equal(outcome(await settled), 'refused: not-understood')
  host.cancel('input-1')
  host.ask(question('input-2', ['Left', 'Right'])).catch(() => {})
  call.voiceReset()
  await clock.advance(10)
  assert.match(voice.texts().at(-1), /"Left"/)
  await call.close()
})

test('a session that is not local: nothing is read out, everything goes to the app', async () => {
  const { call, clock, voice, seen, say, ask } = await rig({
    session: { id: 'session-1', local: false },
  })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.deepEqual([outcome(await settled), voice.texts(), seen.resolves], ['forwarded', [], 0])
  await call.close()
})

test('a question of one speaker is answered by nobody else', async () => {
  const { call, clock, say, ask } = await rig()
  await ask(question(), { askedOf: 'alice' })
  const bob = say('Yes', { speaker: { id: 'bob', attribution: 'device' } })
  await clock.advance(10)
  assert.equal(outcome(await bob.settled), 'refused: speaker-not-allowed')
  const nobody = say('Yes')
  await clock.advance(9_000)
  assert.equal(outcome(await nobody.settled), 'refused: speaker-unknown')
  const alice = say('Yes', { speaker: { id: 'alice', attribution: 'device' } })
  await clock.advance(10)
  assert.equal(outcome(await alice.settled), 'accepted')
  await call.close()
})

test('evidence is required: a late transcript is enough, none is not', async () => {
  const { call, clock, ask } = await rig({ evidence: 'required' })
  await ask()
  const none = call.instruct({ requestId: 'none', instruction: 'Yes' })
  await clock.advance(9_000)
  assert.equal(outcome(await none.settled), 'refused: no-user-speech')
  const late = call.instruct({ requestId: 'late', instruction: 'Yes' })
  await clock.advance(100)
  call.heard('late', { utterance: 'yes please', speechStartedAt: clock.now() - 150 })
  await clock.advance(10)
  assert.equal(outcome(await late.settled), 'accepted')
  await call.close()
})

test('five refused answers, and the question takes no more by voice', async () => {
  const { call, clock, seen, say, ask } = await rig({
    classify: async () => [{ questionIndex: 0, options: ['Maybe'] }],
  })
  await ask()
  const reasons = []
  for (let attempt = 0; attempt < 6; attempt++) {
    const { settled } = say(`try ${attempt}`)
    await clock.advance(10)
    reasons.push((await settled).reason)
  }
  assert.deepEqual(reasons, [...new Array(5).fill('option-not-offered'), 'attempts-exhausted'])
  assert.equal(seen.resolves, 0)
  await call.close()
})

test('questions that may not be shared: nothing leaves for the provider, answers are refused', async () => {
  const { call, clock, voice, say, ask } = await rig({
    mayShareQuestions: false,
    classify: async ({ question: shown }) => (
      assert.equal(shown, null),
      [{ questionIndex: 0, options: ['Yes'] }]
    ),
  })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'refused: not-shared')
  assert.ok(voice.texts().every((text) => !text.includes('Shall I?')))
  await call.close()
})

test('closing withdraws what was not handed over, waits a second for what was and never calls it withdrawn, and leaves no timer', async () => {
  const never = () => new Promise(() => {})
  const { call, clock, seen, say, ask } = await rig({ faults: { resolveInput: { before: never } } })
  await ask()
  const handedOver = say('Yes')
  await clock.advance(10)
  const closed = call.close()
  await clock.advance(1_000)
  await closed
  assert.equal(outcome(await handedOver.settled), 'unknown')
  assert.deepEqual([clock.timers(), seen.resolves], [0, 0])
  const after = say('Yes')
  assert.equal(outcome(await after.settled), 'withdrawn: call-closed')
})

test('callbacks that throw or never settle harm nobody', async () => {
  const broken = () => {
    throw new Error('broken')
  }
  const voice = createFakeVoice({ outcome: broken })
  const warned = []
  const listen = (warning) => warned.push(warning.message)
  process.on('warning', listen)
  const { call, clock, say, ask } = await rig({
    voice,
    onOperation: broken,
    onPending: broken,
    onForward: broken,
    classify: broken,
  })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(200_000)
  assert.equal(outcome(await settled), 'refused: not-understood')
  await call.close()
  assert.equal(clock.timers(), 0)
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listen)
  assert.ok(warned.includes('onOperation: broken'))
})

test('mistakes of the calling program are TypeErrors that name the option; one call per session', async () => {
  const { call, host, voice } = await rig()
  const fine = { session: { id: 's' }, host: host.voice, voice }
  const table = [
    ['session', { ...fine, session: undefined }],
    ['session', { ...fine, session: false }],
    ['journal.append', { ...fine, journal: null }],
    ['clock.now', { ...fine, clock: null }],
    ['host.settlement', { ...fine, host: { ...host.voice, settlement: undefined } }],
    ['host.proof', { ...fine, host: { ...host.voice, proof: undefined } }],
    ['voice.deliver', { ...fine, voice: {} }],
    ['budget', { ...fine, budget: -1 }],
    ['readOut', { ...fine, readOut: 'heard' }],
    ['evidence', { ...fine, evidence: true }],
    ['partialAnswers', { ...fine, partialAnswers: 'keep' }],
    ['speakers', { ...fine, speakers: 'alice' }],
    ['classify', { ...fine, classify: 'match' }],
    ['clock.wall', { ...fine, clock: { now: () => 0 } }],
  ]
  for (const [option, options] of table) {
    const names = (error) =>
      error instanceof TypeError &&
      error.code === 'INVALID_OPTION' &&
      error.message.includes(option)
    assert.throws(() => openLiveCall(options), names, option)
  }
  const first = openLiveCall(fine)
  assert.throws(() => openLiveCall(fine), { code: 'CALL_EXISTS' })
  await first.close()
  await openLiveCall(fine).close()
  await call.close()
})

// ---- what a hostile surrounding does ----

/** A host of which only these parts are set; events go in through `tell`. */
function scriptedHost(parts = {}) {
  const host = {
    proof: 'host',
    subscriptions: 0,
    resolutions: [],
    tell: () => {},
    watch: (_sessionId, onEvent) => {
      host.subscriptions += 1
      host.tell = onEvent
      return () => void (host.subscriptions -= 1)
    },
    openInputs: async () => [{ kind: 'question', ...question() }],
    resolveInput: async (resolution) => (host.resolutions.push(resolution), { status: 'resolved' }),
    settlement: async () => ({ status: 'unknown' }),
    ...parts,
  }
  return host
}

async function onScriptedHost(host, options) {
  const clock = createManualClock()
  const voice = createFakeVoice()
  const call = openLiveCall({
    callId: 'call-1',
    session: { id: 'session-1' },
    host,
    voice,
    clock,
    ...options,
  })
  await clock.advance(10)
  const say = (requestId, instruction, evidence) =>
    call.instruct({ requestId, instruction }, { speechStartedAt: clock.now(), ...evidence })
  return { call, clock, voice, say }
}

test('an answer to a question that is gone is none for the one that came while it was classified', async () => {
  let answer
  const { call, clock, host, seen, ask } = await rig({
    evidence: 'required',
    classify: () => new Promise((resolve) => (answer = resolve)),
  })
  await ask()
  // The time of another clock: no evidence of anything.
  const { settled } = call.instruct(
    { requestId: 'r', instruction: 'Yes' },
    { speechStartedAt: Date.now() },
  )
  await clock.advance(10)
  host.cancel('input-1')
  await ask(question('input-2'))
  answer([{ questionIndex: 0, options: ['Yes'] }])
  await clock.advance(9_000)
  assert.equal(outcome(await settled), 'refused: question-closed')
  assert.equal(seen.resolves, 0)
  await call.close()
})

test('the session is another one for a moment: what was handed over is not handed over again', async () => {
  const never = () => new Promise(() => {})
  for (const away of [{ id: 'session-2' }, { id: 'session-1', local: false }]) {
    const { call, clock, seen, say, ask } = await rig({
      faults: { resolveInput: { before: never } },
    })
    await ask()
    say('Yes')
    await clock.advance(50)
    call.setSession(away)
    call.setSession({ id: 'session-1' })
    await clock.advance(50)
    const again = say('No')
    await clock.advance(50)
    assert.equal(outcome(await again.settled), 'refused: question-closed')
    assert.equal(seen.operations.filter(({ state }) => state === 'dispatching').length, 1)
    await Promise.all([call.close(), clock.advance(1_000)])
  }
})

test('a list that lags behind an accepted answer does not open its question again', async () => {
  const host = scriptedHost()
  const { call, clock, say } = await onScriptedHost(host)
  const first = say('r1', 'Yes')
  await clock.advance(10)
  assert.equal(outcome(await first.settled), 'accepted')
  host.tell({ type: 'gap' })
  await clock.advance(10)
  const second = say('r2', 'No')
  await clock.advance(10)
  assert.equal(outcome(await second.settled), 'refused: question-closed')
  assert.equal(host.resolutions.length, 1)
  await call.close()
})

test('an outcome of a message of another call is none of this one', async () => {
  const { call, clock, say, ask } = await rig({ readOut: 'spoken' })
  await ask()
  call.delivered('call-0:1', 'spoken')
  call.delivered('call-1:01', 'spoken')
  const early = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await early.settled), 'refused: question-not-read-out')
  call.delivered('call-1:1', 'spoken')
  const late = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await late.settled), 'accepted')
  await call.close()
})

test('broken or endless words of the person make no answer of what the provider says', async () => {
  for (const utterance of ['No\ud83d', `No. ${'Certainly not. '.repeat(600)}`]) {
    const { call, clock, seen, say, ask } = await rig()
    await ask()
    const { settled } = say('Yes', { utterance })
    await clock.advance(10)
    assert.equal(outcome(await settled), 'refused: not-understood')
    assert.equal(seen.resolves, 0)
    await call.close()
  }
})

test('a transcript that comes while the list is read: what contradicts it is not handed over', async () => {
  let list
  const faults = {
    openInputs: {
      after: (inputs) => (list ? new Promise((go) => list.push(() => go(inputs))) : inputs),
    },
  }
  const { call, clock, seen, say, ask } = await rig({ faults })
  await ask()
  list = []
  const { settled } = say('Yes')
  await clock.advance(10)
  call.heard('request-1', { utterance: 'No' })
  for (const go of list) go()
  await clock.advance(10)
  assert.equal(outcome(await settled), 'refused: not-understood')
  assert.equal(seen.resolves, 0)
  await call.close()
})

test('a host that cannot say what is open is asked again; what takes too long is aborted', async () => {
  const signals = []
  const host = scriptedHost({
    openInputs: async (_sessionId, { signal }) => {
      signals.push(signal)
      if (signals.length === 1) throw new Error('starting')
      if (signals.length === 2) return new Promise(() => {})
      return [null, { kind: 'question', ...question() }]
    },
  })
  const { call, clock, voice } = await onScriptedHost(host)
  assert.deepEqual([voice.texts(), signals.length], [[], 1])
  await clock.advance(500)
  assert.deepEqual([signals.length, signals[1].aborted], [2, false])
  await clock.advance(2_000)
  assert.deepEqual([signals.length, signals[1].aborted], [2, true])
  await clock.advance(1_500)
  assert.match(voice.texts()[0], /"Shall I\?"/)
  assert.deepEqual(call.pending(), {
    kind: 'question',
    text: 'Shall I?',
    more: 1,
    sessionId: 'session-1',
  })
  await call.close()
})

test('a thousand gaps are one reading at a time', async () => {
  let running = 0
  let most = 0
  let readings = 0
  const host = scriptedHost({
    openInputs: async () => {
      readings += 1
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return []
    },
  })
  const { call, clock } = await onScriptedHost(host)
  for (let gap = 0; gap < 1_000; gap++) host.tell({ type: 'gap' })
  await clock.advance(10)
  assert.deepEqual([readings, most], [3, 1])
  await call.close()
})

test('what is not wanted any more before it began is not begun', async () => {
  const host = scriptedHost({ openInputs: async () => [] })
  const { call, clock, voice } = await onScriptedHost(host)
  host.tell({ type: 'input.requested', input: { kind: 'question', ...question() } })
  host.tell({ type: 'input.canceled', inputId: 'input-1' })
  await clock.advance(10)
  assert.deepEqual(voice.texts(), [])
  await call.close()
})

test('a voice that cannot be reached for a moment is given the question again, not at once', async () => {
  const at = []
  const made = await rig({
    voice: createFakeVoice({
      outcome: () => {
        at.push(made?.clock.now())
        throw new Error('reconnecting')
      },
    }),
  })
  const { call, clock, voice, ask } = made
  const asked = clock.now()
  await ask()
  await clock.advance(499 - 10)
  assert.equal(at.length, 1)
  await clock.advance(10_000)
  assert.deepEqual(
    at.slice(0, 3).map((ms) => ms - asked),
    [0, 500, 2_000],
  )
  assert.match(voice.texts().at(-1), /could not be read out/)
  await call.close()
})

test('a journal line is about the session in which the answer was given', async () => {
  const lines = []
  let reply
  const { call, clock, say, ask } = await rig({
    journal: { append: async (line) => void lines.push(line) },
    faults: { resolveInput: { after: (done) => new Promise((go) => (reply = () => go(done))) } },
  })
  await ask()
  say('Yes')
  await clock.advance(10)
  call.setSession({ id: 'session-2' })
  reply()
  await clock.advance(10)
  assert.deepEqual(
    lines.map(({ type, inputId, sessionId }) => ({ type, inputId, sessionId })),
    [{ type: 'input.resolved', inputId: 'input-1', sessionId: 'session-1' }],
  )
  await call.close()
})

test('a call that is over, or never came to be, takes no session from another', async () => {
  const options = { host: scriptedHost(), voice: createFakeVoice() }
  const over = openLiveCall({ ...options, session: null })
  await over.close()
  over.setSession({ id: 'session-1' })
  const broken = { ...createManualClock(), now: () => assert.fail('no time') }
  const session = { id: 'session-1' }
  assert.throws(() => openLiveCall({ ...options, session, clock: broken }), /no time/)
  const call = openLiveCall({ ...options, session })
  assert.throws(() => call.setSession({ id: 'session-2', local: 'yes' }), {
    code: 'INVALID_SESSION',
  })
  const other = openLiveCall({ ...options, session: { id: 'session-2' } })
  assert.throws(() => other.setSession(session), { code: 'CALL_EXISTS' })
  await Promise.all([call.close(), other.close()])
  assert.equal(options.host.subscriptions, 0)
})

test('a close that failed can be called again', async () => {
  let broken = false
  const clock = createManualClock()
  const now = () => (broken ? assert.fail('no time') : clock.now())
  const host = scriptedHost()
  const { call } = await onScriptedHost(host, { clock: { ...clock, now } })
  broken = true
  assert.throws(() => call.close(), /no time/)
  broken = false
  await call.close()
  assert.deepEqual([host.subscriptions, clock.timers()], [0, 0])
})

test('a host that ends the call while it is being watched is not watched', async () => {
  let call
  const host = scriptedHost({
    watch: () => {
      host.subscriptions += 1
      call.close()
      return () => void (host.subscriptions -= 1)
    },
  })
  const made = await onScriptedHost(host, { session: null })
  call = made.call
  call.setSession({ id: 'session-1' })
  await made.clock.advance(10)
  assert.equal(host.subscriptions, 0)
  await call.close()
})

test('whatever a callback throws becomes a warning', async () => {
  const seen = await warnings(async () => {
    const { call, clock } = await rig({
      onOperation: () => {
        throw Object.create(null)
      },
    })
    call.instruct({ requestId: 'r', instruction: 'run the tests' })
    await clock.advance(10)
    await call.close()
  })
  assert.deepEqual(seen, ['onOperation: an error that cannot be shown'])
})

test('a voice that does not say what became of a text: a warning says so, once', async () => {
  for (const [what, count] of [
    [undefined, 1],
    [true, 1],
    ['ok', 1],
    ['unknown', 0],
    ['sent', 0],
  ]) {
    const seen = await warnings(async () => {
      const clock = createManualClock()
      const { handle } = new Openings({ proof: 'none', feeding: '' })
      const voice = { deliver: async () => what }
      const call = openLiveCall({ session: { id: 's' }, host: handle, voice, clock })
      for (const instruction of ['x'.repeat(9_000), 'y'.repeat(9_000)]) {
        call.instruct({ requestId: instruction[0], instruction })
        await clock.advance(10)
      }
      await call.close()
    })
    const text =
      'voice.deliver does not say what became of a text: it is one of not-sent, unknown, context-only, sent, spoken, interrupted'
    assert.deepEqual(seen, new Array(count).fill(text), `${what}`)
  }
})

test('mistakes of the calling program later on are TypeErrors that name the argument', async () => {
  const { call } = await rig()
  const request = { requestId: 'r', instruction: 'Yes' }
  const table = [
    ['INVALID_REQUEST', () => call.instruct()],
    ['INVALID_REQUEST', () => call.instruct(null)],
    ['INVALID_EVIDENCE', () => call.instruct(request, { speechStartedAt: NaN })],
    ['INVALID_EVIDENCE', () => call.instruct(request, { speechStartedAt: Infinity })],
    ['INVALID_EVIDENCE', () => call.instruct(request, { speaker: 'bob' })],
    ['INVALID_EVIDENCE', () => call.heard('r', 'Yes')],
    ['INVALID_FEEDBACK_ID', () => call.delivered(Object.create(null), 'sent')],
    ['INVALID_SESSION', () => call.setSession()],
    ['INVALID_SESSION', () => call.setSession({ id: 'x'.repeat(257) })],
    ['INVALID_SESSION', () => call.setSession({ id: 'session-1', local: 'false' })],
  ]
  for (const [code, mistake] of table) {
    assert.throws(mistake, (error) => error instanceof TypeError && error.code === code, code)
  }
  assert.deepEqual(call.operations(), [])
  await call.close()
})
