'use strict'
// The Codex adapter with the server's side faked: what is open, who may answer, what proves it. The second
// half are things that people reported of other apps, named after what they saw.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { SpokenQuestion } = require('..')
const { createCodexHost } = require('../main/hosts/codex.js')
const { FACTS, outcome, warnings } = require('./asking.js')
const { THREAD, asked, codexSide } = require('./codex-side.js')

const WHICH = asked('q', 'Which?', ['a', 'b'])
const db = { type: 'string', enum: ['pg', 'sqlite'], enumNames: ['PostgreSQL', 'SQLite'] }
const form = (properties, more) => ({
  message: 'Which database?',
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
})
const FORM = form({ db })
const BACKEND = { title: 'Which backend?', options: ['SQLite', 'Postgres'] }

/** A process and everything that is told of its thread. */
function session(options) {
  const side = codexSide(options)
  const events = []
  side.host.watch(THREAD, (event) => events.push(event))
  return { ...side, side, events }
}

/** Asks, and waits until that is open. */
async function open(world, how, ...rest) {
  const one = world[how](...rest)
  await world.quiet()
  return one
}

async function resolve({ host }, inputId, optionIndexes, signal = new AbortController().signal) {
  const input = (await host.openInputs(THREAD)).find((one) => one.inputId === inputId)
  const resolution = {
    inputId,
    sessionId: THREAD,
    expectDigest: input?.questions ? new SpokenQuestion(input).digest : '1:none',
    answers: [],
    optionIndexes,
    resolvedBy: FACTS,
  }
  return host.resolveInput(resolution, { signal })
}

const brief = (events) => events.map(({ type, reason }) => (reason ? `${type}: ${reason}` : type))
const CODE = (code) => ({ status: 'rejected', code })
const answer = (...chosen) => ({ answers: { q: { answers: chosen } } })

test('a question: the label goes back under the id of the request, which is 0', async () => {
  const world = session()
  const { inputId, params } = await open(world, 'ask', [WHICH])
  const questions = [
    { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false },
  ]
  const input = { kind: 'question', inputId, sessionId: THREAD, questions }
  assert.deepEqual(await world.host.openInputs(THREAD), [input])
  assert.deepEqual(world.host.original(inputId), params)
  assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
  assert.deepEqual(world.written, [{ id: 0, result: answer('b') }])
  assert.deepEqual(brief(world.events), ['input.requested', 'input.resolved'])
  assert.deepEqual(world.events[1].optionIndexes, [[1]])
  assert.deepEqual((await world.host.settlement(inputId)).optionIndexes, [[1]])
  assert.deepEqual(await world.host.openInputs(THREAD), [])
})

test('an id keeps its type', async () => {
  const world = session()
  const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
  for (const id of [0, '0']) world.pass({ id, method: 'item/tool/requestUserInput', params })
  const inputs = await world.host.openInputs(THREAD)
  assert.equal(inputs.length, 2)
  for (const { inputId } of inputs) {
    world.host.answerOnDesktop(inputId, [['a']])
    await nextTurn()
  }
  assert.deepEqual(
    world.written.map(({ id }) => id),
    [0, '0'],
  )
})

for (const [name, options, proof] of [
  ['every item is told: the answer itself', {}, []],
  ['without that: the model goes on', { raw: false }, ['item/started']],
]) {
  test(`what proves an answer, where ${name}`, async () => {
    let held = []
    const feed = (message, pass) => (held === null ? pass(message) : held.push(message))
    const world = session({ ...options, feed })
    world.ask([WHICH])
    await world.quiet()
    held.splice(0).forEach(world.pass)
    const [{ inputId }] = await world.host.openInputs(THREAD)
    const given = resolve(world, inputId, [[0]])
    await world.quiet()
    const proving = proof.length > 0 ? proof : ['rawResponseItem/completed']
    assert.equal(held[0].method, 'serverRequest/resolved')
    for (const message of held.splice(0)) {
      // That a request is over is not enough.
      assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
      world.pass(message)
      if (proving.includes(message.method)) break
    }
    assert.deepEqual(await given, { status: 'resolved' })
  })
}

