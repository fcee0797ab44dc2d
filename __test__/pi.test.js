'use strict'
// The Pi adapter with Pi's side faked: what is open, what proves an answer, and what ends it.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { SpokenQuestion } = require('..')
const { createPiHost } = require('../main/hosts/pi.js')
const { FACTS, outcome, warnings } = require('./asking.js')
const { CODE, WHICH, brief, open, resolve, session } = require('./pi-session.js')
const { SESSION, asked } = require('./pi-side.js')

const PLAIN = [
  { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false },
]
const ARGS = { question: 'Which?', options: ['a', 'b'] }

for (const [how, args, toolName, value] of [
  ['ask', { questions: [WHICH] }, 'ask_user', '{"spoken-answer":1,"answers":[[1]],"resolvedBy":'],
  ['select', ARGS, 'ask', 'b'],
]) {
  test(`a question (${how}): it goes back by the id of its dialog`, async () => {
    const world = await session()
    const { inputId, input } = await open(world, how)
    const dialog = world.frames.find(({ id }) => id === inputId)
    assert.deepEqual(input, { kind: 'question', inputId, sessionId: SESSION, questions: PLAIN })
    assert.deepEqual(await world.host.openInputs(SESSION), [input])
    assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
    const original = { dialog, toolCallId: 'call-1', toolName, args }
    assert.deepEqual(world.host.original(inputId), original)
    assert.equal(world.host.asks(dialog), true)
    assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
    const [{ value: sent, ...frame }] = world.written
    assert.deepEqual(frame, { type: 'extension_ui_response', id: inputId })
    assert.ok(sent.startsWith(value), sent)
    const resolvedBy = { ...FACTS, digest: new SpokenQuestion(input).digest, shortened: false }
    assert.deepEqual(world.events.slice(1), [
      { type: 'input.resolved', inputId, optionIndexes: [[1]], resolvedBy },
    ])
    assert.deepEqual(await world.host.openInputs(SESSION), [])
    assert.equal(world.host.asks(dialog), false)
    assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
    assert.equal(world.written.length, 1)
  })
}

test('our extension says in its session who answered, and nothing of what', async () => {
  const world = await session()
  const { inputId } = await open(world)
  await resolve(world, inputId, [[1]])
  const second = await open(world)
  await world.host.answerOnDesktop(second.inputId, [['own words']])
  const third = await open(world)
  await world.host.answerOnDesktop(third.inputId, { cancelled: true })
  const desktop = { kind: 'desktop' }
  assert.deepEqual(world.entries, [
    ['spoken-answer', { toolCallId: 'call-1', resolvedBy: world.events[1].resolvedBy }],
    ['spoken-answer', { toolCallId: 'call-2', resolvedBy: desktop }],
    ['spoken-answer', { toolCallId: 'call-3', resolvedBy: desktop }],
  ])
})

test('what waits for nobody opens nothing', async () => {
  const world = await session()
  world.run('ask', ARGS, { execute: () => new Promise(() => {}) })
  for (const method of [
    'notify',
    'setStatus',
    'setWidget',
    'setTitle',
    'set_editor_text',
    'later',
  ]) {
    const frame = {
      type: 'extension_ui_request',
      id: method,
      method,
      title: 'Which?',
      options: ['a'],
    }
    world.say(frame)
    assert.equal(world.host.asks(frame), false)
  }
  await world.quiet()
  assert.deepEqual(world.events, [])
})

for (const [name, kind, openDialog] of [
  ['confirm', 'permission', (ui) => ui.confirm('Run it?', 'ls')],
  ['select', 'permission', (ui) => ui.select('Run it?', ['Yes', 'No', 'Allow always'])],
  ['input', 'other', (ui) => ui.input('Which?', 'a')],
]) {
  test(`a gate by ${name} is shown until the app has decided it, and never answered`, async (t) => {
    const world = await session()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    world.run('bash', {}, { gate: () => openDialog(world.ui), execute: async () => ({}) })
    await world.quiet()
    const dialog = world.frames.at(-1)
    assert.equal(world.host.asks(dialog), false)
    t.mock.timers.tick(199)
    assert.deepEqual(world.events, [])
    t.mock.timers.tick(1)
    const [{ input }] = world.events
    assert.deepEqual(input, { kind, inputId: input.inputId, sessionId: SESSION })
    assert.deepEqual(await resolve(world, input.inputId, [[0]]), CODE('invalid'))
    assert.deepEqual(await world.host.answerOnDesktop(input.inputId, [['Yes']]), CODE('invalid'))
    world.host.decided(dialog.id)
    await world.quiet()
    assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: decided'])
    assert.deepEqual(world.written, [])
  })
}

