'use strict'
// The Pi adapter with Pi's side faked: what proves an answer, what ends a question, and whose it is.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { createPiHost } = require('../main/hosts/pi.js')
const { warnings } = require('./asking.js')
const { CODE, WHICH, brief, open, resolve, session } = require('./pi-session.js')
const { SESSION, piSide } = require('./pi-side.js')

const ARGS = { question: 'Which?', options: ['a', 'b'] }

const END = ({ type }) => type === 'tool_execution_end'

for (const how of ['ask', 'select']) {
  test(`what proves an answer (${how}): what its tool told the model, and not that it was sent`, async () => {
    const held = []
    const feed = (frame, pass) => (END(frame) ? held.push(frame) : pass(frame))
    const world = await session({ feed })
    const { inputId } = await open(world, how)
    const given = resolve(world, inputId, [[0]])
    await world.quiet()
    assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
    assert.equal(brief(world.events).length, 1)
    world.pass(held[0])
    assert.deepEqual(await given, { status: 'resolved' })
  })

  for (const [name, change, reply, last] of [
    [
      'an error',
      (end) => ({ ...end, isError: true }),
      CODE('not-taken'),
      'input.canceled: not-taken',
    ],
    [
      'no word of it',
      (end) => ({ ...end, isError: undefined }),
      CODE('not-taken'),
      'input.canceled: not-taken',
    ],
    [
      'something else',
      (end) => ({ ...end, result: { content: [], details: {} } }),
      { status: 'unknown' },
      'input.canceled: unproved',
    ],
  ]) {
    test(`the tool (${how}) ends with ${name}: it does not count as taken`, async () => {
      const world = await session({
        feed: (frame, pass) => pass(END(frame) ? change(frame) : frame),
      })
      const { inputId } = await open(world, how)
      assert.deepEqual(await resolve(world, inputId, [[0]]), reply)
      assert.equal(brief(world.events).at(-1), last)
    })
  }

  test(`the tool (${how}) had another answer: that is what is told`, async () => {
    const other = {
      ask: { status: 'answered', answers: [[1]] },
      select: { answer: 'b' },
    }[how]
    const text = { ask: 'The user answered.\n"Which?": "b"', select: 'b' }[how]
    const result = { content: [{ type: 'text', text }], details: other }
    const world = await session({
      feed: (frame, pass) => pass(END(frame) ? { ...frame, result } : frame),
    })
    const { inputId } = await open(world, how)
    assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
    const { optionIndexes, resolvedBy } = world.events.at(-1)
    assert.deepEqual([optionIndexes, resolvedBy], [[[1]], { kind: 'host' }])
  })

  test(`stopped while it is open (${how}): canceled, and an answer is too late`, async () => {
    const world = await session()
    const { id, inputId } = await open(world, how)
    world.abort(id)
    await world.quiet()
    assert.match(brief(world.events).join(), /^input\.requested,input\.canceled: (closed|gone)$/)
    assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  })

  test(`stopped in the moment of an answer (${how}): what its tool made of it counts`, async () => {
    const world = await session()
    const { id, inputId } = await open(world, how)
    // As in Pi: the tool has the reply, and does not wait for it any more.
    const given = world.host.answerOnDesktop(inputId, [['a']])
    world.abort(id)
    const { status } = await given
    const { isError, details } = world.results.get(id)
    if (how === 'ask') assert.deepEqual([status, isError], ['rejected', true])
    else assert.deepEqual([status, details.answer], ['resolved', 'a'])
  })
}

test('an answer that the call does not wait for: proved later all the same', async () => {
  const held = []
  const feed = (frame, pass) => (END(frame) ? held.push(frame) : pass(frame))
  const world = await session({ feed })
  const { inputId } = await open(world, 'select')
  const abort = new AbortController()
  const given = resolve(world, inputId, [[0]], abort.signal)
  await world.quiet()
  abort.abort()
  assert.deepEqual(await given, { status: 'unknown' })
  world.pass(held[0])
  assert.equal((await world.host.settlement(inputId)).status, 'resolved')
})

test('a tool that asks on proves nothing of the answer before: submitted, and the next is asked', async () => {
  for (const timeout of [undefined, 60_000]) {
    const world = await session()
    const questions = [ARGS, { question: 'And then?', options: ['c', 'd'] }]
    const execute = async () => {
      const answers = []
      for (const { question, options } of questions)
        answers.push(await world.ui.select(question, options, { timeout }))
      return { content: [], details: { answers } }
    }
    world.run('ask', { questions }, { execute })
    await world.quiet()
    const [{ inputId }] = await world.host.openInputs(SESSION)
    assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'submitted' })
    const { proof, optionIndexes } = world.events.at(-2)
    assert.deepEqual([proof, optionIndexes], ['none', [[1]]])
    assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
    const [second, ...more] = await world.host.openInputs(SESSION)
    assert.deepEqual([second.questions[0].question, more], ['And then?', []])
    // The end of the tool proves the last one, and breaks nothing of the first.
    assert.deepEqual(await resolve(world, second.inputId, [[0]]), { status: 'resolved' })
    assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
    assert.equal(world.events.length, 4)
  }
})

