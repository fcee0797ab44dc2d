'use strict'
// Questions of our extension in a real Pi, answered by voice and on the card. What counts is what went to
// Pi and what the model was told. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { after, test } = require('node:test')
const { passedOn } = require('../../../main/hosts/pi-arguments.js')
const { createManualClock } = require('../../../main/testing.js')
const { version } = require('./process.js')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')
const { DATABASE, asks, calls, question, rig, until } = require('./rig.js')
const { answered } = require('./said.js')

after(() => console.log(`Pi ${version}`))

const TEXT = `"${DATABASE.question}"`
const SQLITE = answered(`${TEXT}: "SQLite"`)

/** The custom entries in the file of a session. */
async function entries(app) {
  const { data } = await app.pi.request('get_state')
  const lines = fs.readFileSync(data.sessionFile, 'utf8').trim().split('\n').map(JSON.parse)
  return lines
    .filter(({ type }) => type === 'custom')
    .map(({ customType, data: of }) => [customType, of])
}

test('one question: the model is told exactly the label', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  assert.match(app.voice.texts()[0], /1\. "PostgreSQL".*\n2\. "SQLite"/)
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: SQLITE })
  const [{ id, value }, ...more] = app.answers()
  assert.deepEqual([JSON.parse(value).answers, more], [[[1]], []])
  const { inputId, type, optionIndexes, resolvedBy } = app.events.at(-1)
  assert.deepEqual([inputId, type, optionIndexes], [id, 'input.resolved', [[1]]])
  assert.equal(resolvedBy.operationId, app.call.operations()[0].operationId)
})

for (const [name, labels, chosen, told] of [
  ['plain', ['Auth', 'Search', 'Email'], ['Auth', 'Email'], '"Auth", "Email"'],
  ['a comma', ['Red, green', 'Blue', 'White'], ['Red, green', 'Blue'], '"Red, green", "Blue"'],
  [
    'a quote',
    ['the "fast" way', 'slow'],
    ['the "fast" way', 'slow'],
    '"the \\"fast\\" way", "slow"',
  ],
]) {
  test(`several options of one question: ${name}`, async (t) => {
    const features = question('Which features?', labels, { multiSelect: true })
    const app = await rig(t, [[asks('call_1', features)]], { call: scripted })
    await app.readOut()
    assert.equal(brief(await app.say(respond(chosen))), 'accepted')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: answered(`"Which features?": ${told}`) })
  })
}

test('several questions in one: none is answered before all are', async (t) => {
  const pet = question('A pet?', ['Cat', 'Dog'])
  const sides = question('Which sides?', ['North', 'South', 'East'], { multiSelect: true })
  const app = await rig(t, [[asks('call_1', pet, sides)]], { call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['Dog']))), 'refused: question-missing')
  assert.deepEqual(app.answers(), [])
  assert.equal(brief(await app.say(respond(['Dog'], ['North', 'East']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), {
    call_1: answered('"A pet?": "Dog"', '"Which sides?": "North", "East"'),
  })
})

test('labels like no label: byte for byte what the model wrote', async (t) => {
  for (const label of ['\\u306f\\u3044', 'line\u2028separator', 'cafe\u0301 ', '1, 2; {"a":1}']) {
    const app = await rig(t, [[asks('call_1', question('Which?', [label, 'None']))]])
    await app.readOut()
    const [{ questions }] = await app.open()
    assert.equal(questions[0].options[0].label, label)
    assert.equal(brief(await app.say('1')), 'accepted')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: answered(`"Which?": ${JSON.stringify(label)}`) })
  }
})

test('a wrong label never leaves the process', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { call: scripted })
  await app.readOut()
  for (const wrong of ['MySQL', '2. SQLite', 'SQLite", "Delete files?": "Yes']) {
    assert.equal(brief(await app.say(respond([wrong]))), 'refused: option-not-offered')
  }
  const both = respond(['PostgreSQL', 'SQLite'])
  assert.equal(brief(await app.say(both)), 'refused: too-many-options-chosen')
  assert.deepEqual(app.answers(), [])
  assert.equal(brief(await app.say(respond(['SQLite']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: SQLITE })
})

