'use strict'
// The OpenCode adapter with the server faked: what is open, what proves an answer, and what ends it.

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
const { DIRECTORY, SESSION, asked } = require('./opencode-side.js')

const PARTS = asked('Parts?', ['Auth', 'Search', 'Email'], { multiple: true })
const REPLY = 'POST /question/'
/** What is under way without a timer goes on. */
async function turns() {
  for (let n = 0; n < 20; n++) await new Promise(setImmediate)
}
const EVENTS = { headers: { 'content-type': 'text/event-stream' } }

test('a question: the label goes back to the request it was asked with', async (t) => {
  const world = await session(t)
  const { id, input, request } = await open(world)
  const questions = [
    { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false },
  ]
  assert.deepEqual(input, { kind: 'question', inputId: id, sessionId: SESSION, questions })
  assert.deepEqual(world.host.original(id), request)
  assert.deepEqual(await resolve(world, { input }, [[1]]), RESOLVED)
  assert.deepEqual(world.written, [[`/question/${id}/reply`, { answers: [['b']] }]])
  assert.deepEqual(world.received.get(id), [[['b']]])
  assert.deepEqual(brief(world.events), ['input.requested', 'input.resolved'])
  assert.deepEqual(world.events[1].optionIndexes, [[1]])
  assert.deepEqual((await world.host.settlement(id)).optionIndexes, [[1]])
  assert.deepEqual(await world.host.openInputs(SESSION), [])
})

test('several questions and several options: a list for each, in their order', async (t) => {
  const world = await session(t)
  const one = await open(world, 'ask', [WHICH, PARTS])
  assert.deepEqual(await resolve(world, one, [[0], [2, 0]]), RESOLVED)
  assert.deepEqual(world.received.get(one.id), [[['a'], ['Auth', 'Email']]])
})

test('the card says more than the voice can: free text, and what is skipped', async (t) => {
  const world = await session(t)
  const { id } = await open(world, 'ask', [WHICH, PARTS, WHICH])
  const reply = [['neither'], ['Auth', 'and "tests"'], null]
  assert.deepEqual(await world.host.answerOnDesktop(id, reply), RESOLVED)
  assert.deepEqual(world.received.get(id), [[['neither'], ['Auth', 'and "tests"'], []]])
  assert.equal(world.events[1].optionIndexes, undefined)
  const next = await open(world)
  for (const wrong of [[], [['a', 'b']], [[]], [['a'], ['b']], [[7]], ['a']]) {
    assert.deepEqual(await world.host.answerOnDesktop(next.id, wrong), CODE('invalid'))
  }
  assert.equal(world.written.length, 1)
})

test('the card declines: the host is told so, and nothing else', async (t) => {
  const world = await session(t)
  const { id } = await open(world)
  assert.deepEqual(await world.host.answerOnDesktop(id, null), RESOLVED)
  assert.deepEqual(world.written, [[`/question/${id}/reject`, undefined]])
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: declined'])
  assert.equal(world.received.get(id), undefined)
})

test('that the server takes a reply proves nothing: the turn was aborted before', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.abort(SESSION, false)
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-taken'))
  assert.equal(world.written.length, 1)
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: not-taken'])
  assert.deepEqual(await world.host.settlement(one.id), { status: 'canceled' })
})

test('aborted while it is open: canceled, and an answer is too late', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.abort()
  assert.deepEqual(await over(world), ['input.requested', 'input.canceled: aborted'])
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-found'))
  assert.deepEqual(world.written, [])
})

for (const [name, act, reply] of [
  ['the tool has it all the same', (world) => world.idle(SESSION), RESOLVED],
  ['the tool has it later', (world) => (world.idle(SESSION), pause(400)), RESOLVED],
  ['the tool has none', (world) => world.abort(), CODE('not-taken')],
]) {
  test(`aborted in the moment of an answer: ${name}`, async (t) => {
    const world = await session(t)
    const one = await open(world)
    world.feed = before(REPLY, () => act(world))
    assert.deepEqual(await resolve(world, one, [[0]]), reply)
    assert.equal(world.received.has(one.id), reply === RESOLVED)
  })
}

