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

/** A plain dialog, as Pi says it. */
const select = (id, title = 'Which?', options = ['a', 'b']) => ({
  type: 'extension_ui_request',
  id,
  method: 'select',
  title,
  options,
})
const start = (toolCallId, toolName, args = ARGS) => ({
  type: 'tool_execution_start',
  toolCallId,
  toolName,
  args,
})
const end = (toolCallId, details = {}) => ({
  type: 'tool_execution_end',
  toolCallId,
  result: { content: [], details },
  isError: false,
})
const LONG = `call_1|${'f'.repeat(400)}`

test('ids of providers are as long as they like: what such a call asks is asked', async () => {
  for (const how of ['ask', 'select']) {
    const world = await session()
    const args = how === 'ask' ? ['ask_user', { questions: [WHICH] }] : ['ask', ARGS]
    world.run(...args, { id: LONG })
    await world.quiet()
    const [{ inputId, kind }] = await world.host.openInputs(SESSION)
    assert.deepEqual([kind, world.host.original(inputId).toolCallId], ['question', LONG])
    assert.deepEqual(await resolve(world, inputId, [[1]]), { status: 'resolved' })
  }
})

test('a dialog with such an id has an input id of its own, and its answer goes back by its own', async () => {
  const world = await session()
  world.pass(start('c', 'ask'))
  world.pass(select(LONG))
  const [{ inputId }] = await world.host.openInputs(SESSION)
  assert.match(inputId, /^[0-9a-f-]{36}$/)
  assert.equal(world.host.asks({ id: LONG }), true)
  world.host.answerOnDesktop(inputId, [['a']])
  assert.deepEqual(world.written, [{ type: 'extension_ui_response', id: LONG, value: 'a' }])
})

test('a gate of a call with such an id, or with none, in the words of a named tool: never answered', async () => {
  for (const id of [LONG, undefined, null, '', 7, {}]) {
    const world = await session()
    world.pass(start('c', 'ask'))
    world.pass(start(id, 'bash', {}))
    world.pass(select('d'))
    assert.equal(world.host.asks({ id: 'd' }), false, id)
    assert.deepEqual(await resolve(world, 'd', [[0]]), CODE('not-found'))
    // It may run still, where nobody can say that it has ended.
    world.pass(end(id))
    world.pass(select('e'))
    assert.equal(world.host.asks({ id: 'e' }), id === LONG, id)
    world.pass({ type: 'agent_settled' })
    world.pass(start('c2', 'ask'))
    world.pass(select('f'))
    assert.equal(world.host.asks({ id: 'f' }), true)
    assert.deepEqual(world.written, [])
  }
})

test('a named tool whose call has no id: nobody can say when it ends, so what it asks is no question', async () => {
  for (const id of [undefined, '', 7]) {
    const world = await session()
    world.pass(start(id, 'ask'))
    world.pass(select('d'))
    assert.equal(world.host.asks({ id: 'd' }), false)
    world.pass(start(id, 'ask_user', { questions: [WHICH] }))
    world.pass({
      ...select('e', 'Which?\n1. a\n2. b\n\nReply with the number, like: 1'),
      method: 'input',
    })
    assert.equal(world.host.asks({ id: 'e' }), false)
  }
})

test('two calls under one id: nothing that either asks is a question, and nothing of either a proof', async () => {
  for (const [first, second] of [
    ['bash', 'ask'],
    ['ask', 'bash'],
    ['ask', 'ask'],
  ]) {
    const world = await session()
    world.pass(start('c', first))
    world.pass(start('c', second))
    world.pass(select('d'))
    // One of them is over, and nobody knows which.
    world.pass(end('c'))
    world.pass(select('e'))
    assert.deepEqual([world.host.asks({ id: 'd' }), world.host.asks({ id: 'e' })], [false, false])
    world.pass(end('c'))
    world.pass(start('c', 'ask'))
    world.pass(select('f'))
    assert.equal(world.host.asks({ id: 'f' }), true)
  }
  const again = await session()
  again.pass(start('c', 'ask'))
  again.pass(select('d'))
  again.pass(start('c', 'ask'))
  again.pass(select('e'))
  assert.deepEqual([again.host.asks({ id: 'd' }), again.host.asks({ id: 'e' })], [true, false])
  const world = await session()
  world.pass(start('c', 'ask'))
  world.pass(select('d'))
  world.pass(start('c', 'bash'))
  const given = world.host.answerOnDesktop('d', [['a']])
  world.pass(end('c', { answer: 'a' }))
  world.pass(end('c', { answer: 'a' }))
  assert.deepEqual(await given, { status: 'unknown' })
})

