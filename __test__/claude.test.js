'use strict'
// The Claude adapter with the SDK's side faked: what is open, who may answer, what proves it. The second
// half are things that people reported of other apps, named after what they saw.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { SpokenQuestion } = require('..')
const { createClaudeHost } = require('../main/hosts/claude.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { FACTS, outcome, warnings } = require('./asking.js')
const { INIT, SESSION, asked, claudeSide, result, toolCall } = require('./claude-side.js')

const WHICH = asked('Which?', ['a', 'b'])

/** A session that is known, and everything that is told of it. */
function session(options) {
  const side = claudeSide(options)
  const events = []
  side.host.watch(SESSION, (event) => events.push(event))
  side.host.onMessage(INIT)
  return { ...side, events }
}

/** What a live call sends; `indexes` are the positions. */
async function resolution(host, inputId, indexes, more) {
  const open = await host.openInputs(SESSION)
  const input = open.find((one) => one.inputId === inputId)
  return {
    inputId,
    sessionId: SESSION,
    expectDigest: input === undefined ? '1:none' : new SpokenQuestion(input).digest,
    answers: [],
    optionIndexes: indexes,
    resolvedBy: FACTS,
    ...more,
  }
}
const resolve = async ({ host }, inputId, indexes, more) =>
  host.resolveInput(await resolution(host, inputId, indexes, more), {
    signal: new AbortController().signal,
  })

const brief = (events) => events.map(({ type, reason }) => (reason ? `${type}: ${reason}` : type))

test('a question is open until the host has proved the answer', async () => {
  const side = session()
  const { inputId, over } = side.ask([WHICH])
  const questions = [
    { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false },
  ]
  const input = { kind: 'question', inputId, sessionId: SESSION, questions }
  assert.deepEqual(await side.host.openInputs(SESSION), [input])
  assert.deepEqual(await side.host.openInputs('another'), [])
  assert.deepEqual(await side.host.settlement(inputId), { status: 'open' })
  assert.deepEqual(side.host.original(inputId), { questions: [WHICH], toolUseID: 'toolu_1' })
  assert.deepEqual(await resolve(side, inputId, [[1]]), { status: 'resolved' })
  assert.deepEqual((await over).updatedInput, { questions: [WHICH], answers: { 'Which?': 'b' } })
  const digest = new SpokenQuestion(input).digest
  const resolvedBy = { ...FACTS, digest, shortened: false }
  assert.deepEqual(await side.host.settlement(inputId), {
    status: 'resolved',
    optionIndexes: [[1]],
    resolvedBy,
  })
  assert.deepEqual(side.events, [
    { type: 'input.requested', input },
    { type: 'input.resolved', inputId, optionIndexes: [[1]], resolvedBy },
  ])
  assert.deepEqual(await side.host.openInputs(SESSION), [])
  assert.equal(side.host.original(inputId), undefined)
})

test('what is not an answer to what is open is rejected, and nothing is sent', async () => {
  const side = session()
  const { inputId } = side.ask([WHICH])
  for (const [name, id, indexes, more, code] of [
    ['another input', 'none', [[0]], {}, 'not-found'],
    ['another question', inputId, [[0]], { expectDigest: '1:other' }, 'question-changed'],
    ['no such option', inputId, [[2]], {}, 'invalid'],
    ['two of one', inputId, [[0, 1]], {}, 'invalid'],
    ['none', inputId, [[]], {}, 'invalid'],
    ['two questions', inputId, [[0], [0]], {}, 'invalid'],
    ['no positions', inputId, 'a', {}, 'invalid'],
    ['nobody says who', inputId, [[0]], { resolvedBy: undefined }, 'invalid'],
  ]) {
    assert.deepEqual(await resolve(side, id, indexes, more), { status: 'rejected', code }, name)
  }
  const card = (reply) => outcome(side.host.answerOnDesktop(inputId, reply))
  for (const reply of [[], [[]], [['a', 'b']], [[1]], [['a'], ['b']]]) {
    assert.deepEqual(await card(reply), { status: 'rejected', code: 'invalid' })
  }
  for (const reply of [undefined, 'a', {}, { behavior: 'ask' }]) {
    assert.equal(await card(reply), 'TypeError INVALID_REPLY')
  }
  assert.deepEqual([side.replies, brief(side.events)], [[], ['input.requested']])
})

test('mistakes of the calling program', async () => {
  const { host } = claudeSide()
  const code = (name) => ({ name: 'TypeError', code: name })
  assert.throws(() => host.canUseTool(), code('INVALID_FALLBACK'))
  for (const message of [undefined, null, 'init']) {
    assert.throws(() => host.onMessage(message), code('INVALID_MESSAGE'))
  }
  assert.throws(() => createClaudeHost(null), code('INVALID_OPTIONS'))
  assert.throws(() => createClaudeHost({ onSession: 'x' }), code('INVALID_ON_SESSION'))
  assert.throws(() => host.watch('', () => {}), code('INVALID_SESSION_ID'))
  assert.throws(() => host.watch(SESSION), code('INVALID_ON_EVENT'))
  await assert.rejects(host.resolveInput(), code('INVALID_RESOLUTION'))
})

test('the session is known late: what was asked before is open then', async () => {
  const side = claudeSide()
  const first = side.ask([WHICH])
  const gone = side.ask([WHICH])
  gone.abort()
  assert.equal(await gone.over, null)
  assert.deepEqual(await side.host.openInputs(SESSION), [])
  side.host.onMessage(INIT)
  const open = await side.host.openInputs(SESSION)
  assert.deepEqual(
    open.map(({ inputId }) => inputId),
    [first.inputId],
  )
})

test('the app is told which session it is, once; what it does then is its own affair', async () => {
  const told = []
  const onSession = (id) => {
    told.push(id)
    throw new Error('a defect of the app')
  }
  const host = createClaudeHost({ onSession })
  const other = { type: 'result', session_id: 'session-2' }
  const seen = await warnings(() => [INIT, INIT, { type: 'user' }, other].forEach(host.onMessage))
  assert.deepEqual(told, [SESSION, 'session-2'])
  assert.deepEqual(seen, Array(2).fill('onSession failed: a defect of the app'))
})

test('every other tool is decided by the app, and only shown to wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let decide
  const side = session({ fallback: () => new Promise((done) => (decide = done)) })
  for (const [toolName, input, kind] of [
    ['Bash', { command: 'ls' }, 'permission'],
    ['ExitPlanMode', {}, 'plan'],
    ['AskUserQuestion', { questions: [WHICH, WHICH] }, 'other'],
  ]) {
    const { inputId, over } = side.use(toolName, input)
    t.mock.timers.tick(200)
    assert.deepEqual(await side.host.openInputs(SESSION), [{ kind, inputId, sessionId: SESSION }])
    const invalid = { status: 'rejected', code: 'invalid' }
    assert.deepEqual(await resolve(side, inputId, [[0]]), invalid)
    assert.deepEqual(await side.host.answerOnDesktop(inputId, { behavior: 'allow' }), invalid)
    const decision = { behavior: 'allow', updatedInput: input }
    decide(decision)
    assert.equal(await over, decision)
    assert.deepEqual(await side.host.openInputs(SESSION), [])
    assert.deepEqual(brief(side.events.splice(0)), ['input.requested', 'input.canceled: decided'])
  }
})

