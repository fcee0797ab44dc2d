'use strict'
// Forms of a real MCP server in a process of its own, answered by voice and on the card. What counts is
// what went over the wire and what the server's tool was answered. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const path = require('node:path')
const { after, test } = require('node:test')
const { brief, respond, scripted } = require('../said.js')
const { rig, until } = require('./rig.js')

after(() => {
  // Its exports hide it, its folder does not.
  const sdk = path.join(__dirname, '..', 'node_modules', '@modelcontextprotocol', 'sdk')
  console.log(`MCP SDK ${require(path.join(sdk, 'package.json')).version}`)
})

const DATABASE = {
  type: 'string',
  title: 'Database',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const PARTS = {
  type: 'array',
  title: 'Which parts?',
  minItems: 1,
  maxItems: 2,
  items: {
    anyOf: [
      { const: 'rg', title: 'Red, green' },
      { const: 'b', title: 'Blue' },
      { const: 'w', title: 'White' },
    ],
  },
}
const form = (properties, required = Object.keys(properties), more) => ({
  message: 'Which database should we use?',
  requestedSchema: { type: 'object', properties, required },
  ...more,
})
const SINGLE = form({ db: DATABASE })

test('one question: the server gets the value behind the title', async (t) => {
  const app = await rig(t)
  const { ask } = await app.connect()
  const answered = ask(SINGLE)
  await app.readOut()
  assert.match(
    app.voice.texts()[0],
    /"Which database should we use\? Database"\n1\. "PostgreSQL"\n2\. "SQLite"/,
  )
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  const accepted = { action: 'accept', content: { db: 'sqlite' } }
  assert.deepEqual(await answered, accepted)
  assert.deepEqual(app.written, [accepted])
})

for (const [name, field, said, value] of [
  ['values', { type: 'string', enum: ['pg', 'sqlite'] }, 'pg', 'pg'],
  [
    'named values',
    { type: 'string', enum: ['pg', 'sqlite'], enumNames: ['PostgreSQL', 'SQLite'] },
    'SQLite',
    'sqlite',
  ],
  [
    'letters that look the same',
    { type: 'string', enum: ['cafe\u0301', 'th\u00e9'] },
    'caf\u00e9',
    'cafe\u0301',
  ],
  [
    'another script',
    { type: 'string', enum: ['启动时冒黑烟', '无'] },
    '启动时冒黑烟',
    '启动时冒黑烟',
  ],
]) {
  test(`one question with ${name}`, async (t) => {
    const app = await rig(t)
    const { ask } = await app.connect()
    const answered = ask(form({ field }))
    await app.readOut()
    assert.equal(brief(await app.say(said)), 'submitted')
    assert.deepEqual(await answered, { action: 'accept', content: { field: value } })
  })
}

test('several questions, several options: a list of values', async (t) => {
  const app = await rig(t, { call: scripted })
  const { ask } = await app.connect()
  const answered = ask(
    form({ db: DATABASE, parts: PARTS, note: { type: 'string' } }, ['db', 'parts']),
  )
  await app.readOut()
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: question-missing')
  assert.equal(brief(await app.say(respond(['SQLite'], ['Red, green', 'White']))), 'submitted')
  assert.deepEqual(await answered, {
    action: 'accept',
    content: { db: 'sqlite', parts: ['rg', 'w'] },
  })
})

test('a wrong label, a value, too many: nothing leaves the process', async (t) => {
  const app = await rig(t, { call: scripted })
  const { ask } = await app.connect()
  const answered = ask(form({ parts: PARTS }))
  await app.readOut()
  for (const [chosen, refused] of [
    [['Green'], 'option-not-offered'],
    [['rg'], 'option-not-offered'],
    [['Red, green', 'Blue', 'White'], 'host-rejected'],
  ]) {
    assert.equal(brief(await app.say(respond(chosen))), `refused: ${refused}`)
  }
  assert.deepEqual(app.written, [])
  assert.equal(brief(await app.say(respond(['Blue']))), 'submitted')
  assert.deepEqual(await answered, { action: 'accept', content: { parts: ['b'] } })
})

for (const [name, asked, kind] of [
  ['an empty form', form({}), 'permission'],
  ['a box to tick', form({ ok: { type: 'boolean', title: 'Proceed?' } }), 'permission'],
  [
    'a choice that is marked',
    form({ db: DATABASE }, ['db'], {
      _meta: { 'anthropic/permissionDisplay': { title: 'Delete?' } },
    }),
    'permission',
  ],
  ['a text to type', form({ db: DATABASE, ticket: { type: 'string' } }), 'other'],
]) {
  test(`what is no question is never answered: ${name}`, async (t) => {
    let decide
    const decision = new Promise((resolve) => (decide = resolve))
    const app = await rig(t, { call: scripted, fallback: () => decision })
    const { ask } = await app.connect()
    const answered = ask(asked)
    const input = await until(async () => (await app.open())[0])
    assert.equal(input.kind, kind)
    assert.equal(brief(await app.say(respond(['Yes']))), 'refused: not-a-question')
    assert.deepEqual(app.written, [])
    decide({ action: 'decline' })
    assert.deepEqual(await answered, { action: 'decline' })
    assert.equal(app.decided.length, 1)
  })
}

test('two connections ask at once, both with request 0: each gets its own answer', async (t) => {
  const app = await rig(t)
  const [one, two] = [await app.connect(), await app.connect()]
  const first = one.ask(SINGLE)
  await app.readOut()
  const second = two.ask(SINGLE)
  await until(async () => (await app.open()).length === 2)
  await until(() => app.voice.deliveries.length > 1)
  assert.equal(brief(await app.say('SQLite')), 'refused: several-open-questions')
  const [, { inputId }] = await app.open()
  const reply = await app.host.answerOnDesktop(inputId, [['PostgreSQL']])
  assert.deepEqual(reply, { status: 'submitted' })
  assert.deepEqual(await second, { action: 'accept', content: { db: 'pg' } })
  await until(() => app.voice.texts().at(-1).includes('SQLite'))
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  assert.deepEqual(await first, { action: 'accept', content: { db: 'sqlite' } })
})

test('answered on the card first: the voice answers nothing', async (t) => {
  const app = await rig(t)
  const { ask } = await app.connect()
  const answered = ask(SINGLE)
  await app.readOut()
  const [{ inputId }] = await app.open()
  const card = app.host.answerOnDesktop(inputId, [['PostgreSQL']])
  const voice = app.say('SQLite')
  assert.deepEqual(await card, { status: 'submitted' })
  assert.match(brief(await voice), /^(forwarded|refused: answered-elsewhere)$/)
  assert.deepEqual(await answered, { action: 'accept', content: { db: 'pg' } })
  assert.equal(app.written.length, 1)
})

test('one answer given twice: the server is answered once', async (t) => {
  const app = await rig(t)
  const { ask } = await app.connect()
  const answered = ask(SINGLE)
  await app.readOut()
  const views = await Promise.all([app.say('SQLite'), app.say('SQLite')])
  assert.equal(views.filter(({ state }) => state === 'submitted').length, 1)
  assert.deepEqual(await answered, { action: 'accept', content: { db: 'sqlite' } })
  assert.equal(app.written.length, 1)
})

test('the server stops waiting, and says so: an answer is too late', async (t) => {
  const app = await rig(t)
  const { ask } = await app.connect()
  // The first request of a connection has the id 0, and the client does not hear that it is canceled.
  const first = ask(SINGLE)
  await app.readOut()
  await app.say('SQLite')
  await first
  const second = await ask(SINGLE, { timeout: 200 })
  assert.match(second.error, /-32001/)
  await until(() => app.events.at(-1).type === 'input.canceled')
  assert.match(brief(await app.say('PostgreSQL')), /^(forwarded|refused: question-closed)$/)
  assert.equal(app.written.length, 1)
})

test('the server stops waiting, and nobody hears it: the question ends by itself', async (t) => {
  const app = await rig(t, { host: { answerWithinMs: 150 } })
  const { ask } = await app.connect()
  const answered = await ask(SINGLE)
  assert.deepEqual(answered, { action: 'cancel' })
  assert.deepEqual(app.events.at(-1).reason, 'expired')
  assert.match(brief(await app.say('SQLite')), /^(forwarded|refused: question-closed)$/)
})

test('the server is killed while a question is open, and started again', async (t) => {
  const app = await rig(t)
  const first = await app.connect()
  const lost = first.ask(SINGLE).catch((error) => error.message)
  await app.readOut()
  const [{ inputId }] = await app.open()
  first.kill()
  assert.match(await lost, /Connection closed/)
  await until(() => app.events.at(-1).type === 'input.canceled')
  const second = await app.connect()
  const answered = second.ask(SINGLE)
  await app.readOut(2)
  const [again] = await app.open()
  assert.notEqual(again.inputId, inputId)
  const stale = await app.host.answerOnDesktop(inputId, [['PostgreSQL']])
  assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
  assert.equal(brief(await app.say('SQLite')), 'submitted')
  assert.deepEqual(await answered, { action: 'accept', content: { db: 'sqlite' } })
})
