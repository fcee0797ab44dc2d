'use strict'
// Questions that a real Codex asks in messages, without waiting. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { posts, rig, until } = require('./rig.js')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')

const BACKEND = { title: 'Which backend?', options: ['SQLite', 'Postgres "15"'] }
/** A model of which the host knows that it asks so. */
const OPTIONS = { config: { model: 'gpt-6.2-astra' }, mode: 'default' }

/** The envelope of the vendor's own card. */
const envelope = (...entries) =>
  `<send_user_message_question_reply>\n${JSON.stringify(entries)}\n</send_user_message_question_reply>`
const entry = (answer, question = BACKEND.title, n = 0) => ({
  answer,
  question,
  questionItemId: JSON.stringify(['request_user_input_async', 'call_1', n]),
})

/** The model was told so: in the turn that runs, which may not have asked it yet, or in the next one. */
const told = (app, text) => until(() => app.heard().includes(text))

test('answered after its turn: a message of the user, in the vendor’s own words', async (t) => {
  const app = await rig(t, [[posts('call_1', BACKEND)]], OPTIONS)
  await app.turnOver()
  await app.readOut()
  assert.equal(app.told().call_1, '{"accepted":true}')
  assert.equal(brief(await app.say('Postgres "15"')), 'accepted')
  await told(app, envelope(entry('Postgres "15"')))
  assert.deepEqual(app.events.at(-1).optionIndexes, [[1]])
})

test('answered while its turn runs: the same turn takes it', async (t) => {
  let goOn
  const working = new Promise((resolve) => (goOn = () => resolve(['Working.'])))
  const app = await rig(t, [[posts('call_1', BACKEND)], working], OPTIONS)
  await app.readOut()
  await nextRequest(app)
  const settled = app.say('SQLite')
  await until(() => app.answers().length === 1)
  goOn()
  assert.equal(brief(await settled), 'accepted')
  await told(app, envelope(entry('SQLite')))
  const begun = app.server.messages.filter(({ method }) => method === 'turn/started')
  assert.equal(begun.length, 1)
})

test('several questions with one title: by their places', async (t) => {
  const later = { title: 'Which backend?', options: ['Oracle', 'MariaDB'] }
  const app = await rig(t, [[posts('call_1', BACKEND, later)]], { ...OPTIONS, call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['Oracle'], ['SQLite']))), 'refused: option-not-offered')
  assert.equal(brief(await app.say(respond(['SQLite'], ['MariaDB']))), 'accepted')
  const entries = [entry('SQLite'), entry('MariaDB', BACKEND.title, 1)]
  await told(app, envelope(...entries))
})

test('free text is for the card', async (t) => {
  const port = { title: 'Port?', options: null }
  const app = await rig(t, [[posts('call_1', BACKEND, port)], ['Done.'], ['Done.']], OPTIONS)
  await app.turnOver()
  const [{ inputId }] = await app.open()
  await until(() => app.voice.deliveries.length > 0)
  assert.doesNotMatch(app.voice.texts().join(), /SQLite/)
  const reply = await app.host.answerOnDesktop(inputId, [null, ['6000']])
  assert.deepEqual(reply, { status: 'resolved' })
  await told(app, envelope(entry('6000', 'Port?', 1)))
})

test('two answers to one question: the model has one message', async (t) => {
  const app = await rig(t, [[posts('call_1', BACKEND)]], OPTIONS)
  await app.turnOver()
  await app.readOut()
  const [{ inputId }] = await app.open()
  const voice = app.say('SQLite')
  const card = await app.host.answerOnDesktop(inputId, [['Postgres "15"']])
  const spoken = await voice
  assert.equal(card.status === 'resolved', brief(spoken) !== 'accepted')
  await nextRequest(app, 3)
  await app.turnOver(2)
  assert.equal(app.heard().filter((text) => text.includes('questionItemId')).length, 1)
})

test('what the user types beside it is no answer', async (t) => {
  const app = await rig(t, [[posts('call_1', BACKEND)]], OPTIONS)
  await app.turnOver()
  await app.readOut()
  await app.turn()
  await app.turnOver(2)
  assert.equal((await app.open()).length, 1)
  assert.equal(brief(await app.say('SQLite')), 'accepted')
})

test('the app goes and comes again: what is asked in a message is not told again', async (t) => {
  const app = await rig(t, [[posts('call_1', BACKEND)]], { ...OPTIONS, daemon: true, shared: true })
  await app.turnOver()
  await app.readOut()
  const [{ inputId }] = await app.open()
  app.disconnect()
  app.server.close()
  await until(() => app.call.pending() === null)
  await app.start()
  await app.server.request('thread/resume', { threadId: app.threadId })
  // Whatever the thread had to say is said by the end of its next turn.
  await app.turn()
  await app.turnOver()
  const heard = app.events.map(({ type, reason }) => [type, reason])
  assert.deepEqual(heard, [
    ['input.requested', undefined],
    ['input.canceled', 'disconnected'],
  ])
  assert.deepEqual(await app.open(), [])
  const late = await app.host.answerOnDesktop(inputId, [['SQLite']])
  assert.deepEqual(late, { status: 'rejected', code: 'not-found' })
  assert.deepEqual(app.answers(), [])
})

test('another client answers it: the voice is refused', async (t) => {
  const app = await rig(t, [[posts('call_1', BACKEND)]], {
    ...OPTIONS,
    daemon: true,
    shared: true,
  })
  await app.turnOver()
  await app.readOut()
  const other = await app.client()
  await other.begin()
  await other.request('thread/resume', { threadId: app.threadId })
  const text = envelope(entry('SQLite'))
  const input = [{ type: 'text', text, text_elements: [] }]
  await other.request('turn/start', { threadId: app.threadId, input })
  await until(() => app.events.length > 1)
  assert.deepEqual(app.events.at(-1).optionIndexes, [[0]])
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(app.answers(), [])
})