test('what the app decides by a rule of its own is never shown to wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const fallback = async () => {
    t.mock.timers.tick(199)
    return { behavior: 'deny', message: 'No.' }
  }
  const side = session({ fallback })
  await side.use('Bash', { command: 'ls' }).over
  t.mock.timers.tick(1_000)
  assert.deepEqual(side.events, [])
})

for (const [name, message] of [
  ['the turn is over', { type: 'result', session_id: SESSION }],
  ['another one begins, of a process that was started anew', INIT],
]) {
  test(`${name}: an answer that was not proved is unknown, and nothing waits for it`, async () => {
    const side = session({ feed: () => {} })
    const { inputId, toolUseID } = side.ask([WHICH])
    side.host.onMessage(toolCall(toolUseID))
    const given = resolve(side, inputId, [[0]])
    await nextTurn()
    const seen = await warnings(() => side.host.onMessage(message))
    assert.match(seen[0], /arrived: the host has not said what became of it$/)
    assert.deepEqual(await given, { status: 'unknown' })
    assert.deepEqual(brief(side.events), ['input.requested', 'input.canceled: unproved'])
    assert.deepEqual(await side.host.openInputs(SESSION), [])
  })
}

test('the app reads late that the turn before is over: the answer to this one is still waited for', async () => {
  const side = session({ feed: () => {} })
  const { inputId, toolUseID } = side.ask([WHICH])
  const given = resolve(side, inputId, [[0]])
  await nextTurn()
  for (const message of [
    { type: 'result', session_id: SESSION },
    INIT,
    toolCall(toolUseID),
    result(toolUseID, { answers: { 'Which?': 'a' } }),
  ]) {
    assert.deepEqual(await side.host.settlement(inputId), { status: 'unknown' })
    side.host.onMessage(message)
  }
  assert.deepEqual(await given, { status: 'resolved' })
  assert.deepEqual(brief(side.events), ['input.requested', 'input.resolved'])
})

