'use strict'
// The Codex adapter with the server's side faked: what is open, what proves an answer, and what ends it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { createCodexHost } = require('../main/hosts/codex.js')
const { warnings } = require('./asking.js')
const {
  BACKEND,
  CODE,
  FORM,
  WHICH,
  answer,
  brief,
  open,
  resolve,
  session,
} = require('./codex-session.js')
const { THREAD, codexSide } = require('./codex-side.js')

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

for (const [item, isProof] of [
  [{ type: 'agentMessage' }, true],
  [{ type: 'reasoning' }, true],
  [{ type: 'mcpToolCall' }, true],
  [{ type: 'commandExecution', source: 'agent' }, true],
  [{ type: 'commandExecution', source: 'unifiedExecStartup' }, true],
  [{ type: 'commandExecution', source: 'userShell' }, false],
  [{ type: 'commandExecution' }, false],
  [{ type: 'userMessage' }, false],
  [{ type: 'hookPrompt' }, false],
  [{ type: 'enteredReviewMode' }, false],
  [{ type: 'contextCompaction' }, false],
  [{ type: 'of a later version' }, false],
]) {
  const name = [item.type, item.source].filter(Boolean).join(' of ')
  test(`a turn that goes on with ${name}: ${isProof ? 'a' : 'no'} proof`, async () => {
    const world = session({ feed: () => {} })
    const params = { threadId: THREAD, turnId: 't', itemId: 'c', questions: [WHICH] }
    world.pass({ id: 0, method: 'item/tool/requestUserInput', params })
    const [{ inputId }] = await world.host.openInputs(THREAD)
    resolve(world, inputId, [[0]])
    await nextTurn()
    const goesOn = (turnId) =>
      world.pass({ method: 'item/started', params: { threadId: THREAD, turnId, item } })
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

for (const [name, output] of [
  ['a plain text', 'request_user_input was cancelled before receiving a response'],
  ['a list', [{ type: 'input_text', text: 'cancelled' }]],
]) {
  test(`its tool had ${name} before anybody answered: over, and no answer goes to a later request`, async () => {
    const world = session({ feed: () => {} })
    const ask = (turnId, itemId) =>
      world.pass({
        id: 0,
        method: 'item/tool/requestUserInput',
        params: { threadId: THREAD, turnId, itemId, questions: [WHICH] },
      })
    ask('t', 'c1')
    const [{ inputId }] = await world.host.openInputs(THREAD)
    const item = { type: 'function_call_output', call_id: 'c1', output }
    const params = { threadId: THREAD, turnId: 't', item }
    world.pass({ method: 'rawResponseItem/completed', params })
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: gone'])
    ask('u', 'c2')
    assert.deepEqual(await resolve(world, inputId, [[1]]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  })
}

/** A host with one connection, and what `send` does when something is written to it. */
function wired(send) {
  const host = createCodexHost()
  const events = []
  host.watch(THREAD, (event) => events.push(event))
  const world = { host, events, written: [] }
  world.disconnect = host.connect({
    onMessage: (listener) => (world.pass = listener),
    send(message) {
      world.written.push(message)
      return send(message, world)
    },
  })
  world.ask = (id, turnId = 't', itemId = 'c') =>
    world.pass({
      id,
      method: 'item/tool/requestUserInput',
      params: { threadId: THREAD, turnId, itemId, questions: [WHICH] },
    })
  return world
}

const turnOver = (id) => ({
  method: 'turn/completed',
  params: { threadId: THREAD, turn: { id, status: 'interrupted' } },
})
const isOver = (requestId) => ({
  method: 'serverRequest/resolved',
  params: { threadId: THREAD, requestId },
})

for (const [name, send, reply, last] of [
  [
    'the connection ends, and it throws',
    (_, world) => {
      world.disconnect()
      throw new Error('EPIPE')
    },
    { status: 'unknown' },
    'unproved',
  ],
  ['the connection ends', (_, world) => world.disconnect(), { status: 'unknown' }, 'unproved'],
  [
    'its turn is interrupted',
    (_, world) => [isOver(0), turnOver('t')].forEach(world.pass),
    { status: 'unknown' },
    'unproved',
  ],
  [
    'its turn ends without it',
    (_, world) => world.pass(turnOver('t')),
    CODE('not-taken'),
    'not-taken',
  ],
]) {
  test(`while an answer is written ${name}: told once, and no second one is written`, async () => {
    const world = wired(send)
    world.ask(0)
    const [{ inputId }] = await world.host.openInputs(THREAD)
    await warnings(async () => {
      assert.deepEqual(await resolve(world, inputId, [[0]]), reply)
      assert.equal((await resolve(world, inputId, [[1]])).status, 'rejected')
    })
    assert.deepEqual(brief(world.events), ['input.requested', `input.canceled: ${last}`])
    assert.deepEqual([world.written.length, await world.host.openInputs(THREAD)], [1, []])
  })
}

test('the connection ends in the event that says that something is open: nothing stays open', async () => {
  const world = wired(() => {})
  world.host.watch(THREAD, ({ type }) => type === 'input.requested' && world.disconnect())
  world.ask(0)
  assert.deepEqual(await world.host.openInputs(THREAD), [])
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: disconnected'])
})

test('the id of a request that was answered comes again: the first is unknown at once', async () => {
  const world = wired(() => {})
  world.ask(0, 't', 'c1')
  const [{ inputId }] = await world.host.openInputs(THREAD)
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.ask(0, 'u', 'c2')
  await warnings(async () => assert.deepEqual(await given, { status: 'unknown' }))
  const inputs = await world.host.openInputs(THREAD)
  assert.deepEqual(
    inputs.map((input) => input.inputId),
    [`${THREAD}:u:c2`],
  )
})

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

test('what is perhaps not written is unknown at once', async () => {
  const world = wired(() => Promise.reject(new Error('closed')))
  world.ask(0)
  const [{ inputId }] = await world.host.openInputs(THREAD)
  const seen = await warnings(async () => {
    assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'unknown' })
  })
  assert.equal(seen[0], 'an answer was perhaps not handed over: closed')
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: unproved'])
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

test('five thousand random messages: nothing throws, and nothing is ever answered by itself', async () => {
  let state = 11
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const methods = [
    'item/tool/requestUserInput',
    'mcpServer/elicitation/request',
    'item/fileChange/requestApproval',
    'serverRequest/resolved',
    'rawResponseItem/completed',
    'item/started',
    'item/completed',
    'turn/completed',
    'thread/closed',
    'turn/start',
    undefined,
  ]
  const items = [
    { type: 'function_call_output', call_id: 'c', output: '{"answers":{}}' },
    { type: 'mcpToolCall', id: 'm', server: 'asks', status: 'completed' },
    { type: 'userMessage', content: [{ type: 'text', text: '' }] },
    { type: 'agentMessage', id: 'c', delivery: 'async', questions: [BACKEND] },
    { type: 'agentMessage', id: 'm' },
  ]
  const odd = [undefined, null, 0, '', 'x', [], {}, true]
  const maybe = (value) => (next(6) === 0 ? pick(odd) : value)
  const world = session()
  const seen = await warnings(async () => {
    for (let round = 0; round < 5_000; round++) {
      const params = {
        threadId: maybe(THREAD),
        turnId: maybe(pick(['t', 'u'])),
        itemId: maybe('c'),
        requestId: maybe(next(4)),
        questions: maybe([maybe(WHICH)]),
        item: maybe(pick(items)),
        turn: maybe({ id: 't', status: pick(['completed', 'interrupted']) }),
        serverName: 'asks',
        mode: maybe('form'),
        ...(next(2) === 0 ? FORM : {}),
      }
      const id = next(2) === 0 ? undefined : maybe(next(4))
      world.pass({ method: pick(methods), id, params: maybe(params), result: maybe({}) })
    }
  })
  assert.deepEqual([seen, world.written], [[], []])
  const opened = world.events.filter(({ type }) => type === 'input.requested')
  assert.ok(opened.some(({ input }) => input.kind === 'question'))
  for (const { input } of await world.host.openInputs(THREAD)) {
    assert.equal(input.questions === undefined, input.kind !== 'question')
  }
})