for (const [name, questions, answers, positions] of [
  ['an option', [WHICH], [['b']], [[1]]],
  ['options', [PARTS], [['Auth', 'Email']], [[0, 2]]],
  ['free text', [WHICH], [['neither']], undefined],
]) {
  test(`another client answers first, ${name}: nothing is sent`, async (t) => {
    const world = await session(t)
    const one = await open(world, 'ask', questions)
    world.other(one.id, answers)
    await over(world)
    assert.deepEqual(world.events[1], {
      type: 'input.resolved',
      inputId: one.id,
      optionIndexes: positions,
      resolvedBy: { kind: 'host' },
    })
    assert.deepEqual(await resolve(world, one, [[0]]), CODE('already-resolved'))
    assert.deepEqual(world.written, [])
  })
}

test('another client answers in the same moment: theirs is what counts', async (t) => {
  for (const [answers, positions] of [
    [[['b']], [[1]]],
    [[['neither']], undefined],
  ]) {
    const world = await session(t)
    const one = await open(world)
    world.feed = before(REPLY, () => void world.other(one.id, answers))
    assert.deepEqual(await resolve(world, one, [[0]]), CODE('already-resolved'))
    assert.deepEqual(world.events.at(-1).optionIndexes, positions)
    assert.deepEqual(world.received.get(one.id), [answers])
  }
})

test('another client gave the same answer first: it is theirs', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before(REPLY, () => {
    world.cut()
    world.other(one.id, [['a']])
  })
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('already-resolved'))
  assert.deepEqual(world.events[1].optionIndexes, [[0]])
})

test('another client dismisses it: canceled, or not taken where one was given', async (t) => {
  const world = await session(t)
  const first = await open(world)
  world.other(first.id, null)
  assert.deepEqual(await over(world), ['input.requested', 'input.canceled: rejected'])
  const second = await open(world)
  world.feed = before(REPLY, () => void world.other(second.id, null))
  assert.deepEqual(await resolve(world, second, [[0]]), CODE('not-taken'))
})

test('of two that are open each has its own answer', async (t) => {
  const world = await session(t)
  // Who asks the first one is known later, and it is the first all the same.
  world.feed = before('GET /session/ses_1/message/msg_1', () => pause(50))
  const first = world.ask([WHICH])
  const second = await open(world)
  assert.deepEqual(
    world.events.map(({ input }) => input.inputId),
    [first.id, second.id],
  )
  assert.deepEqual(await resolve(world, second, [[1]]), RESOLVED)
  assert.deepEqual(await resolve(world, first, [[0]]), RESOLVED)
  assert.deepEqual([...world.received.values()], [[[['b']]], [[['a']]]])
})

test('the server refuses the form of an answer: it is open as before', async (t) => {
  const world = await session(t)
  const one = await open(world)
  for (const status of [400, 401, 413]) {
    world.feed = before(REPLY, () => status)
    const seen = await warnings(async () => {
      assert.deepEqual(await resolve(world, one, [[0]]), { status: 'not-sent' })
    })
    assert.deepEqual(seen, [`an answer was not taken: the server says ${status}`])
    assert.deepEqual(await world.host.settlement(one.id), { status: 'open' })
  }
  assert.deepEqual(await resolve(world, one, [[1]]), RESOLVED)
  assert.deepEqual(world.received.get(one.id), [[['b']]])
})