test('a result that names no tool is of nothing that waits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const side = session({ fallback: () => new Promise(() => {}) })
  const { inputId } = side.use('Bash', { command: 'ls' })
  const asks = side.ask([WHICH], { toolUseID: undefined })
  t.mock.timers.tick(200)
  for (const more of [{}, { answers: {} }, { isError: true }]) {
    side.host.onMessage(result(undefined, more))
  }
  for (const id of [inputId, asks.inputId]) {
    assert.deepEqual(await side.host.settlement(id), { status: 'open' })
  }
  assert.deepEqual(brief(side.events), ['input.requested', 'input.requested'])
})

test('a message that cannot be read is said, and the loop of the app goes on', async () => {
  const side = session()
  const seen = await warnings(() => {
    for (const name of ['session_id', 'type', 'message']) {
      const get = () => {
        throw new Error(`no ${name}`)
      }
      const message = { type: 'user', session_id: SESSION }
      side.host.onMessage(Object.defineProperty(message, name, { get }))
    }
  })
  assert.deepEqual(
    seen,
    ['session_id', 'type', 'message'].map(
      (name) => `a message of the query was not understood: no ${name}`,
    ),
  )
})

test('one signal for many requests: what is over does not listen to it any more', async () => {
  const side = session()
  const { signal } = new AbortController()
  const listeners = () => getEventListeners(signal, 'abort').length
  const { inputId, over } = side.ask([WHICH], { signal })
  const decided = side.use('Bash', { command: 'ls' }, { signal })
  assert.equal(listeners(), 2)
  await side.host.answerOnDesktop(inputId, [['a']])
  await Promise.all([over, decided.over])
  assert.equal(listeners(), 0)
})

test('withdrawn in the event that says that it is open: nothing waits, and nothing hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const side = claudeSide({ fallback: () => new Promise(() => {}) })
  side.host.watch(SESSION, ({ type }) => {
    if (type === 'input.requested') for (const one of [asks, permission]) one.abort()
  })
  const asks = side.ask([WHICH])
  const permission = side.use('Bash', { command: 'ls' })
  t.mock.timers.tick(200)
  side.host.onMessage(INIT)
  assert.equal(await asks.over, null)
  assert.deepEqual(await side.host.openInputs(SESSION), [])
})

test('the fallback gets what the host gave, and what it throws is the host’s to hear', async () => {
  const seen = []
  const fallback = (...request) => {
    seen.push(request)
    throw new Error('no window')
  }
  const { host } = session()
  const options = { signal: new AbortController().signal, toolUseID: 't', suggestions: [] }
  await assert.rejects(host.canUseTool(fallback)('Bash', { command: 'ls' }, options), /no window/)
  assert.deepEqual(seen, [['Bash', { command: 'ls' }, options]])
  assert.deepEqual(await host.openInputs(SESSION), [])
})

