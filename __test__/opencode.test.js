'use strict'
// The OpenCode adapter with the server faked: what is open, what proves an answer, and what ends it.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { test } = require('node:test')
const { pause, warnings } = require('./asking.js')
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
const { SESSION, asked } = require('./opencode-side.js')

const PARTS = asked('Parts?', ['Auth', 'Search', 'Email'], { multiple: true })
const REPLY = 'POST /question/'

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

const PLAN = asked('Start implementing?', ['Yes', 'No'])

for (const [name, ask] of [
  ['before', (world) => world.ask([WHICH], { call: world.use('plan_exit', [PLAN]).call })],
  ['after', (world) => world.use('plan_exit', [PLAN], { call: world.ask([WHICH]).call })],
  [
    'in the very words',
    (world) => world.ask([PLAN], { call: world.use('plan_exit', [PLAN]).call }),
  ],
]) {
  test(`the approval of a plan is no question where the ask tool has the same id ${name}`, async (t) => {
    const world = await session(t)
    ask(world)
    await until(() => world.events.length === 2)
    for (const { input } of world.events) {
      assert.notEqual(input.kind, 'question')
      assert.deepEqual(await world.host.answerOnDesktop(input.inputId, [['Yes']]), CODE('invalid'))
    }
    assert.deepEqual(world.written, [])
  })
}

test('a call of the same id fails before it asks: the question is no question, and still waits', async (t) => {
  const world = await session(t, {
    async fetch(request, init) {
      const response = await fetch(request, init)
      if (!request.url.includes('/message/')) return response
      const message = await response.json()
      message.parts[0].state = { status: 'error', input: { questions: [{ question: 'x' }] } }
      return Response.json(message)
    },
  })
  const { input } = await open(world)
  assert.equal(input.kind, 'other')
})

test('another request by the id of a call that asks: what is open is no question any more', async (t) => {
  const world = await session(t)
  const one = await open(world)
  const { id } = world.use('plan_exit', [PLAN], { call: one.call })
  await until(() => listed(world, id))
  const [, ...told] = await until(() => world.events.length === 4 && world.events)
  assert.deepEqual(brief(told), ['input.canceled: gone', 'input.requested', 'input.requested'])
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-found'))
  assert.deepEqual(world.written, [])
  world.idle(SESSION)
  assert.deepEqual((await over(world, 6)).slice(4), Array(2).fill('input.canceled: decided'))
})

test('another request by the id of a call that is answered: nothing proves the answer', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before(REPLY, () => {
    world.ask([WHICH], { call: one.call })
    return pause(50)
  })
  assert.deepEqual(await resolve(world, one, [[0]]), { status: 'unknown' })
  assert.deepEqual(brief(world.events).slice(0, 2), ['input.requested', 'input.canceled: unproved'])
})

for (const [name, changed, input = { questions: [WHICH] }] of [
  ['another session', { sessionID: 'ses_2' }],
  ['another tool', { tool: 'bash' }],
  ['another message', { messageID: 'msg_9' }],
  ['another call', { callID: 'call_9' }],
  ['a call in other words', {}, { questions: [PLAN] }],
  ['a call that is not known', {}, {}],
]) {
  test(`${name} has the same answer: that proves nothing, and neither does its end`, async (t) => {
    const world = await session(t)
    const one = await open(world)
    const part = { type: 'tool', tool: 'question', sessionID: SESSION, ...one.call, ...changed }
    world.feed = before(REPLY, () => {
      for (const state of [
        { status: 'completed', input, metadata: { answers: [['a']] } },
        { status: 'error', input },
      ]) {
        world.say('message.part.updated', { sessionID: SESSION, part: { ...part, state } })
      }
      return pause(50)
    })
    const told = resolve(world, one, [[0]])
    await pause(25)
    assert.deepEqual(brief(world.events), ['input.requested'])
    assert.deepEqual(await told, RESOLVED)
  })
}

test('the tool has ended, and nothing says with what: an answer is not known to have arrived', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before(REPLY, () => {
    const input = { questions: [WHICH] }
    const state = { status: 'completed', input, metadata: { truncated: false } }
    const part = { type: 'tool', tool: 'question', sessionID: SESSION, ...one.call, state }
    world.say('message.part.updated', { sessionID: SESSION, part })
    return pause(50)
  })
  assert.deepEqual(await resolve(world, one, [[0]]), { status: 'unknown' })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: unproved'])
  assert.deepEqual(await world.host.settlement(one.id), { status: 'unknown' })
})

test('what the tool has is not to be found: an answer is not known to be lost', async (t) => {
  const world = await session(t)
  const one = await open(world)
  // Another tool took its place.
  world.permit({ call: one.call })
  assert.deepEqual(await resolve(world, one, [[0]]), { status: 'unknown' })
  assert.deepEqual(world.received.get(one.id), [[['a']]])
})

test('what the tool was called with is not there for a moment: it is a question all the same', async (t) => {
  let isEarly = true
  const world = await session(t, {
    async fetch(request, init) {
      const response = await fetch(request, init)
      if (!isEarly || !request.url.includes('/message/')) return response
      isEarly = false
      const message = await response.json()
      message.parts[0].state = { status: 'pending', input: {} }
      return Response.json(message)
    },
  })
  const { input } = await open(world)
  assert.equal(input.kind, 'question')
  assert.equal(isEarly, false)
})

test('who asks cannot be looked up for a moment: then it is', async (t) => {
  const world = await session(t)
  world.feed = before(`GET /session/${SESSION}/message`, () => 500)
  const one = await open(world)
  assert.equal(one.input.kind, 'question')
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
