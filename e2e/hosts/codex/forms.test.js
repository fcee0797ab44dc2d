'use strict'
// Forms of MCP servers that a real Codex passes on, and permissions that look like one or like a question.
// Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { MCP, fills, rig, until } = require('./rig.js')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')

const db = {
  type: 'string',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const parts = {
  type: 'array',
  title: 'Which parts?',
  items: { type: 'string', enum: ['x', 'y', 'z'] },
  minItems: 2,
}
const form = (properties) => ({
  mode: 'form',
  message: 'Which database?',
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
})
const OPTIONS = { config: { more: MCP() }, mode: 'default' }

/** What the server was answered, as the model is told. */
const answered = (app, callId = 'call_1') => JSON.parse(app.told()[callId].at(-1).text)

test('one choice: the server has the value of what was said, and nobody says so', async (t) => {
  for (const raw of [true, false]) {
    const app = await rig(t, [[fills('call_1', form({ db }))]], { ...OPTIONS, raw })
    await app.readOut()
    assert.match(app.voice.texts()[0], /1\. "PostgreSQL"\n2\. "SQLite"/)
    assert.equal(brief(await app.say('SQLite')), 'submitted')
    await nextRequest(app)
    assert.deepEqual(answered(app), { action: 'accept', content: { db: 'sqlite' } })
    const { type, optionIndexes, proof } = app.events.at(-1)
    assert.deepEqual([type, optionIndexes, proof], ['input.resolved', [[1]], 'none'])
  }
})

test('several options of one, and as many as the server wants', async (t) => {
  const app = await rig(t, [[fills('call_1', form({ db, parts }))]], { ...OPTIONS, call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['pg'], ['x', 'y']))), 'refused: option-not-offered')
  assert.equal(brief(await app.say(respond(['SQLite'], ['x', 'z']))), 'submitted')
  await nextRequest(app)
  const content = { db: 'sqlite', parts: ['x', 'z'] }
  assert.deepEqual(answered(app), { action: 'accept', content })
  assert.equal(app.answers().length, 1)
})

test('declined on the card', async (t) => {
  const app = await rig(t, [[fills('call_1', form({ db }))]], OPTIONS)
  await app.readOut()
  const [{ inputId }] = await app.open()
  const reply = await app.host.answerOnDesktop(inputId, { action: 'decline' })
  assert.deepEqual(reply, { status: 'submitted' })
  await nextRequest(app)
  assert.deepEqual(answered(app), { action: 'decline' })
})

test('the server does not wait any more: its turn goes on, and takes the form with it', async (t) => {
  const app = await rig(t, [[fills('call_1', form({ db }), { timeout: 200 })]], OPTIONS)
  await until(() => app.events.at(-1)?.type === 'input.canceled')
  assert.match(brief(await app.say('SQLite')), CLOSED)
  await nextRequest(app)
  assert.match(answered(app).error, /-32001/)
  assert.deepEqual(app.answers(), [])
})

test('the server does not wait any more, and is at other things: an answer is not said to have arrived', async (t) => {
  const asking = fills('call_1', form({ db }), { timeout: 300, linger: 1_500 })
  const app = await rig(t, [[asking]], OPTIONS)
  await app.readOut()
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  await nextRequest(app)
  assert.match(answered(app).error, /-32001/)
})

test('Codex is killed while a form is open, and started again: another form, and one answer', async (t) => {
  const turns = [[fills('call_1', form({ db }))], [fills('call_2', form({ db }))]]
  const app = await rig(t, turns, OPTIONS)
  await app.readOut()
  const [first] = await app.open()
  app.server.signal('SIGKILL')
  await app.server.over
  await until(() => app.call.pending() === null)
  assert.equal(app.events.at(-1).reason, 'disconnected')
  await app.start()
  await app.server.request('thread/resume', { threadId: app.threadId })
  await app.turn()
  await app.readOut(2)
  const [second, ...others] = await app.open()
  assert.deepEqual(others, [])
  assert.notEqual(second.inputId, first.inputId)
  const stale = await app.host.answerOnDesktop(first.inputId, [['PostgreSQL']])
  assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  await nextRequest(app, 3)
  assert.deepEqual(answered(app, 'call_2'), { action: 'accept', content: { db: 'sqlite' } })
  assert.equal(app.answers().length, 1)
})

for (const [name, method, more] of [
  ['in the clothes of a form', 'mcpServer/elicitation/request', ''],
  [
    'in the clothes of a question',
    'item/tool/requestUserInput',
    '[features]\ntool_call_mcp_elicitation = false\n',
  ],
]) {
  test(`a permission for a tool, ${name}, is never answered`, async (t) => {
    const app = await rig(t, [[fills('call_1', form({ db }))]], {
      config: { more: `${MCP('prompt')}${more}` },
      mode: 'default',
      call: scripted,
      decide: (request, reply) => Object.assign(app, { request, reply }),
    })
    const { kind } = await until(() => app.call.pending())
    assert.deepEqual([kind, app.decided], ['permission', [method]])
    assert.equal(brief(await app.say(respond(['Allow']))), 'refused: not-a-question')
    const [{ inputId }] = await app.open()
    const card = await app.host.answerOnDesktop(inputId, [['Allow']])
    assert.deepEqual(card, { status: 'rejected', code: 'invalid' })
    assert.deepEqual(app.answers(), [])
    const { questions } = app.request.params
    app.reply(
      questions === undefined
        ? { action: 'decline', content: null }
        : { answers: { [questions[0].id]: { answers: ['Cancel'] } } },
    )
    await nextRequest(app)
    assert.match(JSON.stringify(app.told().call_1), /reject|decline|cancel/i)
    assert.equal(app.call.pending(), null)
  })
}