test('what the app decides at once is never shown to wait', async (t) => {
  const world = await session()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  world.run('bash', {}, { gate: () => world.ui.confirm('Run it?', 'ls') })
  await world.quiet()
  world.host.decided(world.frames.at(-1).id)
  await world.quiet()
  t.mock.timers.tick(1_000)
  await world.quiet()
  assert.deepEqual(world.events, [])
})

for (const [name, goOn] of [
  ['the tool is done', (world) => world.say({ type: 'tool_execution_end', toolCallId: 'call-1' })],
  ['the next tool begins', (world) => world.run('read', {}, { execute: async () => ({}) })],
  ['the run is over', (world) => world.say({ type: 'agent_end' })],
  ['the connection is gone', (world) => world.disconnect()],
]) {
  test(`an app that does not say that it has decided: ${name}`, async (t) => {
    const world = await session()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    world.run('bash', {}, { gate: () => world.ui.confirm('Run it?', 'ls') })
    await world.quiet()
    t.mock.timers.tick(200)
    assert.deepEqual(brief(world.events), ['input.requested'])
    goOn(world)
    await world.quiet()
    assert.match(brief(world.events)[1], /^input\.canceled: /)
    assert.deepEqual([await world.host.openInputs(SESSION), world.written], [[], []])
  })
}

test('the card: labels, free text, nothing, and no answer; a plain dialog takes only its options', async () => {
  for (const [how, reply, told] of [
    ['ask', [['b']], { status: 'answered', answers: [[1]] }],
    ['ask', [['own words']], { status: 'answered', answers: [['own words']] }],
    ['ask', [null], { status: 'answered', answers: [null] }],
    ['ask', { cancelled: true }, { status: 'declined' }],
    ['select', [['b']], 'b'],
    ['select', { cancelled: true }, undefined],
    ['select', [['own words']], null],
    ['select', [null], null],
    ['select', [], null],
    ['ask', [['a', 'b']], null],
  ]) {
    const world = await session()
    const { id, inputId } = await open(world, how)
    const answer = await world.host.answerOnDesktop(inputId, reply)
    assert.deepEqual(answer, told === null ? CODE('invalid') : { status: 'resolved' })
    if (told === null) {
      assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
      continue
    }
    const { details } = world.results.get(id)
    assert.deepEqual(how === 'ask' ? details : details.answer, told)
    const isNone = reply.cancelled === true
    assert.equal(brief(world.events)[1], isNone ? 'input.canceled: declined' : 'input.resolved')
    assert.deepEqual(world.events[1].optionIndexes, reply[0]?.[0] === 'b' ? [[1]] : undefined)
  }
})

test('several questions, several options: all in one input, and all in one reply', async () => {
  const world = await session()
  const more = asked('What else?', ['c', 'd', 'e'], { multiSelect: true })
  const { id, inputId, input } = await open(world, 'ask', [WHICH, more])
  assert.deepEqual(
    input.questions.map(({ multiSelect }) => multiSelect),
    [false, true],
  )
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('invalid'))
  assert.deepEqual(await resolve(world, inputId, [[0], [2, 1]]), { status: 'resolved' })
  assert.equal(
    world.results.get(id).content[0].text,
    'The user answered.\n"Which?": "a"\n"What else?": "d", "e"',
  )
})

test('what cannot be written was not answered', async () => {
  const host = createPiHost({ askTools: ['ask'] })
  let tell
  let isBroken = true
  const written = []
  const seen = await warnings(async () => {
    host.connect({
      onFrame: (listener) => void (tell = listener),
      send(frame) {
        if (isBroken) throw new Error('closed')
        written.push(frame)
        return Promise.reject(new Error('too late'))
      },
    })
    tell({ type: 'response', command: 'get_state', success: true, data: { sessionId: SESSION } })
    tell({ type: 'tool_execution_start', toolCallId: 'c', toolName: 'ask', args: ARGS })
    const options = ['a', 'b']
    tell({ type: 'extension_ui_request', id: 'd', method: 'select', title: 'Which?', options })
    assert.deepEqual(await resolve({ host }, 'd', [[0]]), { status: 'not-sent' })
    isBroken = false
    resolve({ host }, 'd', [[1]])
    await nextTurn()
  })
  assert.deepEqual(written, [{ type: 'extension_ui_response', id: 'd', value: 'b' }])
  assert.deepEqual(seen, [
    'Pi was not asked for its session: closed',
    'an answer was not handed over: closed',
    'an answer was perhaps not sent: too late',
  ])
})

