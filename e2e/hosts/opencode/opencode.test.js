'use strict'
// Questions of a real OpenCode server, answered by voice and on the card. What counts is what was sent to it
// and what the model was told. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const path = require('node:path')
const { after, test } = require('node:test')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')
const { DATABASE, asks, calls, question, rig, until } = require('./rig.js')
const { BINARIES } = require('./server.js')

const { version } = require(path.join(BINARIES, '..', 'package.json'))
after(() => console.log(`OpenCode ${version}`))

/** The words of the host for what was answered. */
const ANSWERED = (answers) =>
  `User has answered your questions: ${answers}. You can now continue with the user's answers in mind.`

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

test('several options of one question: a list, and never more than was chosen', async (t) => {
  const parts = question('Which parts?', ['Auth', 'Red, green', ' the "fast" way '], {
    multiple: true,
  })
  const app = await rig(t, [[asks('call_1', parts)]], { call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['the "fast" way', 'Red, green']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.replies(), [['reply', [['Red, green', ' the "fast" way ']]]])
  assert.deepEqual(app.had(), {
    call_1: ANSWERED('"Which parts?"="Red, green,  the "fast" way "'),
  })
})

test('what the model could not tell apart is for the card', async (t) => {
  const keep = question('Keep asking?', ['Yes, always', 'Yes', 'always'], { multiple: true })
  const app = await rig(t, [[asks('call_1', keep)]], { call: scripted })
  await app.readOut()
  assert.match(brief(await app.say(respond(['Yes', 'always']))), /^refused: /)
  assert.match(brief(await app.say(respond(['Yes, always']))), /^refused: /)
  assert.deepEqual(app.replies(), [])
  const [{ inputId }] = await app.open()
  const reply = await app.host.answerOnDesktop(inputId, [['Yes, always']])
  assert.deepEqual(reply, { status: 'resolved' })
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED('"Keep asking?"="Yes, always"') })
})