for (const [name, raw, events, reply, last] of [
  ['told item by item', true, ['raw', 'turn'], CODE('not-taken'), 'input.canceled: not-taken'],
  ['not told', false, ['turn'], { status: 'unknown' }, 'input.canceled: unproved'],
]) {
  test(`interrupted in the moment of an answer, ${name}: it does not count as taken`, async () => {
    const world = session({ feed: () => {} })
    const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
    if (raw) {
      const item = { type: 'message' }
      world.pass({ method: 'rawResponseItem/completed', params: { ...params, item } })
    }
    world.pass({ id: 5, method: 'item/tool/requestUserInput', params })
    const [{ inputId }] = await world.host.openInputs(THREAD)
    const given = resolve(world, inputId, [[0]])
    await nextTurn()
    // As measured: the request is over, and the model had nothing of it all the same.
    world.pass({
      method: 'serverRequest/resolved',
      params: { threadId: THREAD, requestId: 5 },
    })
    const item = {
      type: 'function_call_output',
      call_id: 'c',
      output: 'aborted by user after 0.1s',
    }
    if (events.includes('raw')) {
      world.pass({ method: 'rawResponseItem/completed', params: { ...params, item } })
    }
    const turn = { id: 't', status: 'interrupted' }
    world.pass({ method: 'turn/completed', params: { threadId: THREAD, turn } })
    assert.deepEqual(await given, reply)
    assert.equal(brief(world.events).at(-1), last)
  })
}

test('interrupted while it is open: canceled, and an answer is too late', async () => {
  for (const raw of [true, false]) {
    const world = session({ raw })
    const one = await open(world, 'ask', [WHICH])
    await world.interrupt(one)
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: gone'])
    assert.deepEqual(await resolve(world, one.inputId, [[0]]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  }
})

test('an answer that comes after the interruption was not taken', async () => {
  const world = session({ raw: false })
  const one = await open(world, 'ask', [WHICH])
  const over = world.interrupt(one)
  const given = resolve(world, one.inputId, [[0]])
  await over
  assert.deepEqual(await given, CODE('not-taken'))
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: not-taken'])
})

for (const [type, isProof] of [
  ['agentMessage', true],
  ['reasoning', true],
  ['commandExecution', true],
  ['userMessage', false],
]) {
  test(`a turn that goes on with ${type}: ${isProof ? 'a' : 'no'} proof`, async () => {
    const world = session({ feed: () => {} })
    const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
    world.pass({ id: 0, method: 'item/tool/requestUserInput', params })
    const [{ inputId }] = await world.host.openInputs(THREAD)
    resolve(world, inputId, [[0]])
    await nextTurn()
    const goesOn = (turnId) =>
      world.pass({ method: 'item/started', params: { threadId: THREAD, turnId, item: { type } } })
    goesOn('t')
    assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
    world.pass({ method: 'serverRequest/resolved', params: { threadId: THREAD, requestId: 0 } })
    goesOn('another')
    assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
    goesOn('t')
    const { status } = await world.host.settlement(inputId)
    assert.equal(status, isProof ? 'resolved' : 'unknown')
  })
}

test('two questions of one response: the second one proves the answer to the first', async () => {
  const world = session({ feed: () => {} })
  const request = (id, itemId) =>
    world.pass({
      id,
      method: 'item/tool/requestUserInput',
      params: { threadId: THREAD, turnId: 't', itemId, questions: [WHICH] },
    })
  request(0, 'c0')
  const [{ inputId }] = await world.host.openInputs(THREAD)
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.pass({ method: 'serverRequest/resolved', params: { threadId: THREAD, requestId: 0 } })
  request(1, 'c1')
  assert.deepEqual(await given, { status: 'resolved' })
})

test('another client answers first: the card goes, and nothing is sent', async () => {
  const world = session({ shared: true })
  const { id, inputId } = await open(world, 'ask', [WHICH])
  world.other(id, answer('b'))
  await world.quiet()
  assert.deepEqual(world.events.at(-1), {
    type: 'input.resolved',
    inputId,
    optionIndexes: undefined,
    resolvedBy: { kind: 'host' },
  })
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
  assert.equal(world.written.length, 1)
})

test('another client answers in the same moment: the model is told which of the two', async () => {
  const world = session({ shared: true })
  const { id, inputId } = await open(world, 'ask', [WHICH])
  world.other(id, answer('b'))
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
  assert.deepEqual(world.events.at(-1).optionIndexes, [[1]])
  assert.equal(world.received.get('call-0').length, 1)
})

test('the same, where only the end is told: unknown', async () => {
  const world = session({ shared: true, raw: false })
  const { inputId } = await open(world, 'ask', [WHICH])
  const seen = await warnings(async () => {
    assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'unknown' })
  })
  assert.match(seen[0], /arrived: the host has not said what became of it$/)
  assert.equal(brief(world.events).at(-1), 'input.canceled: unproved')
})