test('withdrawn by the host: nothing is sent, and an answer is too late', async () => {
  const side = session()
  const { inputId, over, abort } = side.ask([WHICH])
  abort()
  assert.equal(await over, null)
  assert.deepEqual(await side.host.settlement(inputId), { status: 'canceled' })
  const late = { status: 'rejected', code: 'not-found' }
  assert.deepEqual(await resolve(side, inputId, [[0]]), late)
  assert.deepEqual(await side.host.answerOnDesktop(inputId, [['a']]), late)
  assert.deepEqual(brief(side.events), ['input.requested', 'input.canceled: aborted'])
})

test('the host has another answer than the one that was handed over', async () => {
  const held = []
  const side = session({ feed: (message) => held.push(message) })
  const { inputId, toolUseID } = side.ask([WHICH])
  const mine = resolve(side, inputId, [[0]])
  await nextTurn()
  side.host.onMessage(result(toolUseID, { answers: { 'Which?': 'b' } }))
  assert.deepEqual(await mine, { status: 'rejected', code: 'already-resolved' })
  assert.deepEqual(side.events.at(-1), {
    type: 'input.resolved',
    inputId,
    optionIndexes: [[1]],
    resolvedBy: { kind: 'host' },
  })
  side.host.onMessage(held[0])
  assert.equal(side.events.length, 2)
})

test('the host did not take the answer', async () => {
  const side = session({ feed: () => {} })
  const { inputId, toolUseID } = side.ask([WHICH])
  const mine = resolve(side, inputId, [[0]])
  await nextTurn()
  side.host.onMessage(result(toolUseID, { isError: true }))
  assert.deepEqual(await mine, { status: 'rejected', code: 'not-taken' })
  assert.deepEqual(brief(side.events), ['input.requested', 'input.canceled: not-taken'])
})

test('declined on the card: that is no answer, and it arrived', async () => {
  const side = session()
  const { inputId, over } = side.ask([WHICH])
  const reply = { behavior: 'deny', message: 'Later.', interrupt: true }
  assert.deepEqual(await side.host.answerOnDesktop(inputId, reply), { status: 'resolved' })
  assert.equal(await over, reply)
  assert.deepEqual(brief(side.events), ['input.requested', 'input.canceled: declined'])
  assert.deepEqual(await side.host.settlement(inputId), { status: 'canceled' })
})

test('nothing is proved: unknown when the call stops waiting, and proved later all the same', async () => {
  const held = []
  const side = session({ feed: (message) => held.push(message) })
  const { inputId } = side.ask([WHICH])
  const stop = new AbortController()
  const given = side.host.resolveInput(await resolution(side.host, inputId, [[0]]), {
    signal: stop.signal,
  })
  await nextTurn()
  stop.abort()
  assert.deepEqual(await given, { status: 'unknown' })
  assert.deepEqual(await side.host.settlement(inputId), { status: 'unknown' })
  assert.deepEqual(await resolve(side, inputId, [[1]]), {
    status: 'rejected',
    code: 'already-resolved',
  })
  side.host.onMessage(held[0])
  assert.deepEqual((await side.host.settlement(inputId)).status, 'resolved')
  assert.equal(side.replies.length, 1)
})

test('a call that stopped waiting before anything was sent: nothing is', async () => {
  const side = session()
  const { inputId } = side.ask([WHICH])
  const signal = AbortSignal.abort()
  const given = await side.host.resolveInput(await resolution(side.host, inputId, [[0]]), {
    signal,
  })
  assert.deepEqual(given, { status: 'not-sent' })
  assert.deepEqual(await side.host.settlement(inputId), { status: 'open' })
  assert.deepEqual(await resolve(side, inputId, [[0]]), { status: 'resolved' })
})

