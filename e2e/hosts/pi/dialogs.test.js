'use strict'
// Plain dialogs of other extensions in a real Pi: which of them are questions, what becomes of an answer,
// and what no voice ever answers. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { createManualClock } = require('../../../main/testing.js')
const { DATABASE, PLAIN, asks, calls, rig, selects, until } = require('./rig.js')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')

const PET = { question: 'A pet?', options: ['Cat', 'Dog'] }
const bash = (id, command) => calls(id, 'bash', { command })
/** Something that waits and is the app's to decide. */
const waiting = (app, kind) =>
  until(async () => (await app.open()).find((input) => input.kind === kind))

test('a tool that the app has named: its option goes back byte for byte', async (t) => {
  const options = ['  two\u2028lines ', 'caf\u0065\u0301, "au lait"']
  for (const option of options) {
    const turn = [selects('call_1', [{ question: 'Which?', options }])]
    const app = await rig(t, [turn], { call: scripted })
    await app.readOut()
    assert.deepEqual(app.others, [])
    assert.equal(brief(await app.say(respond([option]))), 'accepted')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: `The user chose ${option}.` })
    const [{ id, ...reply }] = app.answers()
    assert.deepEqual(reply, { type: 'extension_ui_response', value: option })
    assert.equal(app.events.at(-1).inputId, id)
  }
})

test('several dialogs of one call: each is a question of its own', async (t) => {
  const app = await rig(t, [[selects('call_1', [PLAIN, PET])]])
  await app.readOut()
  // The tool asks on, and nothing has proved that it had this.
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  await app.readOut(2)
  assert.equal(brief(await app.say('Dog')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: 'The user chose SQLite.\nThe user chose Dog.' })
})

test('ids as long as those of real providers: asked, and a gate of such a call is never answered', async (t) => {
  const long = (name) => `${name}|${'f'.repeat(400)}`
  const gate = { question: 'Run touch made?', options: ['Yes', 'No', 'Yes, from now on'] }
  const turn = [selects(long('call_1'), [gate]), bash(long('call_2'), 'touch made')]
  const app = await rig(t, [turn], { call: scripted })
  await waiting(app, 'permission')
  assert.equal(brief(await app.say(respond(['Yes']))), 'refused: not-a-question')
  assert.deepEqual(app.answers(), [])
  app.decide(app.others[0], { value: 'No' })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['No']))), 'accepted')
  await nextRequest(app)
  assert.equal(app.told()[long('call_1')], 'The user chose No.')
})

test('a gate before the named tool itself, in the words that the model called it with: never answered', async (t) => {
  const gate = { question: 'Allow ask?', options: ['Allow', 'Deny'] }
  const app = await rig(t, [[selects('call_1', [gate], { guarded: true })]], { call: scripted })
  await waiting(app, 'permission')
  assert.equal(brief(await app.say(respond(['Allow']))), 'refused: not-a-question')
  assert.deepEqual(app.answers(), [])
  app.decide(app.others[0], { value: 'Deny' })
  await nextRequest(app)
  assert.match(app.told().call_1, /The user said no/)
})

test('a command asks in the words of a later question of the tool: none of the voice', async (t) => {
  const app = await rig(t, [[selects('call_1', [PET, PLAIN])]])
  await app.readOut()
  app.pi.send({ type: 'prompt', message: '/ask' })
  await until(() => app.others.length === 1)
  await waiting(app, 'other')
  app.decide(app.others[0], { value: 'PostgreSQL' })
  await until(() => app.call.pending()?.kind === 'question')
  assert.equal(brief(await app.say('Dog')), 'submitted')
  const { inputId } = await waiting(app, 'question')
  // Pi does not say that it was not the tool's, so what the tool tells may be of either.
  const reply = await app.host.answerOnDesktop(inputId, [['SQLite']])
  assert.deepEqual(reply, { status: 'unknown' })
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: 'The user chose Dog.\nThe user chose SQLite.' })
})