test('a thread that is resumed says again what is open: it is open once', async () => {
  const world = session()
  const { id, inputId, params } = await open(world, 'ask', [WHICH])
  world.pass({ id, method: 'item/tool/requestUserInput', params: structuredClone(params) })
  assert.deepEqual(brief(world.events), ['input.requested'])
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
})

for (const [name, restart] of [
  ['another connection', (world) => (world.disconnect(), codexSide({ host: world.host }))],
  [
    'the same connection',
    (world) => {
      const result = { userAgent: 'codex/0.171.0', codexHome: '/home/.codex' }
      world.pass({ id: 1, result })
      return world.side
    },
  ],
]) {
  test(`a process that was started anew, over ${name}: its ids begin anew`, async () => {
    const world = session()
    const first = await open(world, 'ask', [WHICH])
    const next = restart(world)
    assert.equal(brief(world.events).length, 2)
    assert.match(brief(world.events)[1], /^input\.canceled: (disconnected|restarted)$/)
    const second = next.ask([WHICH])
    await next.quiet()
    assert.deepEqual(await world.host.answerOnDesktop(first.inputId, [['a']]), CODE('not-found'))
    const [{ inputId }] = await world.host.openInputs(THREAD)
    assert.notEqual(inputId, first.inputId)
    assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
    assert.deepEqual(next.written, [{ id: second.id, result: answer('b') }])
  })
}

test('a process that is gone with an answer: unknown', async () => {
  const world = session({ feed: (message, pass) => message.id === 0 && pass(message) })
  const { inputId } = await open(world, 'ask', [WHICH])
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.disconnect()
  assert.deepEqual(await given, { status: 'unknown' })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
})

test('what cannot be written was not answered', async () => {
  const host = createCodexHost()
  let tell
  let isBroken = true
  const written = []
  host.connect({
    onMessage: (listener) => (tell = listener),
    send(message) {
      if (isBroken) throw new Error('closed')
      written.push(message)
    },
  })
  const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
  tell({ id: 0, method: 'item/tool/requestUserInput', params })
  const [{ inputId }] = await host.openInputs(THREAD)
  const seen = await warnings(async () => {
    assert.deepEqual(await resolve({ host }, inputId, [[0]]), { status: 'not-sent' })
  })
  assert.ok(seen.includes('an answer was not handed over: closed'))
  isBroken = false
  resolve({ host }, inputId, [[0]])
  await nextTurn()
  assert.equal(written.length, 1)
})

test('what is not understood is said, and the rest goes on', async () => {
  const world = session()
  const seen = await warnings(() => {
    for (const message of [null, undefined]) world.pass(message)
  })
  assert.equal(seen.length, 2)
  for (const message of [
    7,
    '{}',
    {},
    { method: 7 },
    { method: 'item/tool/requestUserInput', id: 0 },
    { method: 'item/tool/requestUserInput', id: 0, params: { questions: [WHICH] } },
    { method: 'item/completed', params: {} },
    { method: 'item/completed', params: { item: {} } },
    { method: 'turn/completed', params: {} },
    { method: 'serverRequest/resolved', params: {} },
    { id: 7, result: null },
    { id: 7, error: { code: -32600 } },
  ]) {
    world.pass(message)
  }
  assert.deepEqual(world.events, [])
  const { inputId } = await open(world, 'ask', [WHICH])
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
})