test('several questions: all of them, by position, or none', async (t) => {
  const pet = question('A pet?', ['Cat', 'Dog'])
  const app = await rig(t, [[asks('call_1', DATABASE, pet)]], { call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: question-missing')
  assert.equal(brief(await app.say(respond(['Dog'], ['SQLite']))), 'refused: option-not-offered')
  assert.deepEqual(app.replies(), [])
  assert.equal(brief(await app.say(respond(['SQLite'], ['Cat']))), 'accepted')
  await nextRequest(app)
  const told = ANSWERED(`"${DATABASE.question}"="SQLite", "A pet?"="Cat"`)
  assert.deepEqual(app.had(), { call_1: told })
})

test('what was not offered never leaves the process', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { call: scripted })
  await app.readOut()
  for (const wrong of ['Oracle', 'sqlite', 'SQLite", "Delete all?"="Yes']) {
    assert.equal(brief(await app.say(respond([wrong]))), 'refused: option-not-offered')
  }
  const both = await app.say(respond(['PostgreSQL', 'SQLite']))
  assert.equal(brief(both), 'refused: too-many-options-chosen')
  assert.deepEqual(app.replies(), [])
  assert.equal(brief(await app.say(respond(['SQLite']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="SQLite"`) })
})

test('a permission is never answered: "yes" is for the card', async (t) => {
  const shell = { command: 'touch made', description: 'Makes it' }
  const app = await rig(t, [[calls('call_1', 'bash', shell)]], {
    call: scripted,
    config: { permission: { bash: 'ask' } },
  })
  await until(() => app.call.pending())
  const [{ kind, inputId }] = await app.open()
  assert.equal(kind, 'permission')
  for (const said of ['Yes', 'once']) {
    assert.equal(brief(await app.say(respond([said]))), 'refused: not-a-question')
  }
  assert.deepEqual(app.replies(), [])
  const [{ id }] = (await app.request('GET', '/permission')).data
  await app.request('POST', `/permission/${id}/reply`, { reply: 'reject' })
  await app.told('input.canceled')
  assert.equal(app.call.pending(), null)
  assert.equal(inputId, id)
})

test('a plan that asks for approval as a question is a plan', async (t) => {
  const app = await rig(t, [[calls('call_1', 'plan_exit', {})]], {
    call: scripted,
    isStarted: false,
  })
  app.connect()
  await app.prompt(app.sessionId, { agent: 'plan' })
  await until(() => app.call.pending())
  const [{ kind, inputId }] = await app.open()
  assert.equal(kind, 'plan')
  assert.deepEqual(
    (await app.waiting()).map(({ questions }) => questions[0].options.map(({ label }) => label)),
    [['Yes', 'No']],
  )
  assert.equal(brief(await app.say(respond(['Yes']))), 'refused: not-a-question')
  assert.equal((await app.host.answerOnDesktop(inputId, [['Yes']])).code, 'invalid')
  assert.deepEqual(app.replies(), [])
})

for (const [name, order] of [
  ['before', (plan, ask) => [plan, ask]],
  ['after', (plan, ask) => [ask, plan]],
]) {
  test(`a plan is no question where the ask tool is called by the same id ${name}`, async (t) => {
    const turn = order(calls('call_1', 'plan_exit', {}), asks('call_1', DATABASE))
    const app = await rig(t, [turn], { call: scripted, isStarted: false })
    app.connect()
    await app.prompt(app.sessionId, { agent: 'plan' })
    for (const { kind, inputId } of await app.open(2)) {
      assert.notEqual(kind, 'question')
      assert.equal((await app.host.answerOnDesktop(inputId, [['Yes']])).code, 'invalid')
    }
    assert.match(brief(await app.say(respond(['Yes']))), /^refused: /)
    assert.deepEqual(app.replies(), [])
  })
}

test('two questions at once: each has its own answer', async (t) => {
  const pet = question('A pet?', ['Cat', 'Dog'])
  const app = await rig(t, [[asks('call_1', DATABASE), asks('call_2', pet)]])
  const [first, second] = await app.open(2)
  // That several wait is said, and none of them is read out.
  await until(() => app.voice.deliveries.at(-1)?.kind === 'status')
  assert.deepEqual(await app.host.answerOnDesktop(second.inputId, [['Dog']]), {
    status: 'resolved',
  })
  assert.equal((await app.open())[0].inputId, first.inputId)
  await until(() => app.voice.deliveries.at(-1).kind === 'interaction-required')
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.had(), {
    call_1: ANSWERED(`"${DATABASE.question}"="SQLite"`),
    call_2: ANSWERED('"A pet?"="Dog"'),
  })
})

test('aborted while it is open: an answer is late, and the ghost at the server is not open', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_2', DATABASE)]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  await app.abort()
  const { reason } = await app.told('input.canceled')
  assert.equal(reason, 'aborted')
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(await app.host.settlement(inputId), { status: 'canceled' })
  assert.deepEqual(app.replies(), [])
  assert.deepEqual(
    (await app.waiting()).map(({ id }) => id),
    [inputId],
  )
  // The next one is asked and answered beside it, and whoever comes later sees no ghost either.
  await app.prompt()
  await app.readOut(2)
  app.cut()
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app, 3)
  const { call_1: first, call_2: second } = app.had()
  assert.match(first, /aborted/i)
  assert.equal(second, ANSWERED(`"${DATABASE.question}"="SQLite"`))
  assert.deepEqual(await app.host.openInputs(app.sessionId), [])
})

test('an answer that the server takes after an abort is not said to have arrived', async (t) => {
  let release
  const held = new Promise((resolve) => (release = resolve))
  const feed = async (pathname) => pathname.endsWith('/reply') && held
  const app = await rig(t, [[asks('call_1', DATABASE)]], { feed })
  await app.readOut()
  const [{ inputId }] = await app.open()
  const card = app.host.answerOnDesktop(inputId, [['SQLite']])
  await app.abort()
  const isError = ({ parts }) => parts.some(({ state }) => state?.status === 'error')
  await until(async () => {
    const { data } = await app.request('GET', `/session/${app.sessionId}/message`)
    return data.some(isError)
  })
  release()
  assert.deepEqual(await card, { status: 'rejected', code: 'not-taken' })
  // The server has said yes.
  await until(async () => (await app.waiting()).length === 0)
  await app.prompt()
  await nextRequest(app)
  assert.match(app.had().call_1, /aborted/i)
})

test('aborted the moment it is answered: what is said is what the model has', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  const [, reply] = await Promise.all([
    app.abort(),
    app.host.answerOnDesktop(inputId, [['SQLite']]),
  ])
  await app.prompt()
  await nextRequest(app)
  const isTaken = app.had().call_1 === ANSWERED(`"${DATABASE.question}"="SQLite"`)
  const expected = isTaken ? { status: 'resolved' } : { status: 'rejected', code: 'not-taken' }
  assert.deepEqual(reply, expected)
})

test('one answer given twice, and another one after it: the first reaches the model, once', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const views = await Promise.all([app.say('SQLite'), app.say('SQLite'), app.say('PostgreSQL')])
  assert.equal(views.filter(({ state }) => state === 'accepted').length, 1)
  await nextRequest(app)
  assert.equal(app.replies().length, 1)
  const [[, [[label]]]] = app.replies()
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="${label}"`) })
})

test('another client answers first: the voice hears that, and answers nothing', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const [{ id }] = await app.asked()
  await app.answered(id, [['PostgreSQL']])
  const { optionIndexes, resolvedBy } = await app.told('input.resolved')
  assert.deepEqual([optionIndexes, resolvedBy], [[[0]], { kind: 'host' }])
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(app.replies(), [])
})