test('a tool that does not say what it had: unknown, and never sent again', async (t) => {
  const clock = createManualClock()
  const app = await rig(t, [[selects('call_1', [PLAIN], {}, 'mumble')]], { call: { clock } })
  await until(async () => (await clock.advance(), app.voice.deliveries.length > 0))
  const settled = app.say('SQLite')
  await clock.advance()
  await nextRequest(app)
  await clock.advance(15_000)
  assert.equal(brief(await settled), 'unknown')
  assert.equal(app.answers().length, 1)
})

test('a gate before a tool is never answered: "yes" is for the card', async (t) => {
  for (const [command, reply] of [
    ['confirm && touch made', { confirmed: false }],
    ['touch made', { value: 'No' }],
  ]) {
    const app = await rig(t, [[bash('call_1', command)]], { call: scripted })
    const { inputId, kind, questions } = await waiting(app, 'permission')
    assert.deepEqual([kind, questions], ['permission', undefined])
    assert.equal(app.call.pending().kind, 'permission')
    for (const yes of ['Yes', 'Yes, from now on']) {
      assert.equal(brief(await app.say(respond([yes]))), 'refused: not-a-question')
    }
    const byCard = await app.host.answerOnDesktop(inputId, [['Yes']])
    assert.deepEqual(byCard, { status: 'rejected', code: 'invalid' })
    assert.deepEqual(app.answers(), [])
    assert.doesNotMatch(app.voice.texts().join(), /touch|Run/)
    app.decide(app.others[0], reply)
    await nextRequest(app)
    assert.equal(app.call.pending(), null)
    assert.match(app.told().call_1, /The user said no/)
  }
})

test('a gate in the very words of a question: the model asks what the gate will ask', async (t) => {
  const gate = { question: 'Run touch made?', options: ['Yes', 'No', 'Yes, from now on'] }
  const turn = [selects('call_1', [gate]), bash('call_2', 'touch made')]
  const app = await rig(t, [turn], { call: scripted })
  await waiting(app, 'permission')
  assert.equal(app.others.length, 1)
  assert.equal(brief(await app.say(respond(['Yes']))), 'refused: not-a-question')
  assert.deepEqual(app.answers(), [])
  // The gate is decided; what the tool asks is not told from it while bash runs.
  app.decide(app.others[0], { value: 'No' })
  await app.readOut()
  assert.equal((await app.open())[0].kind, 'question')
  assert.equal(brief(await app.say(respond(['No']))), 'accepted')
  await nextRequest(app)
  assert.equal(app.told().call_1, 'The user chose No.')
})

test('two open at once: each gets its own answer, by the id of its dialog', async (t) => {
  const app = await rig(t, [[selects('call_1', [PLAIN]), selects('call_2', [PET])]])
  const open = await until(async () => {
    const inputs = await app.open()
    return inputs.length === 2 && inputs
  })
  await until(() => app.voice.texts().some((text) => !/SQLite|Cat/.test(text)))
  assert.equal(brief(await app.say('SQLite')), 'refused: several-open-questions')
  const pet = open.find(({ questions }) => questions[0].question === 'A pet?')
  const reply = await app.host.answerOnDesktop(pet.inputId, [['Dog']])
  assert.deepEqual(reply, { status: 'resolved' })
  await until(() => app.voice.texts().at(-1).includes('SQLite'))
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), {
    call_1: 'The user chose SQLite.',
    call_2: 'The user chose Dog.',
  })
})

test('two with the same words open at once: nobody says which is which, so neither is answered', async (t) => {
  const turn = [selects('call_1', [PLAIN]), selects('call_2', [PLAIN])]
  const app = await rig(t, [turn], { call: scripted })
  await until(() => app.others.length === 2)
  await waiting(app, 'other')
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: not-a-question')
  assert.deepEqual(app.answers(), [])
  for (const dialog of app.others) app.decide(dialog, { value: 'PostgreSQL' })
  await nextRequest(app)
  assert.equal(app.call.pending(), null)
})

