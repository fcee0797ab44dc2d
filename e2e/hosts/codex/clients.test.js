'use strict'
// A real Codex daemon with several clients, as where the user's terminal is one of them. Run with
// `npm run test:hosts`.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { DATABASE, asks, rig, until } = require('./rig.js')
const { CLOSED, brief, nextRequest } = require('../said.js')
const { had } = require('./said.js')

/** A daemon with a client that has a thread in which a question is open; the app comes to it. */
async function attached(t, turns, { raw }) {
  const app = await rig(t, turns, { daemon: true, shared: true, isStarted: false, raw })
  app.terminal = await app.client()
  await app.terminal.begin()
  const threadId = await app.newThread(app.terminal)
  await app.turn(threadId, app.terminal)
  const isAsked = ({ method }) => method === 'item/tool/requestUserInput'
  app.asked = await until(() => app.terminal.messages.find(isAsked))
  await app.start()
  app.inThread(threadId)
  await app.server.request('thread/resume', { threadId })
  await app.readOut()
  return app
}
const isOver = ({ method }) => method === 'serverRequest/resolved'

test('a second client answers: the card of the first goes, and the model has it', async (t) => {
  const app = await attached(t, [[asks('call_1', DATABASE)]], { raw: true })
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await until(() => app.terminal.messages.some(isOver))
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }) })
  assert.equal(app.answers().length, 1)
})

test('where only the end is told: unknown, said once, and the model has it once', async (t) => {
  const app = await attached(t, [[asks('call_1', DATABASE)]], { raw: false })
  const settled = app.say('SQLite')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }) })
  await until(() => app.events.at(-1).type === 'input.canceled')
  assert.equal(app.events.at(-1).reason, 'unproved')
  await app.call.close()
  assert.equal(brief(await settled), 'unknown')
  assert.equal(app.answers().length, 1)
})

test('the first client answers: the voice is refused, and nothing is sent', async (t) => {
  const app = await attached(t, [[asks('call_1', DATABASE)]], { raw: true })
  app.terminal.send({
    id: app.asked.id,
    result: { answers: { db: { answers: ['PostgreSQL'] } } },
  })
  await until(() => app.events.length > 1)
  assert.match(brief(await app.say('SQLite')), CLOSED)
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ db: ['PostgreSQL'] }) })
  assert.deepEqual(app.server.written, [])
})

test('both at once: what is said of it is what the model has', async (t) => {
  const app = await attached(t, [[asks('call_1', DATABASE)]], { raw: true })
  const [{ inputId }] = await app.open()
  app.terminal.send({
    id: app.asked.id,
    result: { answers: { db: { answers: ['PostgreSQL'] } } },
  })
  const { status } = await app.host.answerOnDesktop(inputId, [['SQLite']])
  await nextRequest(app)
  const label = status === 'resolved' ? 'SQLite' : 'PostgreSQL'
  assert.deepEqual(app.told(), { call_1: had({ db: [label] }) })
})

test('the app goes and comes again: the question is still open, and is answered', async (t) => {
  const app = await attached(t, [[asks('call_1', DATABASE)]], { raw: true })
  const [first] = await app.open()
  app.disconnect()
  app.server.close()
  await until(() => app.call.pending() === null)
  await app.start()
  await app.server.request('thread/resume', { threadId: app.threadId })
  await app.readOut(2)
  const [second] = await app.open()
  assert.notEqual(second.inputId, first.inputId)
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }) })
})