// ---- what is no question ----

test('what the app decides is only shown to wait', async () => {
  for (const [kind, method, params] of [
    ['permission', 'item/commandExecution/requestApproval', { command: 'rm -rf build' }],
    ['permission', 'execCommandApproval', { threadId: undefined, conversationId: THREAD }],
    ['permission', 'item/tool/requestUserInput', { questions: [{ ...WHICH, isOther: false }] }],
    ['other', 'item/tool/requestTaste', {}],
  ]) {
    const world = session()
    const { id } = world.request(method, params)
    await world.quiet()
    const [input] = await until(() => world.host.openInputs(THREAD))
    assert.equal(input.kind, kind)
    assert.deepEqual(Object.keys(input).sort(), ['inputId', 'kind', 'sessionId'])
    assert.deepEqual(await resolve(world, input.inputId, [[0]]), CODE('invalid'))
    assert.deepEqual(await world.host.answerOnDesktop(input.inputId, [['a']]), CODE('invalid'))
    assert.deepEqual(world.written, [])
    // The app decides by its own way.
    world.say('serverRequest/resolved', { threadId: THREAD, requestId: id })
    await world.quiet()
    assert.equal(brief(world.events).at(-1), 'input.canceled: decided')
  }
})

/** Looks until there is something. */
async function until(look) {
  for (;;) {
    const found = await look()
    if (found.length > 0) return found
    await new Promise((done) => setTimeout(done, 5))
  }
}

test('what the app decides by a rule of its own is never shown', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = session()
  const { id } = await open(world, 'request', 'item/fileChange/requestApproval', {})
  t.mock.timers.tick(199)
  await open(world, 'say', 'serverRequest/resolved', { threadId: THREAD, requestId: id })
  t.mock.timers.tick(1_000)
  assert.deepEqual(world.events, [])
})

test('the app is told which requests to leave alone', () => {
  const { host } = codexSide()
  const ask = { id: 0, method: 'item/tool/requestUserInput', params: { questions: [WHICH] } }
  assert.ok(host.asks(ask))
  for (const message of [
    { ...ask, id: undefined },
    { ...ask, params: { questions: [{ ...WHICH, id: 'mcp_tool_call_approval_1' }] } },
    { id: 0, method: 'item/commandExecution/requestApproval', params: {} },
    { id: 0, result: {} },
    undefined,
    null,
  ]) {
    assert.equal(host.asks(message), false)
  }
})

test('a secret question is for the card alone', async () => {
  const world = session()
  const { inputId } = await open(world, 'ask', [{ ...WHICH, isSecret: true }])
  const input = { kind: 'other', inputId, sessionId: THREAD }
  assert.deepEqual(await world.host.openInputs(THREAD), [input])
  assert.deepEqual(world.events, [{ type: 'input.requested', input }])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('not-found'))
  assert.equal(world.host.original(inputId).questions[0].question, 'Which?')
  assert.deepEqual(await world.host.answerOnDesktop(inputId, [['b']]), { status: 'resolved' })
  assert.equal(world.events.at(-1).optionIndexes, undefined)
})

// ---- forms, messages, the card ----

test('a form: values go back', async () => {
  const world = session()
  const { id, inputId } = await open(world, 'elicit', FORM)
  const [{ questions }] = await world.host.openInputs(THREAD)
  assert.deepEqual(questions[0].options, [{ label: 'PostgreSQL' }, { label: 'SQLite' }])
  assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
  const result = { action: 'accept', content: { db: 'sqlite' } }
  assert.deepEqual(world.written, [{ id, result }])
})

test('a form that takes two or more', async () => {
  const world = session()
  const parts = { type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 2 }
  const { inputId } = await open(world, 'elicit', form({ parts }))
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('invalid'))
  assert.deepEqual(await resolve(world, inputId, [[0, 2]]), { status: 'resolved' })
  assert.deepEqual(world.written[0].result.content, { parts: ['x', 'z'] })
})