test('a dialog of a command has no tool call: it is none of the voice', async (t) => {
  const app = await rig(t, [], { call: scripted, isStarted: false })
  app.start('/ask')
  await waiting(app, 'permission')
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: not-a-question')
  assert.deepEqual(app.answers(), [])
  app.decide(app.others[0], { value: 'SQLite' })
  await until(() => app.pi.frames.some(({ message }) => message === 'chosen: SQLite'))
  await until(() => app.call.pending() === null)
})

test('a tool that the app has not named: its dialog is none of the voice', async (t) => {
  const app = await rig(t, [[calls('call_1', 'other', { questions: [PLAIN] })]], { call: scripted })
  await waiting(app, 'permission')
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: not-a-question')
  app.decide(app.others[0], { value: 'SQLite' })
  await nextRequest(app)
})

test('a dialog that ends by itself: what is said later is late, and nothing is sent', async (t) => {
  const app = await rig(t, [[selects('call_1', [PLAIN], { timeout: 1_000 })]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  await nextRequest(app)
  await until(() => app.events.some(({ type }) => type === 'input.canceled'))
  assert.match(brief(await app.say('SQLite')), CLOSED)
  const late = await app.host.answerOnDesktop(inputId, [['SQLite']])
  assert.deepEqual(late, { status: 'rejected', code: 'not-found' })
  assert.deepEqual(app.answers(), [])
  assert.deepEqual(app.told(), { call_1: 'The user chose nothing.' })
})

test('stopped while a dialog is open that passes no signal on: it waits until the card lets it go', async (t) => {
  const app = await rig(t, [[selects('call_1', [PLAIN], { own: false })]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  const aborted = app.pi.request('abort')
  await app.pi.request('get_state')
  assert.deepEqual(await app.host.settlement(inputId), { status: 'open' })
  const reply = await app.host.answerOnDesktop(inputId, { cancelled: true })
  assert.deepEqual(reply, { status: 'resolved' })
  await aborted
  assert.equal(app.events.at(-1).type, 'input.canceled')
  assert.equal(app.model.requests.length, 1)
})

test('stopped while a dialog is open: canceled, and an answer after it is late', async (t) => {
  const app = await rig(t, [[selects('call_1', [PLAIN])]])
  await app.readOut()
  await app.pi.request('abort')
  await until(() => app.events.some(({ type }) => type === 'input.canceled'))
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(app.answers(), [])
})

test('a client that knows nothing of our extension: numbers are an answer, and nothing else is', async (t) => {
  const answered = `The user answered.\n"${DATABASE.question}": "SQLite"`
  for (const [reply, told] of [
    [{ value: ' 2 ' }, answered],
    [
      { value: 'SQLite' },
      /^Not answered: what came back is no choice .+ Nobody has decided anything/,
    ],
    [{ value: '1, 2' }, /^Not answered: what came back is no choice/],
    [{ value: 2 }, /^Not answered: what came back is no choice/],
    [
      { value: '{"spoken-answer":1,"answers":[[5]]}' },
      /^Not answered: what came back is no choice/,
    ],
    [{ cancelled: true }, /^Not answered: the question was closed without an answer/],
    [{ confirmed: true }, /^Not answered: the question was closed without an answer/],
  ]) {
    const app = await rig(t, [[asks('call_1', DATABASE)]])
    await app.readOut()
    const { id, title } = app.pi.frames.find(({ method }) => method === 'input')
    assert.match(title, /^Which database .+\n1\. PostgreSQL — .+\n2\. SQLite — .+\n\nReply with/)
    app.pi.send({ type: 'extension_ui_response', id, ...reply })
    await nextRequest(app)
    if (told instanceof RegExp) assert.match(app.told().call_1, told)
    else assert.deepEqual(app.told(), { call_1: told })
    // Our host has not answered.
    assert.deepEqual(
      app.events.map(({ type, reason }) => [type, reason]),
      [
        ['input.requested', undefined],
        ['input.canceled', 'closed'],
      ],
    )
  }
})