test('another client answers in the same moment: theirs is what the model has', async (t) => {
  const feed = async (pathname, app) => {
    if (!pathname.endsWith('/reply')) return
    const [{ id }] = await app.waiting()
    await app.answered(id, [['PostgreSQL']])
  }
  const app = await rig(t, [[asks('call_1', DATABASE)]], { feed })
  await app.readOut()
  assert.equal(brief(await app.say('SQLite')), 'refused: answered-elsewhere')
  assert.deepEqual(app.events.at(-1).optionIndexes, [[0]])
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="PostgreSQL"`) })
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
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="PostgreSQL"`) })
  assert.equal(app.replies().length, 1)
})

test('the card says more than the voice can: free text, what is skipped, nothing at all', async (t) => {
  const pet = question('A pet?', ['Cat', 'Dog'])
  const turns = [[asks('call_1', DATABASE, pet)], ['Done.'], [asks('call_2', DATABASE)]]
  const app = await rig(t, turns)
  const [{ inputId }] = await app.open()
  const reply = await app.host.answerOnDesktop(inputId, [['MariaDB, please'], null])
  assert.deepEqual(reply, { status: 'resolved' })
  await nextRequest(app)
  const told = `"${DATABASE.question}"="MariaDB, please", "A pet?"="Unanswered"`
  assert.deepEqual(app.had(), { call_1: ANSWERED(told) })
  await until(async () => !(await app.request('GET', '/session/status')).data[app.sessionId])
  await app.prompt()
  const [second] = await app.open()
  assert.deepEqual(await app.host.answerOnDesktop(second.inputId, null), { status: 'resolved' })
  assert.equal(app.events.at(-1).reason, 'declined')
  assert.deepEqual(await app.waiting(), [])
})

test('the events break off, and the answer of another client is not told: it is looked up', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const [{ id }] = await app.asked()
  app.cut()
  await app.answered(id, [['PostgreSQL']])
  const { optionIndexes } = await app.told('input.resolved')
  assert.deepEqual(optionIndexes, [[0]])
  assert.match(brief(await app.say('SQLite')), CLOSED)
})

test('the events break off with an answer: the tool says that it has it', async (t) => {
  const feed = async (pathname, app) => pathname.endsWith('/reply') && app.cut()
  const app = await rig(t, [[asks('call_1', DATABASE)]], { feed })
  await app.readOut()
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="SQLite"`) })
})

test('a question that was asked before the app came is read out', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { isStarted: false })
  await app.prompt()
  await app.asked()
  app.connect()
  await app.readOut()
  assert.equal(brief(await app.say('SQLite')), 'accepted')
})

test('the server is killed while a question is open, and started again', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_2', DATABASE)]], { own: true })
  await app.readOut()
  const [first] = await app.open()
  await app.kill()
  await app.restart()
  const { reason } = await app.told('input.canceled')
  assert.equal(reason, 'gone')
  await app.prompt()
  await app.readOut(2)
  const stale = await app.host.answerOnDesktop(first.inputId, [['PostgreSQL']])
  assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app, 3)
  assert.equal(app.had().call_2, ANSWERED(`"${DATABASE.question}"="SQLite"`))
  assert.deepEqual(app.replies(), [['reply', [['SQLite']]]])
})

test('the server is gone when it is answered: nothing was sent, and that is said', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { own: true })
  await app.readOut()
  await app.kill()
  assert.equal(brief(await app.say('SQLite')), 'refused: host-unavailable')
  const [{ inputId }] = await app.open()
  assert.deepEqual(await app.host.settlement(inputId), { status: 'open' })
})

test('a server with a password: with it in the headers', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { own: true, password: 'secret words' })
  assert.equal((await fetch(`${app.server.baseUrl}/event`)).status, 401)
  await app.readOut()
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.had(), { call_1: ANSWERED(`"${DATABASE.question}"="SQLite"`) })
})