test('a tool that asks on when nobody waits for the answer before: its end may prove it still', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = await session()
  const questions = [ARGS, { question: 'And then?', options: ['c', 'd'] }]
  const say = (id, { question, options }) =>
    world.pass({ type: 'extension_ui_request', id, method: 'select', title: question, options })
  world.pass({
    type: 'tool_execution_start',
    toolCallId: 'c',
    toolName: 'ask',
    args: { questions },
  })
  say('first', questions[0])
  const given = world.host.answerOnDesktop('first', [['b']])
  t.mock.timers.tick(15_000)
  assert.deepEqual(await given, { status: 'unknown' })
  say('second', questions[1])
  const result = { content: [], details: { answers: ['b', null] } }
  world.pass({ type: 'tool_execution_end', toolCallId: 'c', result, isError: false })
  assert.equal((await world.host.settlement('first')).status, 'resolved')
  assert.deepEqual(await world.host.settlement('second'), { status: 'canceled' })
})

test('what a tool recommends, where nobody answered, is no answer of anybody', async () => {
  for (const details of [
    { answer: null, recommended: 'a' },
    { answer: 'a', cancelled: true },
    { question: 'Which?', default: { answer: 'a' } },
  ]) {
    const world = await session()
    world.run('ask', ARGS, {
      execute: async () => {
        world.ui.select('Which?', ['a', 'b'])
        return { content: [{ type: 'text', text: 'No answer: a' }], details }
      },
    })
    await world.quiet()
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: closed'])
  }
})

test('declined on the card is proved only by a tool that tells no option', async () => {
  for (const [content, details, reply] of [
    ['Cancelled', {}, { status: 'resolved' }],
    ['The user chose b.', {}, { status: 'unknown' }],
    ['', { answer: 'b' }, CODE('already-resolved')],
  ]) {
    const result = { content: [{ type: 'text', text: content }], details }
    const feed = (frame, pass) => pass(END(frame) ? { ...frame, result } : frame)
    const world = await session({ feed })
    const { inputId } = await open(world, 'select')
    assert.deepEqual(await world.host.answerOnDesktop(inputId, { cancelled: true }), reply)
  }
})

test('what a dialog that is nobody’s was answered with is no proof for one with the same options', async () => {
  const world = await session()
  const execute = async () => {
    const first = world.ui.select('Which?', ['a', 'b'])
    // Of the same tool, or of something else: Pi does not say.
    world.ui.select('Sure?', ['b', 'a'])
    await first
    return { content: [], details: { answer: 'a' } }
  }
  world.run('ask', ARGS, { execute })
  await world.quiet()
  const { inputId } = (await world.host.openInputs(SESSION)).find(({ kind }) => kind === 'question')
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'unknown' })
})

test('the run is over without the end of a call: nothing more is said of it', async () => {
  for (const type of ['agent_end', 'agent_settled']) {
    const world = await session({ feed: (frame, pass) => END(frame) || pass(frame) })
    const { inputId } = await open(world)
    const second = await open(world)
    const given = resolve(world, inputId, [[0]])
    await nextTurn()
    world.say({ type })
    assert.deepEqual(await given, { status: 'unknown' })
    assert.deepEqual(await world.host.settlement(second.inputId), { status: 'canceled' })
  }
})

test('a dialog that ends by itself: canceled when it does, and nothing is sent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = await session()
  const { inputId, input } = await open(world, 'select', 'Which?', ['a', 'b'], { timeout: 600 })
  assert.equal(input.expiresAt, 600)
  t.mock.timers.tick(599)
  assert.deepEqual(brief(world.events), ['input.requested'])
  t.mock.timers.tick(1)
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: expired'])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('not-found'))
  assert.deepEqual(world.written, [])
})

test('the session is known late: what was asked before is open then, and what was over is not', async () => {
  const world = await session({ isAnswered: false })
  const first = world.ask([WHICH])
  const gone = world.ask([WHICH])
  await world.quiet()
  world.abort(gone.id)
  await world.quiet()
  assert.deepEqual(world.events, [])
  const dialog = world.frames.find(({ method }) => method === 'input')
  assert.equal(world.host.asks(dialog), true)
  world.state()
  assert.deepEqual(brief(world.events), ['input.requested'])
  const [{ input }] = world.events
  assert.equal(input.inputId, dialog.id)
  assert.deepEqual(await resolve(world, input.inputId, [[1]]), { status: 'resolved' })
  assert.deepEqual((await first.over).details, { status: 'answered', answers: [[1]] })
})

