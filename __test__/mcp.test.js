'use strict'
// The MCP adapter with the client's side faked. The second half are things that people reported of other
// apps, named after what they saw.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const { test } = require('node:test')
const { SpokenQuestion } = require('..')
const { createMcpHost } = require('../main/hosts/mcp.js')
const { FACTS, outcome } = require('./asking.js')

const SESSION = 'session-1'
const DATABASE = {
  type: 'string',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const FEATURES = { type: 'array', items: { enum: ['auth', 'mail', 'search'] }, minItems: 2 }
const form = (properties, required = Object.keys(properties), more) => ({
  message: 'Which database?',
  requestedSchema: { type: 'object', properties, required },
  ...more,
})

/** A host with one connection; `elicit` is what the server does. */
function connected({ fallback = async () => ({ action: 'decline' }), ...options } = {}) {
  const host = createMcpHost({ sessionId: SESSION, ...options })
  const events = []
  host.watch(SESSION, (event) => events.push(event))
  const connect = () => {
    const handler = host.onElicit(fallback)
    let last = -1
    return (params) => {
      const abort = new AbortController()
      const extra = { signal: abort.signal, requestId: (last += 1) }
      return { over: handler({ method: 'elicitation/create', params }, extra), abort }
    }
  }
  return { host, events, connect, elicit: connect() }
}

async function only({ host }) {
  const [input, ...more] = await host.openInputs(SESSION)
  assert.equal(more.length, 0)
  return input
}

const resolve = (host, input, optionIndexes) =>
  host.resolveInput(
    {
      inputId: input.inputId,
      sessionId: SESSION,
      expectDigest: new SpokenQuestion(input).digest,
      answers: [],
      optionIndexes,
      resolvedBy: FACTS,
    },
    { signal: new AbortController().signal },
  )

const brief = (events) => events.map(({ type, reason }) => [type, reason].filter(Boolean).join(' '))

test('a question: the value goes back, and nobody says that it arrived', async () => {
  const world = connected()
  const { over } = world.elicit(form({ db: DATABASE }))
  const input = await only(world)
  assert.deepEqual(input.questions, [
    {
      question: 'Which database?',
      options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }],
      multiSelect: false,
    },
  ])
  assert.deepEqual(world.host.original(input.inputId), form({ db: DATABASE }))
  assert.deepEqual(await resolve(world.host, input, [[1]]), { status: 'submitted' })
  assert.deepEqual(await over, { action: 'accept', content: { db: 'sqlite' } })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.resolved'])
  assert.deepEqual(await world.host.settlement(input.inputId), { status: 'unknown' })
})

test('fewer than the server wants are not sent', async () => {
  const world = connected()
  const { over } = world.elicit(form({ features: FEATURES }))
  const input = await only(world)
  const invalid = { status: 'rejected', code: 'invalid' }
  assert.deepEqual(await resolve(world.host, input, [[0]]), invalid)
  assert.deepEqual(await world.host.answerOnDesktop(input.inputId, [['auth']]), invalid)
  assert.deepEqual(await resolve(world.host, input, [[0, 2]]), { status: 'submitted' })
  assert.deepEqual(await over, { action: 'accept', content: { features: ['auth', 'search'] } })
})

test('what is no question is answered by the app, and only shown to wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let answer
  const world = connected({ fallback: () => new Promise((done) => (answer = done)) })
  for (const [params, kind] of [
    [form({}), 'permission'],
    [form({ ok: { type: 'boolean' } }), 'permission'],
    [form({ name: { type: 'string' } }), 'other'],
    [{ mode: 'url', message: 'Sign in', url: 'https://example.invalid/' }, 'other'],
  ]) {
    const { over } = world.elicit(params)
    t.mock.timers.tick(200)
    const input = await only(world)
    assert.equal(input.kind, kind)
    const invalid = { status: 'rejected', code: 'invalid' }
    assert.deepEqual(await resolve(world.host, input, [[0]]), invalid)
    answer({ action: 'decline' })
    assert.deepEqual(await over, { action: 'decline' })
    assert.deepEqual(await world.host.openInputs(SESSION), [])
  }
})

test('the card: labels, a field left out, a result of its own', async () => {
  const params = form({ db: DATABASE, more: { ...DATABASE, title: 'And?' } }, ['db'])
  for (const [reply, result, last] of [
    [[['SQLite'], null], { action: 'accept', content: { db: 'sqlite' } }, 'input.resolved'],
    [{ action: 'decline' }, { action: 'decline' }, 'input.canceled declined'],
    [
      { action: 'accept', content: { db: 'pg' } },
      { action: 'accept', content: { db: 'pg' } },
      'input.resolved',
    ],
  ]) {
    const world = connected()
    const { over } = world.elicit(params)
    const { inputId } = await only(world)
    assert.deepEqual(await world.host.answerOnDesktop(inputId, reply), { status: 'submitted' })
    assert.deepEqual(await over, result)
    assert.equal(brief(world.events).at(-1), last)
  }
})

