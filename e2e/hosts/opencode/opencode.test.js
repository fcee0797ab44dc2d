'use strict'
// Questions of a real OpenCode server, answered by voice and on the card. What counts is what was sent to it
// and what the model was told. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const { after, test } = require('node:test')
const { version } = require('../node_modules/opencode-ai/package.json')
const { DATABASE, asks, calls, question, rig, until } = require('./rig.js')

after(() => console.log(`OpenCode ${version}`))

/** The words of the host for what was answered. */
const ANSWERED = (answers) =>
  `User has answered your questions: ${answers}. You can now continue with the user's answers in mind.`

/** What became of an operation, in short. */
const brief = ({ state, reason }) => (reason ? `${state}: ${reason}` : state)

/** What is said too late is the app's ordinary work, or refused; it depends on which comes first. */
const CLOSED = /^(forwarded|refused: (question-closed|answered-elsewhere))$/

/** A classifier that is told what to say. */
const scripted = { classify: async ({ instruction }) => JSON.parse(instruction) }
const respond = (...chosen) =>
  JSON.stringify({
    kind: 'respond-input',
    answers: chosen.map((options, questionIndex) => ({ questionIndex, options })),
  })

/** The model has been asked so often, and so was told of everything before. */
const nextRequest = (app, count = 2) => until(() => app.model.requests.length >= count)

test('one question: the model is told exactly the label', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  assert.match(app.voice.texts()[0], /1\. "PostgreSQL".*\n2\. "SQLite"/)
  const [{ inputId }] = await app.open()
  assert.deepEqual(app.host.original(inputId).questions, [DATABASE])
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="SQLite"`) })
  assert.deepEqual(app.replies(), [['reply', [['SQLite']]]])
  const { operationId } = app.call.operations()[0]
  const { type, optionIndexes, resolvedBy } = app.events.at(-1)
  assert.deepEqual([type, optionIndexes], ['input.resolved', [[1]]])
  assert.equal(resolvedBy.operationId, operationId)
})
