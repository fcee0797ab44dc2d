'use strict'
// The connection of the OpenCode adapter, with the server faked: how it breaks off and comes again, what is
// looked up then, and how it ends.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const path = require('node:path')
const { test } = require('node:test')
const { createOpenCodeHost } = require('../main/hosts/opencode.js')
const { outcome, pause, warnings } = require('./asking.js')
const {
  CODE,
  RESOLVED,
  WHICH,
  before,
  brief,
  open,
  over,
  resolve,
  session,
  until,
} = require('./opencode-session.js')
const { DIRECTORY, SESSION } = require('./opencode-side.js')

const REPLY = 'POST /question/'
const EVENTS = { headers: { 'content-type': 'text/event-stream' } }

/** What is under way without a timer goes on. */
async function turns() {
  for (let n = 0; n < 20; n++) await new Promise(setImmediate)
}

test('a connection that was never made: nothing was sent, and it is open as before', async (t) => {
  let isDown = false
  const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' })
  const world = await session(t, {
    fetch: async (...args) => {
      if (isDown) throw new TypeError('fetch failed', { cause: refused })
      return fetch(...args)
    },
  })
  const one = await open(world)
  isDown = true
  assert.deepEqual(await resolve(world, one, [[0]]), { status: 'not-sent' })
  isDown = false
  assert.deepEqual(await resolve(world, one, [[1]]), RESOLVED)
  assert.deepEqual(world.received.get(one.id), [[['b']]])
})

test('the events break off, and come again: what is open is open once', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.cut()
  await until(() => !world.isHeard())
  await until(world.isHeard)
  const next = await open(world)
  assert.deepEqual(brief(world.events), ['input.requested', 'input.requested'])
  for (const each of [one, next]) assert.deepEqual(await resolve(world, each, [[0]]), RESOLVED)
})

for (const [name, act, last] of [
  ['answered', (world, id) => world.other(id, [['b']]), 'input.resolved'],
  ['dismissed', (world, id) => world.other(id, null), 'input.canceled: aborted'],
  ['aborted', (world) => world.abort(), 'input.canceled: aborted'],
  ['asked', (world) => world.ask([WHICH]), 'input.requested'],
  ['permitted', (world) => world.permit(), 'input.requested'],
]) {
  test(`${name} while no events came: it is looked up`, async (t) => {
    const world = await session(t)
    const { id } = await open(world)
    world.cut()
    await until(() => !world.isHeard())
    act(world, id)
    assert.equal((await over(world)).at(-1), last)
    if (name === 'answered') assert.deepEqual(world.events[1].optionIndexes, [[1]])
  })
}

test('answered while no events came, and its turn is over before that is looked up', async (t) => {
  const world = await session(t)
  const { id } = await open(world)
  world.cut()
  await until(() => !world.isHeard())
  world.other(id, [['b']])
  await until(world.isHeard)
  world.idle(SESSION)
  assert.deepEqual(await over(world), ['input.requested', 'input.resolved'])
  assert.deepEqual(world.events[1].optionIndexes, [[1]])
})

test('an answer arrives while no events come: it is looked up', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before(REPLY, () => world.cut())
  assert.deepEqual(await resolve(world, one, [[0]]), RESOLVED)
})

test('the server is started anew: what was open is gone, what is asked now is another', async (t) => {
  const world = await session(t)
  const first = await open(world)
  await world.stop()
  await world.start()
  const second = await open(world)
  await until(() => brief(world.events).includes('input.canceled: gone'))
  assert.deepEqual(await resolve(world, first, [[0]]), CODE('not-found'))
  assert.deepEqual(await resolve(world, second, [[1]]), RESOLVED)
})

test('the server is started anew in the moment of an answer: it was not taken', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before(REPLY, async () => {
    await world.stop()
    await world.start()
  })
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-taken'))
})

test('what an aborted turn has left on the list is not open', async (t) => {
  const world = await session(t)
  await open(world)
  world.abort()
  await over(world)
  // Of the next one not even the tool says so yet.
  await open(world)
  world.idle(SESSION)
  await over(world, 4)
  world.disconnect()
  const others = world.headers.length
  t.after(world.connect())
  // Both lists, and both of them looked up.
  await until(() => world.headers.length >= others + 9)
  await open(world, 'ask', [WHICH], { sessionID: 'ses_2' })
  assert.deepEqual(await world.host.openInputs(SESSION), [])
})

test('another directory has other questions', async (t) => {
  const world = await session(t)
  world.disconnect()
  world.ask([WHICH])
  const stop = world.connect({ directory: `${DIRECTORY}/b` })
  t.after(stop)
  await pause(50)
  assert.deepEqual(world.events, [])
})

test('the connection is ended: nothing is open any more', async (t) => {
  const world = await session(t)
  const { id } = await open(world)
  await open(world, 'permit', {})
  world.disconnect()
  assert.deepEqual((await over(world, 4)).slice(2), [
    'input.canceled: disconnected',
    'input.canceled: decided',
  ])
  assert.deepEqual(await world.host.answerOnDesktop(id, [['a']]), CODE('not-found'))
  world.ask([WHICH])
  await pause(50)
  assert.equal(world.events.length, 4)
  world.disconnect()
})

test('the connection is ended while it is looked up what waits: nothing opens', async (t) => {
  const world = await session(t)
  await open(world)
  let goOn
  world.feed = before('GET /permission', () => new Promise((done) => (goOn = done)))
  world.cut()
  await until(() => goOn)
  world.permit()
  world.disconnect()
  goOn()
  await pause(300)
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: disconnected'])
})