test('every connection counts from 0', async () => {
  const world = connected()
  const first = world.elicit(form({ db: DATABASE }))
  const { inputId } = await only(world)
  const second = world.connect()(form({ db: DATABASE }))
  const [, other] = await world.host.openInputs(SESSION)
  assert.notEqual(other.inputId, inputId)
  await resolve(world.host, other, [[1]])
  assert.deepEqual((await second.over).content, { db: 'sqlite' })
  assert.equal((await only(world)).inputId, inputId)
  first.abort.abort()
  assert.deepEqual(await first.over, { action: 'cancel' })
})

test('one signal for many requests: what is over does not listen to it any more', async () => {
  const world = connected()
  const handler = world.host.onElicit(async () => ({ action: 'decline' }))
  const { signal } = new AbortController()
  const over = handler({ params: form({ db: DATABASE }) }, { signal, requestId: 0 })
  assert.equal(getEventListeners(signal, 'abort').length, 1)
  await resolve(world.host, await only(world), [[0]])
  await over
  await handler({ params: form({}) }, { signal, requestId: 1 })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('the second version of the client says the same in other places', async () => {
  const world = connected()
  const handler = world.host.onElicit(async () => ({ action: 'decline' }))
  const abort = new AbortController()
  const mcpReq = { id: 'q1', method: 'elicitation/create', signal: abort.signal }
  const over = handler({ params: form({ db: DATABASE }) }, { mcpReq })
  assert.match((await only(world)).inputId, /:"q1"$/)
  abort.abort()
  assert.deepEqual(await over, { action: 'cancel' })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled aborted'])
})

test('mistakes of the calling program', async () => {
  const code = (name) => ({ name: 'TypeError', code: name })
  for (const [options, name] of [
    [undefined, 'INVALID_OPTIONS'],
    [{}, 'INVALID_SESSION_ID'],
    [{ sessionId: SESSION, answerWithinMs: 0 }, 'INVALID_ANSWER_WITHIN_MS'],
    [{ sessionId: SESSION, answerWithinMs: NaN }, 'INVALID_ANSWER_WITHIN_MS'],
  ]) {
    assert.throws(() => createMcpHost(options), code(name))
  }
  const { host } = connected()
  assert.throws(() => host.onElicit(), code('INVALID_FALLBACK'))
  for (const reply of [undefined, 'pg', {}, { action: 'reject' }]) {
    assert.equal(await outcome(host.answerOnDesktop('x', reply)), 'TypeError INVALID_REPLY')
  }
})

// ---- reported of other apps ----

test('reported: after a minute the form stayed, and its answer vanished', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = connected()
  const { over } = world.elicit(form({ db: DATABASE }))
  const input = await only(world)
  assert.equal(input.expiresAt, 55_000)
  t.mock.timers.tick(55_000)
  assert.deepEqual(await over, { action: 'cancel' })
  assert.deepEqual(await resolve(world.host, input, [[0]]), {
    status: 'rejected',
    code: 'not-found',
  })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled expired'])
})

test('reported: an app without such a limit had its questions dismissed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = connected({ answerWithinMs: Infinity })
  world.elicit(form({ db: DATABASE }))
  t.mock.timers.tick(86_400_000)
  assert.equal((await only(world)).expiresAt, undefined)
})

test('reported: a value that is a text arrived bare, and was seen as a cancel', async () => {
  const world = connected()
  const symptom = { type: 'string', enum: ['启动时冒黑烟', '无'] }
  const { over } = world.elicit(form({ symptom }))
  await resolve(world.host, await only(world), [[0]])
  assert.deepEqual(await over, { action: 'accept', content: { symptom: '启动时冒黑烟' } })
})

test('reported: accepted, although a field that is needed had never been asked', async () => {
  const world = connected()
  const env = { type: 'string', enum: ['dev', 'prod'] }
  const { over } = world.elicit(form({ env, ticket: { type: 'string' } }))
  assert.deepEqual(await over, { action: 'decline' })
})

test('reported: several options were sent as one text, and names for values', async () => {
  const world = connected()
  const named = { type: 'string', enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] }
  const many = { ...FEATURES, title: 'Which?' }
  const { over } = world.elicit(form({ named, many }))
  await resolve(world.host, await only(world), [[1], [0, 1]])
  assert.deepEqual((await over).content, { named: 'b', many: ['auth', 'mail'] })
})

test('reported: an empty form that was accepted switched the mode', async () => {
  const decided = []
  const world = connected({
    fallback: async ({ params }) => (decided.push(params), { action: 'decline' }),
  })
  const { over } = world.elicit(form({}, [], { message: 'Leave plan mode?' }))
  assert.deepEqual(await over, { action: 'decline' })
  assert.equal(decided.length, 1)
})
