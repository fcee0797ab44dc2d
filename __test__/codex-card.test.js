'use strict'
// The Codex adapter with the server's side faked: what is no question, forms and messages, and the card.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { createCodexHost } = require('../main/hosts/codex.js')
const { toText } = require('../main/hosts/codex-message.js')
const { Messages } = require('../main/hosts/codex-messages.js')
const { outcome, warnings } = require('./asking.js')
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

test('what nobody can copy comes again under its id: another request', async () => {
  const world = session()
  const marks = JSON.parse(`${'{"d":'.repeat(200)}1${'}'.repeat(200)}`)
  for (const method of ['item/fileChange/requestApproval', 'item/tool/requestTaste']) {
    world.pass({ id: 0, method, params: { threadId: THREAD, marks } })
  }
  const inputs = await until(() => world.host.openInputs(THREAD))
  assert.deepEqual(
    inputs.map(({ kind }) => kind),
    ['other'],
  )
})

test('the app is told to leave alone what is open here, and nothing else', async () => {
  const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
  const ask = { id: 0, method: 'item/tool/requestUserInput', params }
  const elicit = { ...params, ...FORM, serverName: 'asks', mode: 'form' }
  const elicited = { id: 0, method: 'mcpServer/elicitation/request', params: elicit }
  const odd = (question) => ({ ...ask, params: { ...params, questions: [question] } })
  const nested = (depth) => JSON.parse(`${'{"d":'.repeat(depth)}1${'}'.repeat(depth)}`)
  const deep = nested(6_000)
  for (const [name, isOurs, message] of [
    ['a question', true, ask],
    ['a form', true, elicited],
    ['with a text for an id', true, { ...ask, id: 'a' }],
    ['as deep as anybody asks', true, { ...elicited, params: { ...elicit, _meta: nested(99) } }],
    ['deeper', false, { ...elicited, params: { ...elicit, _meta: nested(100) } }],
    ['no request', false, { ...ask, id: undefined }],
    ['an id that is null', false, { ...ask, id: null }],
    ['no thread', false, { ...ask, params: { ...params, threadId: undefined } }],
    ['an empty one', false, { ...ask, params: { ...params, threadId: '' } }],
    ['one too long', false, { ...ask, params: { ...params, threadId: 'x'.repeat(257) } }],
    ['marks that nobody can copy', false, { ...elicited, params: { ...elicit, _meta: deep } }],
    ['a permission', false, odd({ ...WHICH, id: 'mcp_tool_call_approval_1' })],
    ['an id that is no text', false, odd(JSON.parse('{"id":{"toString":1},"question":"W"}'))],
    ['a command', false, { ...ask, method: 'item/commandExecution/requestApproval' }],
    ['a reply', false, { id: 0, result: {} }],
    ['nothing', false, undefined],
    ['null', false, null],
    [
      'what cannot be read',
      false,
      {
        get method() {
          throw new Error('on purpose')
        },
      },
    ],
  ]) {
    const world = session()
    assert.equal(world.host.asks(message), isOurs, name)
    await warnings(() => world.pass(message))
    const inputs = await world.host.openInputs(THREAD)
    assert.equal(inputs.filter(({ kind }) => kind === 'question').length, isOurs ? 1 : 0, name)
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

test('a form: values go back, and nobody ever says that they arrived', async () => {
  const world = session()
  const { id, inputId } = await open(world, 'elicit', FORM)
  const [{ questions }] = await world.host.openInputs(THREAD)
  assert.deepEqual(questions[0].options, [{ label: 'PostgreSQL' }, { label: 'SQLite' }])
  assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'submitted' })
  const result = { action: 'accept', content: { db: 'sqlite' } }
  assert.deepEqual(world.written, [{ id, result }])
  await world.quiet()
  assert.deepEqual(brief(world.events), ['input.requested', 'input.resolved'])
  assert.deepEqual([world.events[1].proof, world.events[1].optionIndexes], ['none', [[1]]])
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
})

test('a form that takes two or more', async () => {
  const world = session()
  const parts = { type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 2 }
  const { inputId } = await open(world, 'elicit', form({ parts }))
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('invalid'))
  assert.deepEqual(await resolve(world, inputId, [[0, 2]]), { status: 'submitted' })
  assert.deepEqual(world.written[0].result.content, { parts: ['x', 'z'] })
})