test('an app that forgot to pass the messages on is told so', async (t) => {
  const warned = []
  const onWarning = ({ name, message }) => name === 'SpokenAnswerWarning' && warned.push(message)
  process.on('warning', onWarning)
  t.after(() => process.off('warning', onWarning))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const side = claudeSide({ feed: () => {} })
  const { inputId } = side.ask([WHICH])
  t.mock.timers.tick(5_000)
  await nextTurn()
  const why = 'pass every message of the query to onMessage, in its order'
  assert.deepEqual(warned.splice(0), [`the session of a question is not known: ${why}`])
  side.host.onMessage(INIT)
  const events = []
  side.host.watch(SESSION, (event) => events.push(event))
  const given = side.host.answerOnDesktop(inputId, [['a']])
  await nextTurn()
  t.mock.timers.tick(15_000)
  await nextTurn()
  assert.deepEqual(warned, [`nothing proves that the answer to input ${inputId} arrived: ${why}`])
  assert.deepEqual(await given, { status: 'unknown' })
  assert.deepEqual(brief(events), ['input.canceled: unproved'])
  assert.deepEqual(await side.host.openInputs(SESSION), [])
  // The proof comes all the same.
  side.host.onMessage(result('toolu_1', { answers: { 'Which?': 'a' } }))
  assert.deepEqual(brief(events), ['input.canceled: unproved', 'input.resolved'])
  assert.equal((await side.host.settlement(inputId)).status, 'resolved')
})

test('an id of the host that comes again is another opening', async () => {
  const side = session()
  const first = side.ask([WHICH], { requestId: 'same' })
  await side.host.answerOnDesktop('same', [['a']])
  await first.over
  side.ask([WHICH], { requestId: 'same' })
  const [{ inputId }] = await side.host.openInputs(SESSION)
  assert.notEqual(inputId, 'same')
  assert.deepEqual(await side.host.answerOnDesktop('same', [['b']]), {
    status: 'rejected',
    code: 'already-resolved',
  })
})

test('a request that names no id, or one too long, has one all the same', async () => {
  const side = session()
  for (const requestId of [undefined, '', 'x'.repeat(257)]) {
    side.ask([WHICH], { requestId })
    const [{ inputId }] = await side.host.openInputs(SESSION)
    assert.match(inputId, /^[\da-f-]{36}$/)
    assert.deepEqual(await resolve(side, inputId, [[0]]), { status: 'resolved' })
  }
})

test('the card and the voice at the very same time: one of them', async () => {
  for (const isCardFirst of [true, false]) {
    const side = session()
    const { inputId } = side.ask([WHICH])
    const voice = await resolution(side.host, inputId, [[0]])
    const answers = [
      () => side.host.resolveInput(voice, {}),
      () => side.host.answerOnDesktop(inputId, [['b']]),
    ]
    if (isCardFirst) answers.reverse()
    const replies = await Promise.all(answers.map((answer) => answer()))
    assert.deepEqual(replies, [
      { status: 'resolved' },
      { status: 'rejected', code: 'already-resolved' },
    ])
    assert.equal(side.replies.length, 1)
  }
})

// ---- reported of other apps ----

/** A session with a live call, and how to say something in it. */
async function called(t) {
  const side = session()
  const clock = createManualClock()
  const voice = createFakeVoice()
  const call = openLiveCall({ session: { id: SESSION }, host: side.host, voice, clock })
  t.after(() => call.close())
  let requests = 0
  const say = async (instruction) => {
    const request = { requestId: `said-${++requests}`, instruction }
    const { settled } = call.instruct(request, { speechStartedAt: clock.now() })
    await clock.advance()
    const { state, reason } = await settled
    return reason ? `${state}: ${reason}` : state
  }
  return { ...side, call, clock, voice, say }
}

/** The answers that the host was given. */
const sent = ({ replies }) => replies.map(({ updatedInput }) => updatedInput.answers)