for (const [name, act, warning] of [
  ['it fails afterwards', () => 500, /^an answer was perhaps not taken: the server says 500$/],
  ['the connection breaks', () => null, /^an answer was perhaps not sent: fetch failed$/],
  ['the reply leads elsewhere', () => 302, /^an answer was perhaps not sent: fetch failed$/],
]) {
  test(`an answer is taken, and ${name}: the tool says that it has it`, async (t) => {
    const world = await session(t)
    const one = await open(world)
    world.feed = before(REPLY, () => {
      world.other(one.id, [['a']])
      return act()
    })
    const warned = once(process, 'warning')
    assert.deepEqual(await resolve(world, one, [[0]]), RESOLVED)
    assert.match((await warned)[0].message, warning)
  })

  test(`nobody knows whether an answer was taken, for ${name}: it is never sent again`, async (t) => {
    const world = await session(t)
    const one = await open(world)
    world.feed = before(REPLY, act)
    const told = resolve(world, one, [[0]])
    await until(() => world.written.length > 0)
    assert.deepEqual(await world.host.settlement(one.id), { status: 'unknown' })
    assert.deepEqual(await resolve(world, one, [[1]]), CODE('already-resolved'))
    world.disconnect()
    assert.deepEqual(await told, { status: 'unknown' })
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: unproved'])
    assert.equal(world.written.length, 1)
  })
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
  ['asked', (world) => world.ask([PARTS]), 'input.requested'],
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

test('a permission is shown until it is decided, and never answered', async (t) => {
  const world = await session(t)
  const { id, input } = await open(world, 'permit', {})
  assert.deepEqual(input, { kind: 'permission', inputId: id, sessionId: SESSION })
  const claimed = { ...input, questions: [{ question: 'Allow?', options: ['Yes', 'No'] }] }
  assert.deepEqual(await resolve(world, { input: claimed }, [[0]]), CODE('invalid'))
  for (const reply of [[['once']], null]) {
    assert.deepEqual(await world.host.answerOnDesktop(id, reply), CODE('invalid'))
  }
  world.decide(id)
  assert.deepEqual(await over(world), ['input.requested', 'input.canceled: decided'])
  assert.deepEqual(world.written, [])
})

test('a permission that the app grants at once is not heard of', async (t) => {
  const world = await session(t)
  world.decide(world.permit().id)
  await open(world)
  await pause(250)
  assert.deepEqual(brief(world.events), ['input.requested'])
})

for (const [name, kind, ask] of [
  ['a plan that is to be approved', 'plan', (world) => world.use('plan_exit', [WHICH])],
  ['a tool that is not the ask tool', 'other', (world) => world.use('deploy', [WHICH])],
  ['nobody knows who asks', 'other', (world) => world.ask([WHICH], { tool: undefined })],
  [
    'who asks is not found',
    'other',
    (world) => world.ask([WHICH], { tool: { messageID: 'msg_x', callID: 'call_1' } }),
  ],
  ['a form that is not known', 'other', (world) => world.ask([{ question: 'Which?' }])],
]) {
  test(`${name}: shown, and never answered`, async (t) => {
    const world = await session(t)
    const { id } = ask(world)
    const input = await until(() => listed(world, id))
    assert.deepEqual(input, { kind, inputId: id, sessionId: SESSION })
    assert.deepEqual(await world.host.answerOnDesktop(id, [['a']]), CODE('invalid'))
    world.abort()
    await over(world)
    assert.deepEqual(world.written, [])
  })
}

test('who asks cannot be looked up for a moment: then it is', async (t) => {
  const world = await session(t)
  world.feed = before(`GET /session/${SESSION}/message`, () => 500)
  const one = await open(world)
  assert.equal(one.input.kind, 'question')
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

test('two thousand random events: nothing throws, and nothing is ever answered by itself', async (t) => {
  let state = 3
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const odd = [undefined, null, 0, '', 'x', [], {}, true]
  const maybe = (value) => (next(6) === 0 ? pick(odd) : value)
  const types = ['asked', 'replied', 'rejected', 'answered'].map((what) => `question.${what}`)
  types.push('permission.asked', 'permission.replied', 'message.part.updated', 'server.heartbeat')
  types.push('session.idle', 'session.deleted', 'session.status', undefined, 7)
  const world = await session(t)
  const kept = await open(world, 'ask', [WHICH], { sessionID: SESSION })
  const seen = await warnings(async () => {
    for (let round = 0; round < 2_000; round++) {
      const properties = {
        id: maybe(`que_${1_000 + next(4)}`),
        requestID: maybe(`que_${1_000 + next(4)}`),
        sessionID: maybe('ses_2'),
        questions: maybe([maybe(WHICH)]),
        answers: maybe([['a']]),
        status: maybe({ type: pick(['busy', 'idle']) }),
        part: maybe({ type: 'tool', callID: maybe('call_9'), state: maybe({ status: 'error' }) }),
      }
      world.say(pick(types), maybe(properties))
    }
    assert.deepEqual(await resolve(world, kept, [[0]]), RESOLVED)
  })
  assert.deepEqual([seen, world.written.length], [[], 1])
})