test('the app is told which session it is, once; another one ends what was open', async () => {
  const sessions = []
  const onSession = (id) => {
    sessions.push(id)
    throw new Error('on purpose')
  }
  const seen = await warnings(async () => {
    const host = createPiHost({ askTools: ['ask'], onSession })
    const world = await session({ host })
    const { inputId } = await open(world)
    world.say({ type: 'agent_start' })
    await world.quiet()
    assert.deepEqual([sessions, brief(world.events)], [[SESSION], ['input.requested']])
    world.side.sessionId = 'session-2'
    for (const [command, success, data] of [
      ['new_session', false, undefined],
      ['new_session', true, { cancelled: true }],
      ['set_model', true, {}],
    ]) {
      world.say({ type: 'response', command, success, data })
      await world.quiet()
    }
    assert.deepEqual([sessions, brief(world.events)], [[SESSION], ['input.requested']])
    world.say({
      type: 'response',
      command: 'new_session',
      success: true,
      data: { cancelled: false },
    })
    await world.quiet()
    assert.deepEqual(sessions, [SESSION, 'session-2'])
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: closed'])
    assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('not-found'))
  })
  assert.deepEqual(seen, ['onSession failed: on purpose', 'onSession failed: on purpose'])
})

test('two processes: each has its own session, and the end of one ends nothing of the other', async () => {
  const host = createPiHost()
  const first = await session({ host })
  const second = await piSide({ host, sessionId: 'session-2' })
  first.ask([WHICH])
  second.ask([WHICH])
  await second.quiet()
  const [one] = await host.openInputs(SESSION)
  const [other] = await host.openInputs('session-2')
  first.disconnect()
  first.disconnect()
  assert.deepEqual(brief(first.events), ['input.requested', 'input.canceled: disconnected'])
  assert.deepEqual(await host.settlement(other.inputId), { status: 'open' })
  host.answerOnDesktop(other.inputId, [['b']])
  await second.quiet()
  assert.deepEqual(await host.settlement(one.inputId), { status: 'canceled' })
  assert.deepEqual([first.written.length, second.written.length], [0, 1])
  // What a process says that is no connection any more is not heard.
  first.ask([WHICH])
  await first.quiet()
  assert.deepEqual(await host.openInputs(SESSION), [])
})

test('a process that is gone with an answer: unknown', async () => {
  const world = await session({ feed: (frame, pass) => END(frame) || pass(frame) })
  const { inputId } = await open(world)
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  world.disconnect()
  assert.deepEqual(await given, { status: 'unknown' })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
})

test('an app that forgot to pass the frames on is told so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const why = 'pass every frame of Pi to the listener, in its order'
  let isForgotten = true
  const world = await session({ feed: (frame, pass) => isForgotten || pass(frame) })
  const late = await warnings(async () => {
    t.mock.timers.tick(5_000)
    t.mock.timers.reset()
  })
  assert.deepEqual(late, [`the session of Pi is not known: ${why}`])
  isForgotten = false
  t.mock.timers.enable({ apis: ['setTimeout'] })
  world.state()
  const { inputId } = await open(world)
  isForgotten = true
  const given = resolve(world, inputId, [[0]])
  await nextTurn()
  const seen = await warnings(async () => {
    t.mock.timers.tick(15_000)
    t.mock.timers.reset()
  })
  assert.deepEqual(seen, [`nothing proves that the answer to input ${inputId} arrived: ${why}`])
  assert.deepEqual(await given, { status: 'unknown' })
})

test('an answer that came too late is not proved by the answer to the next dialog', async () => {
  const questions = ['First?', 'Second?'].map((question) => ({ question, options: ['Yes', 'No'] }))
  const world = await session()
  const held = []
  // The first one has ended by itself when the answer is written.
  const execute = async () => {
    const answers = [null]
    world.say({
      type: 'extension_ui_request',
      id: 'first',
      method: 'select',
      title: 'First?',
      options: ['Yes', 'No'],
      timeout: 60_000,
    })
    await new Promise((done) => held.push(done))
    answers.push(await world.ui.select('Second?', ['Yes', 'No']))
    return { content: [], details: { answers } }
  }
  world.run('ask', { questions }, { execute })
  await world.quiet()
  const given = world.host.answerOnDesktop('first', [['Yes']])
  held[0]()
  await world.quiet()
  const second = (await world.host.openInputs(SESSION)).at(-1)
  assert.deepEqual(await world.host.answerOnDesktop(second.inputId, [['Yes']]), {
    status: 'resolved',
  })
  assert.deepEqual(await given, { status: 'submitted' })
  assert.deepEqual(await world.host.settlement('first'), { status: 'unknown' })
})