test('a form whose answer is on its way is said again: it is not asked a second time', async () => {
  const world = session({ feed: () => {} })
  const { id, params } = world.elicit(FORM)
  const request = { id, method: 'mcpServer/elicitation/request', params }
  world.pass(request)
  const [{ inputId }] = await world.host.openInputs(THREAD)
  await resolve(world, inputId, [[0]])
  world.pass(structuredClone(request))
  assert.deepEqual(await world.host.openInputs(THREAD), [])
  assert.equal(world.written.length, 1)
})

test('a form stays open while its server is at other things, and ends with its turn', async () => {
  const world = session({ feed: (message, pass) => pass(message) })
  const { inputId, params } = await open(world, 'elicit', FORM)
  const { threadId, turnId } = params
  const call = (id, status) => ({
    threadId,
    turnId,
    item: { type: 'mcpToolCall', id, server: 'asks', status },
  })
  for (const id of ['m1', 'm2']) world.pass({ method: 'item/started', params: call(id) })
  for (const id of ['m1', 'm2']) {
    world.pass({ method: 'item/completed', params: call(id, 'completed') })
  }
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
  const turn = { id: turnId, status: 'completed' }
  await open(world, 'say', 'turn/completed', { threadId, turn })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: gone'])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('not-found'))
  assert.deepEqual(world.written, [])
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

for (const [name, refuse] of [
  [
    'throws',
    () => {
      throw new Error('closed')
    },
  ],
  ['is rejected', () => Promise.reject(new Error('closed'))],
]) {
  test(`a form that nobody answers in time, and to dismiss it ${name}: a warning`, async () => {
    const host = createCodexHost({ answerWithinMs: 1 })
    let pass
    host.connect({ send: refuse, onMessage: (listener) => (pass = listener) })
    const seen = await warnings(async () => {
      const params = { threadId: THREAD, turnId: 't', serverName: 'asks', mode: 'form', ...FORM }
      pass({ id: 0, method: 'mcpServer/elicitation/request', params })
      while ((await host.openInputs(THREAD)).length > 0) await nextTurn()
    })
    assert.deepEqual(seen, ['a form was not dismissed: closed'])
  })
}

test('a form whose connection ends while it is written to, and that throws: over', async () => {
  const host = createCodexHost()
  let pass
  const disconnect = host.connect({
    onMessage: (listener) => (pass = listener),
    send() {
      disconnect()
      throw new Error('EPIPE')
    },
  })
  const events = []
  host.watch(THREAD, (event) => events.push(event))
  const params = { threadId: THREAD, turnId: 't', serverName: 'asks', mode: 'form', ...FORM }
  pass({ id: 0, method: 'mcpServer/elicitation/request', params })
  const [{ inputId }] = await host.openInputs(THREAD)
  await warnings(async () => {
    assert.deepEqual(await resolve({ host }, inputId, [[0]]), { status: 'not-sent' })
  })
  assert.deepEqual(brief(events), ['input.requested', 'input.canceled: disconnected'])
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

const onlyAsks = {
  feed: (message, pass) => message.params?.item?.type === 'agentMessage' && pass(message),
}
/** The message of the user that is in the thread then, by what was written. */
const inThread = ({ id: clientId, params }, threadId = params.threadId) => ({
  method: 'item/completed',
  params: { threadId, turnId: 'u', item: { type: 'userMessage', clientId, content: params.input } },
})
/** The message of another client that answers some of the questions, by what its card writes. */
const byOther = (item, answers) =>
  inThread({ id: 'other', params: { threadId: THREAD, input: [{ text: toText(item, answers) }] } })

test('a message that the server does not take is not sent: it can be answered again', async () => {
  const world = session(onlyAsks)
  const { inputId } = await open(world, 'post', [BACKEND])
  const given = world.host.answerOnDesktop(inputId, [['SQLite']])
  await nextTurn()
  world.pass({ id: world.written[0].id, error: { code: -32001, message: 'overloaded' } })
  assert.deepEqual(await given, { status: 'not-sent' })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
  // What is said of the first one later is nothing.
  world.pass({ id: world.written[0].id, error: { code: -32001 } })
  const second = resolve(world, inputId, [[1]])
  await nextTurn()
  world.pass(inThread(world.written[1]))
  assert.deepEqual(await second, { status: 'resolved' })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.resolved'])
})

test('the same, and another client had answered meanwhile: it is over', async () => {
  const world = session(onlyAsks)
  const { inputId, item } = await open(world, 'post', [BACKEND])
  const given = world.host.answerOnDesktop(inputId, [['SQLite']])
  await nextTurn()
  world.pass(byOther(item, [['Postgres']]))
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
  world.pass({ id: world.written[0].id, error: { code: -32001 } })
  assert.deepEqual(await given, { status: 'not-sent' })
  assert.deepEqual(await world.host.settlement(inputId), {
    status: 'resolved',
    optionIndexes: [[1]],
    resolvedBy: { kind: 'host' },
  })
})

test('the same after it was given up: over, and nobody is told twice what became of it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = session(onlyAsks)
  const { inputId } = await open(world, 'post', [BACKEND])
  const given = world.host.answerOnDesktop(inputId, [['SQLite']])
  await nextTurn()
  t.mock.timers.tick(15_000)
  assert.deepEqual(await given, { status: 'unknown' })
  world.pass({ id: world.written[0].id, error: { code: -32001 } })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'canceled' })
  await nextTurn()
})

const PORT = { title: 'Which port?', options: ['80', '443'] }
/** Ours is on its way and given up: two questions, and what the server says of it is still to come. */
async function givenUp(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = session(onlyAsks)
  const one = await open(world, 'post', [BACKEND, PORT])
  const given = world.host.answerOnDesktop(one.inputId, [['SQLite'], ['80']])
  await nextTurn()
  t.mock.timers.tick(15_000)
  assert.deepEqual(await given, { status: 'unknown' })
  const refuse = () => world.pass({ id: world.written[0].id, error: { code: -32001 } })
  return { world, refuse, ...one }
}
const UNPROVED = ['input.requested', 'input.canceled: unproved']

test('given up, answered in part elsewhere, and then not taken: the rest is open, until it is over', async (t) => {
  for (const [end, last] of [
    ['answered', 'input.resolved'],
    ['closed', 'input.canceled: closed'],
  ]) {
    await t.test(end, async (part) => {
      const { world, refuse, item } = await givenUp(part)
      world.pass(byOther(item, [['Postgres'], null]))
      refuse()
      const told = [...UNPROVED, 'input.canceled: not-taken', 'input.requested']
      assert.deepEqual(brief(world.events), told)
      const [rest] = await world.host.openInputs(THREAD)
      assert.deepEqual(
        rest.questions.map(({ question }) => question),
        ['Which port?'],
      )
      if (end === 'answered') {
        const given = resolve(world, rest.inputId, [[1]])
        await nextTurn()
        world.pass(inThread(world.written[1]))
        assert.deepEqual(await given, { status: 'resolved' })
      } else {
        world.pass({ method: 'thread/closed', params: { threadId: THREAD } })
      }
      assert.deepEqual(brief(world.events), [...told, last])
      assert.deepEqual(await world.host.openInputs(THREAD), [])
    })
  }
})

test('given up and not taken: what others answer later opens nothing', async (t) => {
  const { world, refuse, item } = await givenUp(t)
  refuse()
  world.pass(byOther(item, [['Postgres'], null]))
  assert.deepEqual(brief(world.events), [...UNPROVED, 'input.canceled: not-taken'])
})

test('what other clients answer while ours is on its way is kept, message by message', async () => {
  const world = session(onlyAsks)
  const { inputId, item } = await open(world, 'post', [BACKEND, PORT])
  const given = world.host.answerOnDesktop(inputId, [['SQLite'], ['80']])
  await nextTurn()
  world.pass(byOther(item, [['Postgres'], null]))
  world.pass(byOther(item, [null, ['443']]))
  world.pass({ id: world.written[0].id, error: { code: -32001 } })
  assert.deepEqual(await given, { status: 'not-sent' })
  const resolvedBy = { kind: 'host' }
  const event = { type: 'input.resolved', inputId, optionIndexes: [[1], [1]], resolvedBy }
  assert.deepEqual(world.events.slice(1), [event])
})

test('an answer to another message is none to this one', async () => {
  const world = session(onlyAsks)
  const { inputId, item } = await open(world, 'post', [BACKEND])
  world.pass(byOther({ ...item, id: 'another' }, [['Postgres']]))
  assert.deepEqual(brief(world.events), ['input.requested'])
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
})

for (const [name, send, reply, settlement] of [
  [
    'that was not written',
    () => {
      throw new Error('EPIPE')
    },
    { status: 'not-sent' },
    { status: 'resolved', optionIndexes: [[1]], resolvedBy: { kind: 'host' } },
  ],
  [
    'whose writing was rejected',
    () => Promise.reject(new Error('EPIPE')),
    { status: 'unknown' },
    { status: 'unknown' },
  ],
]) {
  test(`a message ${name}: known at once, and then another client answers`, async () => {
    const host = createCodexHost()
    let pass
    host.connect({ send, onMessage: (listener) => (pass = listener) })
    const item = { type: 'agentMessage', id: 'm', delivery: 'async', questions: [BACKEND] }
    pass({ method: 'item/completed', params: { threadId: THREAD, turnId: 't', item } })
    const [{ inputId }] = await host.openInputs(THREAD)
    await warnings(async () => {
      assert.deepEqual(await resolve({ host }, inputId, [[0]]), reply)
    })
    pass(byOther(item, [['Postgres']]))
    assert.deepEqual(await host.settlement(inputId), settlement)
  })
}

test('an error that is null is none', async () => {
  const world = session(onlyAsks)
  const { inputId } = await open(world, 'post', [BACKEND])
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.pass({ id: world.written[0].id, result: { turn: { id: 'u' } }, error: null })
  world.pass(inThread(world.written[0]))
  assert.deepEqual(await given, { status: 'resolved' })
})

test('the same message in another thread proves nothing', async () => {
  const world = session(onlyAsks)
  const { inputId } = await open(world, 'post', [BACKEND])
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.pass(inThread(world.written[0], 'another'))
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
  world.pass(inThread(world.written[0]))
  assert.deepEqual(await given, { status: 'resolved' })
})

test('a message that is in the thread before it is written out is ours', async () => {
  const host = createCodexHost()
  let pass
  const send = (message) => pass(inThread(message))
  host.connect({ send, onMessage: (listener) => (pass = listener) })
  const events = []
  host.watch(THREAD, (event) => events.push(event))
  const item = { type: 'agentMessage', id: 'm', delivery: 'async', questions: [BACKEND] }
  pass({ method: 'item/completed', params: { threadId: THREAD, turnId: 't', item } })
  const [{ inputId }] = await host.openInputs(THREAD)
  assert.deepEqual(await resolve({ host }, inputId, [[0]]), { status: 'resolved' })
  assert.equal(events.at(-1).resolvedBy.kind, 'voice')
})

test('a message that was answered is told again: it is not open again', async () => {
  const world = session()
  const { inputId, turnId, item } = await open(world, 'post', [BACKEND])
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
  await open(world, 'post', item.questions, item.id, turnId)
  assert.deepEqual(await world.host.openInputs(THREAD), [])
  assert.equal(world.written.length, 1)
})

test('a message that is dropped in the event that says that it is open', async () => {
  const world = session()
  let dropped
  world.host.watch(THREAD, ({ type, input }) => {
    if (type === 'input.requested') dropped = world.host.answerOnDesktop(input.inputId, [null])
  })
  await open(world, 'post', [BACKEND])
  assert.deepEqual(await dropped, { status: 'resolved' })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: declined'])
})

test('another client answers one of several questions: the others are asked anew, and only those', async () => {
  const world = session()
  const port = { title: 'Which port?', options: ['80', '443'] }
  const name = { title: 'Which name?', options: ['ada', 'bob'] }
  const first = await open(world, 'post', [BACKEND, port, name])
  world.pass(byOther(first.item, [['Postgres'], null, null]))
  const told = ['input.requested', 'input.canceled: answered-in-part', 'input.requested']
  assert.deepEqual(brief(world.events), told)
  assert.deepEqual(await resolve(world, first.inputId, [[0], [0], [0]]), CODE('not-found'))
  const [second] = await world.host.openInputs(THREAD)
  assert.deepEqual(
    second.questions.map(({ question }) => question),
    ['Which port?', 'Which name?'],
  )
  world.pass(byOther(first.item, [null, ['443'], null]))
  const [third] = await world.host.openInputs(THREAD)
  assert.deepEqual(await resolve(world, third.inputId, [[1]]), { status: 'resolved' })
  const [{ answer: chosen, questionItemId }] = JSON.parse(
    world.written[0].params.input[0].text.split('\n')[1],
  )
  const place = JSON.stringify(['request_user_input_async', first.item.id, 2])
  assert.deepEqual([chosen, questionItemId], ['bob', place])
})

test('many messages that are open: their end looks through everything once, and not once for each', () => {
  const canceled = []
  let looks = 0
  const openings = {
    open: (asked, _, { opened }) => opened(asked.id),
    cancel: (inputId) => canceled.push(inputId),
    lost: () => (looks += 1),
  }
  const messages = new Messages(openings, { send() {} })
  const item = { type: 'agentMessage', delivery: 'async', questions: [BACKEND] }
  for (let n = 0; n < 100; n++) {
    const params = { threadId: THREAD, turnId: 't', item: { ...item, id: `m${n}` } }
    messages.hear({ method: 'item/completed', params })
  }
  messages.end('disconnected')
  assert.deepEqual([canceled.length, looks], [100, 1])
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

test('what of a closed thread is told again: open where nobody had answered any of it', async () => {
  for (const [name, before, isOpen] of [
    ['not answered', () => {}, true],
    [
      'answered in part',
      ({ world, item }) => world.pass(byOther(item, [['Postgres'], null])),
      false,
    ],
    [
      'with an answer on its way',
      ({ world, inputId }) => world.host.answerOnDesktop(inputId, [['SQLite'], ['80']]),
      false,
    ],
  ]) {
    const world = session(onlyAsks)
    const one = await open(world, 'post', [BACKEND, PORT])
    void before({ world, ...one })
    await nextTurn()
    await warnings(() => world.pass({ method: 'thread/closed', params: { threadId: THREAD } }))
    const told = world.events.length
    // What is said of ours now is said of nothing that is open.
    world.pass({ id: world.written[0]?.id ?? 'none', error: { code: -32001 } })
    assert.equal(world.events.length, told, name)
    await open(world, 'post', one.item.questions, one.item.id, one.turnId)
    assert.equal((await world.host.openInputs(THREAD)).length, isOpen ? 1 : 0, name)
  }
})

test('the connection ends in the event that says that a part was answered: nothing is open', async () => {
  const world = session()
  const { item } = await open(world, 'post', [BACKEND, PORT])
  world.host.watch(THREAD, ({ reason }) => reason === 'answered-in-part' && world.disconnect())
  world.pass(byOther(item, [['Postgres'], null]))
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: answered-in-part'])
  assert.deepEqual(await world.host.openInputs(THREAD), [])
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
    const status = how === 'elicit' ? 'submitted' : 'resolved'
    assert.deepEqual(await world.host.answerOnDesktop(inputId, reply), { status })
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
