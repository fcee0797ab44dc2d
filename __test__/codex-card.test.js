'use strict'
// The Codex adapter with the server's side faked: what is no question, forms and messages, and the card.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { createCodexHost } = require('../main/hosts/codex.js')
const { outcome } = require('./asking.js')
const {
  BACKEND,
  CODE,
  FORM,
  WHICH,
  answer,
  brief,
  db,
  form,
  open,
  resolve,
  session,
  until,
} = require('./codex-session.js')
const { THREAD, codexSide } = require('./codex-side.js')

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