for (const [name, questions, said, answers] of [
  [
    'the model saw nothing, because the answer was filed under the header',
    [asked('Which approach should we take?', ['x', 'y'], { header: 'Approach' })],
    'y',
    { 'Which approach should we take?': 'y' },
  ],
  [
    'a label with a comma was split into several, none of them real',
    [asked('Proceed?', ['Yes, proceed', 'Deny'], { multiSelect: true })],
    'Yes, proceed',
    { 'Proceed?': '"Yes, proceed"' },
  ],
  [
    'the (Recommended) tail was lost on the way back',
    [asked('Scope?', ['Internal Network Audit (Recommended)', 'None'])],
    '1',
    { 'Scope?': 'Internal Network Audit (Recommended)' },
  ],
  [
    'labels arrived with other code points',
    [asked('Lang?', ['\\u306f\\u3044', 'no'])],
    '1',
    { 'Lang?': '\\u306f\\u3044' },
  ],
  [
    'a trimmed label was no label any more',
    [asked('Which?', [' a ', 'b'])],
    'a',
    { 'Which?': ' a ' },
  ],
]) {
  test(`reported: ${name}`, async (t) => {
    const app = await called(t)
    app.ask(questions)
    await app.clock.advance()
    assert.equal(await app.say(said), 'accepted')
    assert.deepEqual(sent(app), [answers])
  })
}

test('reported: talk that names no option took the first one', async (t) => {
  const app = await called(t)
  app.ask([WHICH])
  await app.clock.advance()
  for (const talk of ['hold on a second', 'no problem', 'that sounds good to me', '']) {
    assert.notEqual(await app.say(talk), 'accepted')
  }
  assert.deepEqual(app.replies, [])
})

test('reported: a question was resolved with no answer, and nobody had been asked', async (t) => {
  const app = await called(t)
  const { inputId } = app.ask([WHICH])
  await app.clock.advance(3_600_000)
  assert.deepEqual(await app.host.settlement(inputId), { status: 'open' })
  assert.deepEqual(app.replies, [])
})

test('reported: the question was gone when it was answered, and nobody said so', async (t) => {
  const app = await called(t)
  const { abort } = app.ask([WHICH])
  await app.clock.advance()
  const said = app.say('a')
  abort()
  assert.equal(await said, 'refused: question-closed')
  assert.deepEqual(app.replies, [])
})

test('reported: a late answer went to a newer question with the same text', async (t) => {
  const app = await called(t)
  const first = app.ask([WHICH])
  await app.clock.advance()
  const late = await resolution(app.host, first.inputId, [[0]])
  first.abort()
  const second = app.ask([WHICH])
  assert.deepEqual(await app.host.resolveInput(late, {}), { status: 'rejected', code: 'not-found' })
  assert.deepEqual(await app.host.settlement(second.inputId), { status: 'open' })
  assert.deepEqual(app.replies, [])
})

test('reported: of two open questions one hung, because the other took its place', async () => {
  const side = session()
  const first = side.ask([WHICH])
  const second = side.ask([WHICH])
  assert.deepEqual(await resolve(side, second.inputId, [[1]]), { status: 'resolved' })
  assert.deepEqual(await resolve(side, first.inputId, [[0]]), { status: 'resolved' })
  const [one, two] = await Promise.all([first.over, second.over])
  assert.deepEqual(
    [one, two].map(({ updatedInput }) => updatedInput.answers['Which?']),
    ['a', 'b'],
  )
})

test('reported: answered elsewhere, and the card hung', async () => {
  const side = session()
  const { inputId, over, toolUseID } = side.ask([WHICH])
  side.host.onMessage(result(toolUseID, { answers: { 'Which?': 'b' } }))
  assert.equal(await over, null)
  assert.deepEqual(await side.host.answerOnDesktop(inputId, [['a']]), {
    status: 'rejected',
    code: 'already-resolved',
  })
  assert.deepEqual(side.replies, [])
})

test('reported: what was typed under "Other" was lost', async () => {
  const side = session()
  const { inputId } = side.ask([WHICH, asked('And?', ['c', 'd'], { multiSelect: true })])
  await side.host.answerOnDesktop(inputId, [['my own words'], ['c', 'and more']])
  assert.deepEqual(sent(side), [{ 'Which?': 'my own words', 'And?': 'c, and more' }])
})
