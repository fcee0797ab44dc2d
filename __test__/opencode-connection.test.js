'use strict'
// The connection of the OpenCode adapter, with the server faked: how it breaks off and comes again, what is
// looked up then, and how it ends.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
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
  listed,
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

test('a connection that was made, and breaks with what it says of the network: perhaps it was sent', async (t) => {
  for (const [code, syscall] of [
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'write'],
  ]) {
    const world = await session(t, {
      async fetch(request, init) {
        const response = await fetch(request, init)
        if (request.method !== 'POST') return response
        const cause = Object.assign(new Error(), { code, syscall })
        throw new TypeError('fetch failed', { cause })
      },
    })
    const one = await open(world)
    assert.deepEqual(await resolve(world, one, [[0]]), RESOLVED)
  }
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

test('the connection is ended by whoever is told of a question: it is not open, and takes no answer', async (t) => {
  for (const [how, asked, reason] of [
    ['ask', [WHICH], 'disconnected'],
    ['permit', {}, 'decided'],
  ]) {
    const world = await session(t)
    world.host.watch(SESSION, () => world.disconnect())
    const { id } = world[how](asked)
    assert.deepEqual(await over(world), ['input.requested', `input.canceled: ${reason}`])
    assert.deepEqual(await world.host.openInputs(SESSION), [])
    assert.deepEqual(await world.host.answerOnDesktop(id, [['a']]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  }
})

test('an event of before comes after the list: what is on the list is open all the same', async (t) => {
  const world = await session(t)
  await open(world, 'permit', { sessionID: 'ses_2' })
  world.cut()
  await until(() => !world.isHeard())
  const { id } = world.ask([WHICH])
  world.feed = before('GET /session/status', () => {
    world.say('session.idle', { sessionID: SESSION })
    return pause(50)
  })
  await until(() => listed(world, id))
  assert.deepEqual(brief(world.events), ['input.requested'])
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

test('a fetch that never settles, and knows of no signal: it is not waited for', async (t) => {
  const ends = []
  t.mock.method(AbortSignal, 'timeout', () => {
    ends.push(new AbortController())
    return ends.at(-1).signal
  })
  const world = await session(t, {
    async fetch(request) {
      const { method, url } = request
      const body = method === 'POST' ? await request.text() : undefined
      const response = await fetch(url, { method, body, headers: request.headers })
      return method === 'POST' ? new Promise(() => {}) : response
    },
  })
  const one = await open(world)
  const told = resolve(world, one, [[0]])
  await until(() => ends.length > 0)
  const warned = once(process, 'warning')
  ends.at(-1).abort(new Error('late'))
  assert.equal((await warned)[0].message, 'an answer was perhaps not sent: late')
  assert.deepEqual(await told, RESOLVED)
})

test('a look that never settles is given up: what waits opens', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const encode = (text) => new TextEncoder().encode(`data: ${text}\n\n`)
  const looks = []
  const host = createOpenCodeHost()
  const stop = host.connect({
    baseUrl: 'http://127.0.0.1:1',
    async fetch({ url }) {
      const { pathname } = new URL(url)
      if (pathname === '/event') {
        const start = (stream) => stream.enqueue(encode('{"type":"server.connected"}'))
        return new Response(new ReadableStream({ start }), EVENTS)
      }
      if (pathname === '/permission') return Response.json([{ id: 'per_1', sessionID: SESSION }])
      if (pathname === '/question') return Response.json([])
      looks.push(pathname)
      if (looks.length === 1) return new Promise(() => {})
      return Response.json({ [SESSION]: { type: 'busy' } })
    },
  })
  t.after(stop)
  await turns()
  assert.deepEqual(looks, ['/session/status'])
  for (const ms of [10_000, 250, 200]) {
    t.mock.timers.tick(ms)
    await turns()
  }
  assert.equal(looks.length, 2)
  assert.deepEqual(await host.openInputs(SESSION), [
    { kind: 'permission', inputId: 'per_1', sessionId: SESSION },
  ])
})

test('an event of many megabytes does not hold up everything else', async (t) => {
  const host = createOpenCodeHost()
  const piece = new TextEncoder().encode('x'.repeat(64 * 1024))
  const encode = (text) => new TextEncoder().encode(text)
  const pieces = [encode('data: {"type":"'), ...Array(512).fill(piece), encode('"}\n\n')]
  pieces.push(encode('data: {}\n\n'))
  let lists = 0
  const pull = (stream) => {
    if (pieces.length > 0) stream.enqueue(pieces.shift())
  }
  const begun = performance.now()
  const stop = host.connect({
    baseUrl: 'http://127.0.0.1:1',
    async fetch({ url }) {
      if (url.endsWith('/event')) return new Response(new ReadableStream({ pull }), EVENTS)
      lists += 1
      return Response.json([])
    },
  })
  t.after(stop)
  await until(() => lists === 2)
  assert.ok(performance.now() - begun < 4_000)
})

test('to wait for a server keeps no process running, and a connection that is ended does not', async (t) => {
  const world = await session(t)
  const silent = await session(t)
  silent.feed = (request) => (request === 'GET /question' ? new Promise(() => {}) : undefined)
  const file = JSON.stringify(path.join(__dirname, '..', 'main', 'hosts', 'opencode.js'))
  const program = (baseUrl, then) =>
    `const stop = require(${file}).createOpenCodeHost().connect({ baseUrl: '${baseUrl}' });${then}`
  for (const text of [
    program('http://127.0.0.1:1', ''),
    // Also where what began the connection is collected by then.
    program(`http://127.0.0.1:${world.port}`, 'setTimeout(gc, 100);setTimeout(stop, 200)'),
    // Also where something is being looked up, and the server does not reply.
    program(`http://127.0.0.1:${silent.port}`, 'setTimeout(stop, 500)'),
  ]) {
    const begun = performance.now()
    const child = spawn(process.execPath, ['--expose-gc', '-e', text], { stdio: 'ignore' })
    assert.equal(await new Promise((done) => child.on('exit', done)), 0)
    assert.ok(performance.now() - begun < 8_000)
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
    ['INVALID_BASE_URL', { baseUrl: 'http://127.0.0.1:1/?token=pw' }],
    ['INVALID_BASE_URL', { baseUrl: 'http://127.0.0.1:1/#here' }],
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