test('a form whose server does not wait any more is gone with its tool', async () => {
  for (const isGiven of [false, true]) {
    const world = session({ feed: (message, pass) => pass(message) })
    const { inputId, params } = await open(world, 'elicit', FORM)
    const { threadId, turnId } = params
    const call = (id, status) => ({
      threadId,
      turnId,
      item: { type: 'mcpToolCall', id, server: 'asks', status },
    })
    // While another tool of that server runs, nobody knows which of the two asks.
    for (const id of ['m1', 'm2']) world.pass({ method: 'item/started', params: call(id) })
    const over = (id) => world.pass({ method: 'item/completed', params: call(id, 'completed') })
    over('m1')
    assert.equal((await world.host.openInputs(THREAD)).length, 1)
    const given = isGiven ? resolve(world, inputId, [[0]]) : null
    await Promise.resolve()
    over('m2')
    if (given) assert.deepEqual(await given, CODE('not-taken'))
    else assert.equal(brief(world.events).at(-1), 'input.canceled: gone')
    assert.deepEqual(await world.host.openInputs(THREAD), [])
  }
})

test('a form that nobody answers in time is dismissed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = session({ host: createCodexHost({ answerWithinMs: 1_000 }) })
  const { id } = await open(world, 'elicit', FORM)
  t.mock.timers.tick(1_000)
  assert.deepEqual(world.written, [{ id, result: { action: 'cancel', content: null } }])
  await world.quiet()
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: expired'])
})

test('a question in a message: the answer is a message, and proved when it is in the thread', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND])
  assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
  const [{ id, method, params }] = world.written
  assert.match(id, /^spoken-answer:/)
  assert.deepEqual(
    [method, params.threadId, params.clientUserMessageId],
    ['turn/start', THREAD, id],
  )
  assert.match(params.input[0].text, /"answer":"Postgres","question":"Which backend\?"/)
})

test('a message that the server does not take is no answer', async () => {
  const world = session({
    feed: (message, pass) => message.params?.item?.type === 'agentMessage' && pass(message),
  })
  const { inputId } = await open(world, 'post', [BACKEND])
  const { host } = world
  const given = host.answerOnDesktop(inputId, [['SQLite']])
  await nextTurn()
  world.pass({ id: world.written[0].id, error: { code: -32600, message: 'thread not found' } })
  assert.deepEqual(await given, CODE('not-taken'))
})

test('a message whose turn is interrupted before it was said: unknown', async () => {
  const world = session({
    feed: (message, pass) => message.params?.item?.type === 'agentMessage' && pass(message),
  })
  const { inputId } = await open(world, 'post', [BACKEND])
  const given = world.host.answerOnDesktop(inputId, [['SQLite']])
  await world.quiet()
  const turn = { id: 'turn-2', status: 'interrupted' }
  world.pass({ method: 'turn/completed', params: { threadId: THREAD, turn } })
  assert.deepEqual(await given, { status: 'unknown' })
})

test('a thread that is closed takes its messages with it', async () => {
  const world = session()
  await open(world, 'post', [BACKEND])
  await open(world, 'say', 'thread/closed', { threadId: 'another' })
  await open(world, 'say', 'thread/closed', { threadId: THREAD })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: closed'])
})