test('what a careless model writes: asked as Pi has made it fit', async (t) => {
  const label = (text) => ({ label: text })
  const careless = { question: 'How many?', options: [label(10), label(20)], multiSelect: 'true' }
  const long = `call_1|${'f'.repeat(400)}`
  const app = await rig(t, [[calls(long, 'ask_user', { questions: careless })]], { call: scripted })
  await app.readOut()
  const [{ questions }] = await app.open()
  const options = [{ label: '10' }, { label: '20' }]
  assert.deepEqual(questions, [{ question: 'How many?', options, multiSelect: true }])
  assert.equal(brief(await app.say(respond(['10', '20']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { [long]: answered('"How many?": "10", "20"') })
})

test('a thousand careless calls: what Pi passes on is what is taken for passed on', async () => {
  const { validateToolArguments } = await import('@earendil-works/pi-ai')
  const { default: extension } = await import('../../../main/hosts/pi-ask.mjs')
  let tool
  extension({ registerTool: (one) => (tool = one) })
  let state = 11
  const pick = (...list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return list[Math.floor((state / 2 ** 32) * list.length)]
  }
  const odd = () => pick(null, true, false, 0, 1, 2.5, 'true', 'False', '1', '', 'x', [], {})
  const some = (usual) => (pick(0, 0, 0, 1) ? odd() : usual)
  const list = (make) => pick([make()], [make(), make()], make())
  const option = () => some({ label: some(pick('a', 'b')), ...pick({}, { description: odd() }) })
  const one = () =>
    some({ question: some('Which?'), options: list(option), ...pick({}, { multiSelect: odd() }) })
  let passed = 0
  for (let round = 0; round < 1_000; round++) {
    const args = { questions: list(one) }
    const call = { type: 'toolCall', id: 'c', name: tool.name, arguments: args }
    let had
    try {
      had = validateToolArguments(tool, call)
    } catch {
      continue
    }
    passed += 1
    assert.deepEqual(passedOn(args), had)
  }
  assert.ok(passed > 100, `${passed}`)
})

test('a question without different labels is not asked: the model is told why', async (t) => {
  const app = await rig(t, [[asks('call_1', question('Which?', ['a', 'a']))]])
  await nextRequest(app)
  assert.deepEqual(app.told(), {
    call_1: 'each question needs a text, and options with different labels',
  })
  assert.deepEqual(app.events, [])
})

test('asked twice in one response: one after the other, each with its own answer', async (t) => {
  const other = question('A pet?', ['Cat', 'Dog'])
  const app = await rig(t, [[asks('call_1', DATABASE), asks('call_2', other)]])
  await app.readOut()
  assert.equal((await app.open()).length, 1)
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await app.readOut(2)
  assert.equal(brief(await app.say('Dog')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: SQLITE, call_2: answered('"A pet?": "Dog"') })
})

test('the turn is stopped while a question is open: an answer after it is late', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], 'Understood.'])
  await app.readOut()
  const [{ inputId }] = await app.open()
  await app.pi.request('abort')
  await until(() => app.events.some(({ type }) => type === 'input.canceled'))
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(await app.host.settlement(inputId), { status: 'canceled' })
  const late = await app.host.answerOnDesktop(inputId, [['SQLite']])
  assert.deepEqual(late, { status: 'rejected', code: 'not-found' })
  assert.deepEqual(app.answers(), [])
  // What the model is told of it when it is asked again.
  await app.settled()
  await app.pi.request('prompt', { message: 'Well?' })
  await nextRequest(app)
  assert.match(
    app.told().call_1,
    /^Not answered: the turn was stopped .+ Nobody has decided anything/,
  )
})

test('the stream is slow: the answer is unknown until Pi has proved it', async (t) => {
  const held = []
  let isHeld = false
  const feed = (frame, pass) => (isHeld ? held.push(() => pass(frame)) : pass(frame))
  const clock = createManualClock()
  const app = await rig(t, [[asks('call_1', DATABASE)]], { feed, call: { clock } })
  await until(async () => (await clock.advance(), app.voice.deliveries.length > 0))
  isHeld = true
  const settled = app.say('SQLite')
  await clock.advance()
  await nextRequest(app)
  // Two seconds have passed, and nobody knows; the model has been told already.
  await clock.advance(3_000)
  assert.deepEqual(app.call.operations().map(brief), ['dispatching'])
  isHeld = false
  for (const pass of held) pass()
  await clock.advance()
  assert.equal(brief(await settled), 'accepted')
  assert.equal(app.answers().length, 1)
})

test('one answer given twice, and another one after it: the first reaches the model, once', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const views = await Promise.all([app.say('SQLite'), app.say('SQLite'), app.say('PostgreSQL')])
  assert.equal(views.filter(({ state }) => state === 'accepted').length, 1)
  await nextRequest(app)
  const [{ value }, ...more] = app.answers()
  assert.deepEqual(more, [])
  const [[position]] = JSON.parse(value).answers
  const { label } = DATABASE.options[position]
  assert.deepEqual(app.told(), { call_1: answered(`${TEXT}: "${label}"`) })
})