test('every request has the headers and the directory, and goes through the fetch of the app', async (t) => {
  const seen = []
  const world = await session(t, {
    headers: { authorization: 'Basic b3BlbmNvZGU6cHc=' },
    fetch: (...args) => (seen.push(new URL(args[0].url)), fetch(...args)),
  })
  assert.deepEqual(await resolve(world, await open(world), [[0]]), RESOLVED)
  assert.equal(seen.length, world.headers.length)
  for (const { searchParams } of seen) assert.equal(searchParams.get('directory'), DIRECTORY)
  for (const { authorization } of world.headers) {
    assert.equal(authorization, 'Basic b3BlbmNvZGU6cHc=')
  }
})

test('the events never come: that is said, once for each connection', async (t) => {
  const host = createOpenCodeHost()
  const connections = [
    [() => Promise.reject(new TypeError('fetch failed')), 'fetch failed'],
    [async () => new Response('', { status: 401 }), 'the server says 401'],
    [async () => new Response('<html>'), 'the server says 200 text/plain'],
    [async () => new Response(new Blob([]), EVENTS), 'the stream of events has ended'],
    [
      async ({ url, signal }) => {
        if (!url.endsWith('/event')) return Response.json({})
        const start = (stream) => {
          stream.enqueue(new TextEncoder().encode('data: {}\n\n'))
          signal.addEventListener('abort', () => stream.error(signal.reason))
        }
        return new Response(new ReadableStream({ start }), EVENTS)
      },
      'the server has no list at /question',
    ],
  ]
  const tries = connections.map(() => 0)
  const seen = await warnings(async () => {
    for (const [n, [fetch]] of connections.entries()) {
      const counted = (request) => {
        tries[n] += request.url.endsWith('/event') ? 1 : 0
        return fetch(request)
      }
      t.after(host.connect({ baseUrl: 'http://127.0.0.1:1', fetch: counted }))
    }
    await until(() => tries.every((count) => count > 4))
    await pause(50)
  })
  const feeding = 'connect with the URL, the directory and the headers that the server takes'
  const expected = connections.map(
    ([, why]) => `no events of an OpenCode server come; ${feeding}: ${why}`,
  )
  assert.equal(seen.length, expected.length)
  for (const text of expected)
    assert.ok(
      seen.some((message) => message.startsWith(text)),
      text,
    )
})

test('a server that says nothing any more is asked again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const streams = []
  const host = createOpenCodeHost()
  const stop = host.connect({
    baseUrl: 'http://127.0.0.1:1',
    async fetch({ url, signal }) {
      if (!url.endsWith('/event')) return Response.json([])
      streams.push(signal)
      const start = (stream) => {
        if (streams.length > 1) stream.enqueue(new TextEncoder().encode(': nothing yet\n\n'))
        signal.addEventListener('abort', () => stream.error(signal.reason))
      }
      return new Response(new ReadableStream({ start }), EVENTS)
    },
  })
  for (const [ms, isOver] of [
    [9_999, false],
    [1, true],
    [250, false],
    [34_999, false],
    [1, true],
  ]) {
    await turns()
    t.mock.timers.tick(ms)
    assert.equal(streams.at(-1).aborted, isOver)
  }
  await turns()
  t.mock.timers.tick(500)
  await turns()
  assert.equal(streams.length, 3)
  stop()
  assert.ok(streams.every(({ aborted }) => aborted))
})

test('to wait for a server keeps no process running, and a connection that is ended does not', async (t) => {
  const world = await session(t)
  const file = JSON.stringify(path.join(__dirname, '..', 'main', 'hosts', 'opencode.js'))
  const program = (baseUrl, then) =>
    `const stop = require(${file}).createOpenCodeHost().connect({ baseUrl: '${baseUrl}' });${then}`
  for (const text of [
    program('http://127.0.0.1:1', ''),
    // Also where what began the connection is collected by then.
    program(`http://127.0.0.1:${world.port}`, 'setTimeout(gc, 100);setTimeout(stop, 200)'),
  ]) {
    const child = spawn(process.execPath, ['--expose-gc', '-e', text], { stdio: 'ignore' })
    assert.equal(await new Promise((done) => child.on('exit', done)), 0)
  }
})

test('a mistake of the app names what is wrong', async () => {
  const { connect, answerOnDesktop } = createOpenCodeHost()
  const baseUrl = 'http://127.0.0.1:1'
  for (const [code, connection] of [
    ['INVALID_CONNECTION', undefined],
    ['INVALID_CONNECTION', baseUrl],
    ['INVALID_BASE_URL', {}],
    ['INVALID_BASE_URL', { baseUrl: '127.0.0.1:4096' }],
    ['INVALID_BASE_URL', { baseUrl: 'file:///etc' }],
    ['INVALID_BASE_URL', { baseUrl: 'http://opencode:pw@127.0.0.1:1' }],
    ['INVALID_DIRECTORY', { baseUrl, directory: '' }],
    ['INVALID_DIRECTORY', { baseUrl, directory: 7 }],
    ['INVALID_HEADERS', { baseUrl, headers: { 'a b': 'c' } }],
    ['INVALID_FETCH', { baseUrl, fetch: 'fetch' }],
  ]) {
    assert.throws(() => connect(connection), { name: 'TypeError', code })
  }
  for (const reply of [undefined, 'a', 7, { answers: [['a']] }]) {
    assert.equal(await outcome(answerOnDesktop('que_1', reply)), 'TypeError INVALID_REPLY')
  }
  assert.deepEqual(await answerOnDesktop('que_1', [['a']]), CODE('not-found'))
})