test('a dialog of something else in the words of a later question: none of the voice while one is open', async () => {
  const world = await session()
  const questions = [
    { question: 'A colour?', options: ['Red', 'Blue'] },
    { question: 'Ship it?', options: ['Yes', 'No'] },
  ]
  world.pass(start('c', 'ask', { questions }))
  // Before its turn.
  world.pass(select('early', 'Ship it?', ['Yes', 'No']))
  world.pass(select('first', 'A colour?', ['Red', 'Blue']))
  world.pass(select('meanwhile', 'Ship it?', ['Yes', 'No']))
  const asks = (id) => world.host.asks({ id })
  assert.deepEqual(['early', 'first', 'meanwhile'].map(asks), [false, true, false])
  world.host.answerOnDesktop('first', [['Red']])
  world.pass(select('second', 'Ship it?', ['Yes', 'No']))
  assert.equal(asks('second'), true)
  assert.deepEqual(await resolve(world, 'meanwhile', [[0]]), CODE('not-found'))
})

test('a dialog that ended by itself does not keep the next one from being asked', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = await session()
  const next = { question: 'And then?', options: ['c', 'd'] }
  world.pass(start('c', 'ask', { questions: [ARGS, next] }))
  world.pass({ ...select('first'), timeout: 600 })
  t.mock.timers.tick(600)
  world.pass(select('second', 'And then?', ['c', 'd']))
  assert.equal(world.host.asks({ id: 'second' }), true)
})

test('a gate before a named tool itself is a permission, in whatever words the model used', async () => {
  const world = await session()
  const gate = { question: 'Allow tool ask?', options: ['Allow', 'Deny'] }
  world.run('ask', gate, { gate: () => world.ui.select(gate.question, gate.options) })
  await world.quiet()
  const dialog = world.frames.find(({ method }) => method === 'select')
  assert.equal(world.host.asks(dialog), false)
  assert.deepEqual(await resolve(world, dialog.id, [[0]]), CODE('not-found'))
  assert.deepEqual(world.written, [])
})

test('what cannot be copied is not asked: the app decides it', async () => {
  const world = await session()
  const seen = await warnings(() => {
    // Not over a pipe, but a connection may be anything.
    world.host.connect({
      send: () => {},
      onFrame(listener) {
        listener(start('c', 'ask', { ...ARGS, isFine: () => true }))
        listener(select('d'))
        listener(start('c2', 'ask'))
        listener({ ...select('e'), isFine: () => true })
      },
    })
  })
  assert.equal(seen.length, 2)
  assert.match(seen[0], /^what a tool of Pi was called with cannot be copied: /)
  assert.match(seen[1], /^a frame of Pi was not understood: /)
  assert.deepEqual([world.host.asks({ id: 'd' }), world.host.asks({ id: 'e' })], [false, false])
})

test('what changes after it was asked changes nothing: what is answered is what was asked', async () => {
  const world = await session()
  const args = structuredClone(ARGS)
  world.pass(start('c', 'ask', args))
  args.options.push('c')
  world.pass(select('d', 'Which?', ['a', 'b', 'c']))
  assert.equal(world.host.asks({ id: 'd' }), false)
  world.pass(select('e'))
  assert.deepEqual(world.host.original('e').args, ARGS)
})