test('mistakes of the calling program', async () => {
  const code = (name) => ({ name: 'TypeError', code: name })
  for (const [settings, name] of [
    [null, 'INVALID_OPTIONS'],
    [{ onSession: 'x' }, 'INVALID_ON_SESSION'],
    [{ askTools: 'ask' }, 'INVALID_ASK_TOOLS'],
    [{ askTools: [''] }, 'INVALID_ASK_TOOLS'],
  ]) {
    assert.throws(() => createPiHost(settings), code(name))
  }
  const host = createPiHost()
  const send = () => {}
  const onFrame = () => {}
  for (const [connection, name] of [
    [undefined, 'INVALID_CONNECTION'],
    [{ onFrame }, 'INVALID_SEND'],
    [{ send }, 'INVALID_ON_FRAME'],
    [{ send, onFrame, onEnd: 1 }, 'INVALID_ON_END'],
    [{ stdin: {} }, 'INVALID_PROCESS'],
  ]) {
    assert.throws(() => host.connect(connection), code(name))
  }
  assert.throws(() => host.decided(), code('INVALID_ID'))
  for (const reply of [undefined, 'a', {}, { value: 'a' }, { cancelled: false }]) {
    assert.equal(await outcome(host.answerOnDesktop('x', reply)), 'TypeError INVALID_REPLY')
  }
  assert.deepEqual(await host.answerOnDesktop('x', [['a']]), CODE('not-found'))
  for (const frame of [undefined, null, 'text', {}]) assert.equal(host.asks(frame), false)
})

test('what is not understood is said, and the rest goes on', async () => {
  const world = await session()
  const seen = await warnings(() => {
    for (const frame of [null, null]) world.pass(frame)
  })
  assert.equal(seen.length, 2)
  for (const frame of [
    7,
    'text',
    {},
    { type: 'tool_execution_start' },
    { type: 'tool_execution_end' },
    { type: 'extension_ui_request' },
    { type: 'extension_ui_request', method: 'select', title: 'Which?', options: ['a', 'b'] },
    { type: 'extension_ui_request', method: 'setStatus', statusKey: 7 },
    { type: 'extension_ui_request', method: 'setStatus', statusKey: 'spoken-answer:' },
    { type: 'response', success: true },
    { type: 'response', success: true, command: 'get_state', data: { sessionId: 7 } },
  ]) {
    world.pass(frame)
  }
  assert.deepEqual(world.events, [])
  const { inputId } = await open(world)
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
})

test('five thousand random frames: nothing throws, and nothing is ever answered by itself', async () => {
  let state = 13
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const odd = [undefined, null, 0, '', 'x', [], {}, true]
  const maybe = (value) => (next(8) === 0 ? pick(odd) : value)
  const types = [
    ...Array(6).fill('extension_ui_request'),
    ...Array(3).fill('tool_execution_start'),
    'tool_execution_end',
    'tool_execution_end',
    'agent_start',
    'agent_settled',
    'response',
  ]
  const titles = ['And which?', 'Or which?']
  const shown = 'Which?\n1. a\n2. b\n\nReply with the number, like: 1'
  const world = await session()
  const seen = await warnings(async () => {
    for (let round = 0; round < 5_000; round++) {
      const n = next(2)
      world.pass({
        type: maybe(pick(types)),
        id: maybe(`d${round}`),
        method: maybe(pick(['select', 'select', 'input', 'confirm', 'setStatus'])),
        title: maybe(next(2) === 0 ? shown : titles[n]),
        options: maybe(['a', 'b']),
        timeout: maybe(undefined),
        statusKey: maybe(`spoken-answer:c${n}`),
        statusText: maybe('waiting'),
        toolCallId: maybe(`c${n}`),
        toolName: next(9) === 0 ? pick(['ask_user', 'bash', undefined]) : 'ask',
        args: maybe({ questions: [WHICH], question: titles[n], options: ['a', 'b'] }),
        result: maybe({ content: [], details: { answer: pick(['a', 'b']) } }),
        isError: maybe(false),
        success: true,
        command: maybe('get_state'),
        data: maybe({ sessionId: SESSION }),
      })
    }
  })
  assert.deepEqual([seen, world.written], [[], []])
  const opened = world.events.filter(({ type }) => type === 'input.requested')
  const questions = opened.filter(({ input }) => input.kind === 'question')
  assert.ok(questions.length > 20, `${questions.length}`)
  for (const { input } of opened) {
    assert.equal(input.questions === undefined, input.kind !== 'question')
  }
})