test('the card: free text, left open, declined', async () => {
  const two = [WHICH, { ...WHICH, id: 'r' }]
  const more = { ...db, title: 'And?' }
  const fields = { requestedSchema: { type: 'object', properties: { db, more }, required: ['db'] } }
  const title = (world) => JSON.parse(world.written[0].params.input[0].text.split('\n')[1])
  for (const [how, asking, reply, written, last] of [
    [
      'ask',
      two,
      [['teal'], null],
      { answers: { q: { answers: ['None of the above', 'user_note: teal'] }, r: { answers: [] } } },
      'input.resolved',
    ],
    [
      'ask',
      [WHICH],
      { answers: { q: { answers: ['b', 'user_note: soon'] } } },
      answer('b', 'user_note: soon'),
      'input.resolved',
    ],
    ['ask', [WHICH], { answers: {} }, { answers: {} }, 'input.canceled: declined'],
    [
      'elicit',
      form({}, fields),
      [['SQLite'], null],
      { action: 'accept', content: { db: 'sqlite' } },
      'input.resolved',
    ],
    ['elicit', FORM, { action: 'decline' }, { action: 'decline' }, 'input.canceled: declined'],
  ]) {
    const world = session()
    const { inputId } = await open(world, how, asking)
    assert.deepEqual(await world.host.answerOnDesktop(inputId, reply), { status: 'resolved' })
    assert.deepEqual(world.written[0].result, written)
    assert.equal(brief(world.events).at(-1), last)
  }
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND, { title: 'Port?', options: null }])
  await world.host.answerOnDesktop(inputId, [null, ['6000']])
  assert.deepEqual(
    title(world).map(({ answer: text }) => text),
    ['6000'],
  )
  const dropped = await open(world, 'post', [BACKEND])
  assert.deepEqual(await world.host.answerOnDesktop(dropped.inputId, [null]), {
    status: 'resolved',
  })
  assert.deepEqual(
    [world.written.length, brief(world.events).at(-1)],
    [1, 'input.canceled: declined'],
  )
})

test('what the host would not take is never sent', async () => {
  for (const [how, asking, replies] of [
    ['ask', [WHICH], [[], [[]], [['a', 'b']], [1], { answers: { q: 'a' } }, { action: 'accept' }]],
    ['elicit', FORM, [[['pg']], [null], [['SQLite'], ['SQLite']], { answers: {} }]],
    [
      'post',
      [BACKEND],
      [[], [['SQLite', 'Postgres']], { answers: {} }, { action: 'decline' }, [null, null]],
    ],
  ]) {
    const world = session()
    const { inputId } = await open(world, how, asking)
    for (const reply of replies) {
      assert.deepEqual(await world.host.answerOnDesktop(inputId, reply), CODE('invalid'))
    }
    assert.deepEqual([world.written, brief(world.events)], [[], ['input.requested']])
  }
})

test('mistakes of the calling program', async () => {
  const code = (name) => ({ name: 'TypeError', code: name })
  assert.throws(() => createCodexHost(null), code('INVALID_OPTIONS'))
  for (const answerWithinMs of [0, NaN, '5']) {
    assert.throws(() => createCodexHost({ answerWithinMs }), code('INVALID_ANSWER_WITHIN_MS'))
  }
  const { host } = codexSide()
  const nothing = () => {}
  for (const [connection, name] of [
    [undefined, 'INVALID_CONNECTION'],
    [{ onMessage: nothing }, 'INVALID_SEND'],
    [{ send: nothing }, 'INVALID_ON_MESSAGE'],
    [{ send: nothing, onMessage: nothing, shared: 1 }, 'INVALID_SHARED'],
  ]) {
    assert.throws(() => host.connect(connection), code(name))
  }
  for (const reply of [undefined, 'a', {}, { action: 'allow' }, { answers: 'a' }]) {
    assert.equal(await outcome(host.answerOnDesktop('x', reply)), 'TypeError INVALID_REPLY')
  }
  assert.deepEqual(await host.answerOnDesktop('x', [['a']]), CODE('not-found'))
  assert.deepEqual(await host.answerOnDesktop('x', { answers: {} }), CODE('not-found'))
})

test('an app that forgot to pass the messages on is told so', async (t) => {
  const warned = []
  const onWarning = ({ name, message }) => name === 'SpokenAnswerWarning' && warned.push(message)
  process.on('warning', onWarning)
  t.after(() => process.off('warning', onWarning))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = session({ feed: (message, pass) => message.id === 0 && pass(message) })
  const { inputId } = await open(world, 'ask', [WHICH])
  const given = world.host.answerOnDesktop(inputId, [['a']])
  await nextTurn()
  t.mock.timers.tick(15_000)
  await nextTurn()
  const why = 'pass every message of the app-server to the listener, in its order'
  assert.deepEqual(warned, [`nothing proves that the answer to input ${inputId} arrived: ${why}`])
  assert.deepEqual(await given, { status: 'unknown' })
})