for (const [name, ask, kind] of [
  ['a question', (world) => world.pass(select('d')), 'question'],
  ['a permission', (world) => world.ui.confirm('Run it?', 'ls'), 'permission'],
]) {
  test(`whoever watches disconnects when ${name} opens: nothing is left open`, async (t) => {
    const world = await session()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    world.host.watch(SESSION, ({ type }) => type === 'input.requested' && world.disconnect())
    world.pass(start('c', 'ask'))
    ask(world)
    t.mock.timers.tick(200)
    await world.quiet()
    assert.deepEqual(brief(world.events).slice(0, 1), ['input.requested'])
    assert.equal(world.events[0].input.kind, kind)
    assert.match(brief(world.events).slice(1).join(), /^input\.canceled: (disconnected|decided)$/)
    assert.deepEqual(await world.host.openInputs(SESSION), [])
    const { inputId } = world.events[0].input
    assert.deepEqual(await world.host.answerOnDesktop(inputId, [['a']]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  })
}

test('whoever watches disconnects when an answer is handed over for the next question: that is not open', async () => {
  const world = await session()
  const next = { question: 'And then?', options: ['c', 'd'] }
  world.pass(start('c', 'ask', { questions: [ARGS, next] }))
  world.pass(select('first'))
  world.host.answerOnDesktop('first', [['a']])
  world.host.watch(SESSION, ({ type }) => type === 'input.resolved' && world.disconnect())
  world.pass(select('second', 'And then?', ['c', 'd']))
  await world.quiet()
  assert.deepEqual(
    [await world.host.openInputs(SESSION), world.host.asks({ id: 'second' })],
    [[], false],
  )
})

test('whoever watches answers when it opens, and Pi has done with it at once: proved', async () => {
  const host = createPiHost({ askTools: ['ask'] })
  let tell
  const send = ({ type, value }) => {
    if (type === 'extension_ui_response') tell(end('c', { answer: value }))
  }
  host.connect({ send, onFrame: (listener) => void (tell = listener) })
  tell({ type: 'response', command: 'get_state', success: true, data: { sessionId: SESSION } })
  let given
  host.watch(SESSION, ({ type, input }) => {
    if (type === 'input.requested') given = host.answerOnDesktop(input.inputId, [['b']])
  })
  tell(start('c', 'ask'))
  tell(select('d'))
  assert.deepEqual(await given, { status: 'resolved' })
  assert.equal((await host.settlement('d')).status, 'resolved')
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
    [{ askTools: Array(1) }, 'INVALID_ASK_TOOLS'],
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
    [{ stdin: null, send, onFrame }, 'INVALID_PROCESS'],
  ]) {
    assert.throws(() => host.connect(connection), code(name))
  }
  assert.throws(() => host.decided(), code('INVALID_ID'))
  const connection = { send, onFrame }
  const disconnect = host.connect(connection)
  // Each answer would be given twice.
  assert.throws(() => host.connect(connection), code('INVALID_CONNECTION'))
  disconnect()
  host.connect(connection)
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
    ...Array(2).fill('tool_execution_start'),
    ...Array(3).fill('tool_execution_end'),
    'agent_start',
    ...Array(2).fill('agent_settled'),
    'response',
  ]
  const titles = ['And which?', 'Or which?']
  const shown = 'Which?\n1. a\n2. b\n\nReply with the number, like: 1'
  const world = await session()
  const seen = await warnings(async () => {
    for (let round = 0; round < 5_000; round++) {
      const n = next(2)
      const id = `c${next(4)}`
      world.pass({
        type: maybe(pick(types)),
        id: maybe(`d${round}`),
        method: maybe(pick(['select', 'select', 'input', 'confirm', 'setStatus'])),
        title: maybe(next(2) === 0 ? shown : titles[n]),
        options: maybe(['a', 'b']),
        timeout: maybe(undefined),
        statusKey: maybe(`spoken-answer:${id}`),
        statusText: maybe('waiting'),
        toolCallId: next(40) === 0 ? pick(odd) : id,
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
  assert.ok(questions.length > 10, `${questions.length}`)
  for (const { input } of opened) {
    assert.equal(input.questions === undefined, input.kind !== 'question')
  }
})