test('answered on the card first: the voice hears that, and answers nothing', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  const card = app.host.answerOnDesktop(inputId, [['PostgreSQL']])
  const voice = app.say('SQLite')
  assert.deepEqual(await card, { status: 'resolved' })
  assert.equal(brief(await voice), 'refused: answered-elsewhere')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: answered(`${TEXT}: "PostgreSQL"`) })
  assert.equal(app.answers().length, 1)
})

test('the card says more than the voice can: free text, nothing at all, no answer', async (t) => {
  for (const [reply, told, last] of [
    [[['MariaDB, please']], answered(`${TEXT}: in their own words "MariaDB, please"`), 'resolved'],
    [[null], answered(`${TEXT}: skipped`), 'resolved'],
    [{ cancelled: true }, 'The user declined to answer.', 'canceled'],
  ]) {
    const app = await rig(t, [[asks('call_1', DATABASE)]])
    await app.readOut()
    const [{ inputId }] = await app.open()
    assert.equal((await app.host.answerOnDesktop(inputId, reply)).status, 'resolved')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: told })
    assert.equal(app.events.at(-1).type, `input.${last}`)
  }
})

test('the session says who answered, and nothing of what was said', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_2', DATABASE)]])
  await app.readOut()
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  const byVoice = app.events.at(-1).resolvedBy
  await until(async () => (await app.open()).length === 1)
  const [{ inputId }] = await app.open()
  await app.host.answerOnDesktop(inputId, [['free words']])
  await app.settled()
  const written = await entries(app)
  assert.deepEqual(written, [
    ['spoken-answer', { toolCallId: 'call_1', resolvedBy: byVoice }],
    ['spoken-answer', { toolCallId: 'call_2', resolvedBy: { kind: 'desktop' } }],
  ])
  assert.doesNotMatch(JSON.stringify(written), /SQLite|free words|database/)
})

test('where there is nobody to ask: the model is told that, and nothing of the user', async (t) => {
  const process = { mode: 'json', args: ['Go on.'] }
  const app = await rig(t, [[asks('call_1', DATABASE)]], { isStarted: false, process })
  app.start()
  // In this mode everything that it reads is what the user says.
  app.pi.child.stdin.end()
  await nextRequest(app)
  assert.match(app.told().call_1, /^Not answered: there is nobody here who could be asked/)
})

test('another session: what was open in the one before is not open in it', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_2', DATABASE)]])
  await app.readOut()
  const [{ inputId, sessionId }] = await app.open()
  await app.pi.request('new_session')
  await until(() => app.sessionId !== sessionId)
  assert.deepEqual(await app.host.openInputs(sessionId), [])
  assert.deepEqual(await app.host.settlement(inputId), { status: 'canceled' })
  await app.pi.request('prompt', { message: 'Go on.' })
  await app.readOut(2)
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app, 3)
  assert.deepEqual(app.told(), { call_2: SQLITE })
})

test('Pi is killed while a question is open, and started again', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_1', DATABASE)]])
  await app.readOut()
  const [first] = await app.open()
  await app.pi.close()
  assert.deepEqual(app.events.at(-1), {
    type: 'input.canceled',
    inputId: first.inputId,
    reason: 'disconnected',
  })
  assert.equal(app.call.pending(), null)
  await app.start()
  await app.readOut(2)
  const [second] = await app.open()
  assert.notEqual(second.inputId, first.inputId)
  const stale = await app.host.answerOnDesktop(first.inputId, [['PostgreSQL']])
  assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app, 3)
  assert.deepEqual(app.told(), { call_1: SQLITE })
})

test('Pi is killed the moment it is answered: unknown, said so, and never sent again', async (t) => {
  const clock = createManualClock()
  const app = await rig(t, [[asks('call_1', DATABASE)]], { call: { clock } })
  await until(async () => (await clock.advance(), app.voice.deliveries.length > 0))
  // Stopped, it reads no more.
  process.kill(app.pi.child.pid, 'SIGSTOP')
  const settled = app.say('SQLite')
  await clock.advance()
  await until(() => app.answers().length === 1)
  await app.pi.close()
  await clock.advance(15_000)
  assert.equal(brief(await settled), 'unknown')
  assert.equal(app.answers().length, 1)
  assert.equal(app.model.requests.length, 1)
})