// ---- reported of other apps ----

test('reported: a question answered in one client stayed open in the other', async () => {
  const world = session({ shared: true })
  const { inputId, item } = await open(world, 'post', [BACKEND])
  const other = codexSide()
  const text = await (async () => {
    other.post([BACKEND], item.id)
    await other.quiet()
    const [one] = await other.host.openInputs(THREAD)
    await other.host.answerOnDesktop(one.inputId, [['Postgres']])
    return other.written[0].params.input
  })()
  const params = { threadId: THREAD, item: { type: 'userMessage', clientId: 'x', content: text } }
  await open(world, 'say', 'item/completed', params)
  assert.deepEqual(world.events.at(-1).optionIndexes, [[1]])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
  assert.deepEqual(world.written, [])
})

test('reported: two answers to one question, and the model had both', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND])
  const replies = await Promise.all([
    resolve(world, inputId, [[0]]),
    resolve(world, inputId, [[1]]),
    world.host.answerOnDesktop(inputId, [['Postgres']]),
  ])
  assert.equal(replies.filter(({ status }) => status === 'resolved').length, 1)
  assert.equal(world.written.length, 1)
})

test('reported: the card vanished at the end of the turn, before an answer', async () => {
  const world = session()
  const { inputId, turnId } = await open(world, 'post', [BACKEND])
  const turn = { id: turnId, status: 'completed' }
  await open(world, 'say', 'turn/completed', { threadId: THREAD, turn })
  assert.equal((await world.host.openInputs(THREAD)).length, 1)
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
})

test('reported: the agent’s question was shown as what the user wrote', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [
    { title: 'Which package manager?', options: ['pnpm', 'npm'] },
  ])
  await resolve(world, inputId, [[0]])
  const { answers, resolvedBy, optionIndexes } = world.events.at(-1)
  assert.deepEqual([answers, optionIndexes, resolvedBy.kind], [undefined, [[0]], 'voice'])
})

test('reported: a permission for a tool was answered as a question', async () => {
  const world = session()
  const approval = asked('mcp_tool_call_approval_x', 'Allow?', ['Allow', 'Cancel'], {
    isOther: false,
  })
  world.ask([approval])
  world.elicit(form({}, { _meta: { codex_approval_kind: 'mcp_tool_call' } }))
  await world.quiet()
  const inputs = await until(() => world.host.openInputs(THREAD))
  assert.ok(inputs.every(({ kind, questions }) => kind === 'permission' && questions === undefined))
  assert.deepEqual(world.written, [])
})

test('reported: questions were answered with nothing before anybody saw them', async () => {
  const world = session()
  await open(world, 'ask', [WHICH])
  await open(world, 'elicit', FORM)
  await open(world, 'post', [BACKEND])
  assert.deepEqual([world.written, (await world.host.openInputs(THREAD)).length], [[], 3])
  world.disconnect()
  assert.deepEqual(world.written, [])
})

test('reported: what was typed took the place of the option that was picked', async () => {
  const world = session()
  const { inputId } = await open(world, 'ask', [WHICH])
  const both = { answers: { q: { answers: ['b', 'user_note: on port 6000'] } } }
  await world.host.answerOnDesktop(inputId, both)
  assert.deepEqual(world.written[0].result, both)
})

test('reported: the choices were never shown, and the turn went on with the agent’s own', async () => {
  const world = session()
  const one = await open(world, 'ask', [WHICH])
  const turn = { id: one.params.turnId, status: 'completed' }
  await open(world, 'say', 'turn/completed', { threadId: THREAD, turn })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: gone'])
  assert.deepEqual(await world.host.settlement(one.inputId), { status: 'canceled' })
})

test('reported: typing something else counted as an answer', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND])
  const content = [{ type: 'text', text: 'SQLite', text_elements: [] }]
  const item = { type: 'userMessage', clientId: null, content }
  await open(world, 'say', 'item/completed', { threadId: THREAD, item })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
})
