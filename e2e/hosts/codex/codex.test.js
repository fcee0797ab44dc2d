'use strict'
// Questions of a real Codex app-server, answered by voice and on the card. What counts is what went over
// the wire and what the model was told. Run with `npm run test:hosts`.

const assert = require('node:assert/strict')
const { after, test } = require('node:test')
const { createManualClock } = require('../../../main/testing.js')
const { version } = require('../node_modules/@openai/codex/package.json')
const { DATABASE, asks, calls, question, rig, until } = require('./rig.js')
const { CLOSED, brief, nextRequest, respond, scripted } = require('../said.js')
const { had } = require('./said.js')

after(() => console.log(`Codex ${version}`))

for (const [name, raw] of [
  ['with every item told', true],
  ['with the turn that goes on for a proof', false],
]) {
  test(`one question: the model is told exactly the label, ${name}`, async (t) => {
    const app = await rig(t, [[asks('call_1', DATABASE)]], { raw })
    await app.readOut()
    assert.match(app.voice.texts()[0], /1\. "PostgreSQL".*\n2\. "SQLite"/)
    assert.equal(brief(await app.say('SQLite')), 'accepted')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }) })
    // The first request of a process has the id 0.
    assert.deepEqual(app.answers(), [
      { id: 0, result: { answers: { db: { answers: ['SQLite'] } } } },
    ])
    const { operationId } = app.call.operations()[0]
    const { type, optionIndexes, resolvedBy } = app.events.at(-1)
    assert.deepEqual([type, optionIndexes], ['input.resolved', [[1]]])
    assert.equal(resolvedBy.operationId, operationId)
  })
}

test('several questions in one: none is answered before all are', async (t) => {
  const pet = question('pet', 'A pet?', ['Cat', 'Dog'])
  const app = await rig(t, [[asks('call_1', DATABASE, pet)]], { call: scripted })
  await app.readOut()
  assert.equal(brief(await app.say(respond(['SQLite']))), 'refused: question-missing')
  assert.deepEqual(app.answers(), [])
  assert.equal(brief(await app.say(respond(['SQLite'], ['Dog']))), 'accepted')
  await nextRequest(app)
  // In no order of the questions.
  const { answers } = JSON.parse(app.told().call_1)
  assert.deepEqual(answers, { db: { answers: ['SQLite'] }, pet: { answers: ['Dog'] } })
})

test('labels like no label: byte for byte what the host asked', async (t) => {
  const labels = [
    '\\u306f\\u3044',
    'Audit (Recommended)',
    ' cafe\u0301 ',
    'None of the above',
    'a,b\n',
  ]
  const turns = labels.map((label, n) => [asks(`call_${n}`, question('q', 'Which?', [label, 'x']))])
  const app = await rig(t, turns)
  for (const [n, label] of labels.entries()) {
    await app.readOut(n + 1)
    assert.equal(brief(await app.say('1')), 'accepted')
    await nextRequest(app, n + 2)
    assert.equal(app.told()[`call_${n}`], had({ q: [label] }))
  }
})

test('a wrong label never leaves the process', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { call: scripted })
  await app.readOut()
  for (const wrong of ['MySQL', 'sqlite', 'None of the above']) {
    assert.equal(brief(await app.say(respond([wrong]))), 'refused: option-not-offered')
  }
  const both = await app.say(respond(['PostgreSQL', 'SQLite']))
  assert.equal(brief(both), 'refused: too-many-options-chosen')
  assert.deepEqual(app.answers(), [])
  assert.equal(brief(await app.say(respond(['SQLite']))), 'accepted')
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }) })
})

test('questions that cannot be told apart are left to the app', async (t) => {
  const twice = [DATABASE, { ...DATABASE, question: 'And later?' }]
  const app = await rig(t, [[asks('call_1', ...twice)]], {
    call: scripted,
    decide: (_, reply) => (app.reply = reply),
  })
  await until(() => app.call.pending())
  assert.equal(app.call.pending().kind, 'other')
  assert.equal(brief(await app.say(respond(['SQLite'], ['SQLite']))), 'refused: not-a-question')
  app.reply({ answers: {} })
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({}) })
})

test('a secret question is never heard of: the card answers', async (t) => {
  const secret = question('word', 'Which of your words?', ['Blue', 'Red'], { isSecret: true })
  const app = await rig(t, [[asks('call_1', secret)]], { call: scripted })
  const [{ inputId, kind }] = await until(async () => {
    const open = await app.open()
    return open.length > 0 && open
  })
  await until(() => app.voice.deliveries.length > 0)
  assert.equal(kind, 'other')
  assert.doesNotMatch(app.voice.texts().join(), /words|Blue/)
  assert.equal(brief(await app.say(respond(['Blue']))), 'refused: not-a-question')
  assert.equal(app.host.original(inputId).questions[0].question, 'Which of your words?')
  assert.deepEqual(await app.host.answerOnDesktop(inputId, [['Red']]), { status: 'resolved' })
  await nextRequest(app)
  assert.deepEqual(app.told(), { call_1: had({ word: ['Red'] }) })
})

const PATCH = `apply_patch <<'EOF'
*** Begin Patch
*** Add File: made
+made
*** End Patch
EOF`

for (const [name, method, shell] of [
  [
    'a command',
    'item/commandExecution/requestApproval',
    { cmd: 'touch made', sandbox_permissions: 'require_escalated', justification: 'May I?' },
  ],
  ['a change', 'item/fileChange/requestApproval', { cmd: PATCH }],
]) {
  test(`a permission is never answered, of ${name}: "yes" is for the card`, async (t) => {
    const app = await rig(t, [[calls('call_1', 'exec_command', shell)]], {
      call: scripted,
      decide: (_, reply) => (app.reply = reply),
      mode: 'default',
    })
    const { kind } = await until(() => app.call.pending())
    assert.deepEqual([kind, app.decided], ['permission', [method]])
    assert.equal(brief(await app.say(respond(['Yes']))), 'refused: not-a-question')
    assert.deepEqual(app.answers(), [])
    app.reply({ decision: 'decline' })
    await nextRequest(app)
    assert.match(app.told().call_1, /rejected|declined|denied/i)
    assert.equal(app.call.pending(), null)
  })
}

test('two questions of one response are asked one after the other, and each has its own answer', async (t) => {
  for (const raw of [true, false]) {
    const pet = question('pet', 'A pet?', ['Cat', 'Dog'])
    const app = await rig(t, [[asks('call_1', DATABASE), asks('call_2', pet)]], { raw })
    await app.readOut()
    const first = app.say('SQLite')
    await app.readOut(2)
    assert.equal(brief(await first), 'accepted')
    assert.equal(brief(await app.say('Dog')), 'accepted')
    await nextRequest(app)
    assert.deepEqual(app.told(), { call_1: had({ db: ['SQLite'] }), call_2: had({ pet: ['Dog'] }) })
  }
})

test('two threads ask at once: each gets its own answer', async (t) => {
  const pet = question('pet', 'A pet?', ['Cat', 'Dog'])
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_2', pet)]])
  await app.readOut()
  const other = await app.newThread()
  await app.turn(other)
  const [{ inputId }] = await until(async () => {
    const open = await app.host.openInputs(other)
    return open.length > 0 && open
  })
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  assert.deepEqual(await app.host.answerOnDesktop(inputId, [['Dog']]), { status: 'resolved' })
  await nextRequest(app, 4)
  const told = app.model.requests.slice(2).map(({ input }) => input.at(-1).output)
  assert.deepEqual(told.sort(), [had({ db: ['SQLite'] }), had({ pet: ['Dog'] })].sort())
})

test('the turn is interrupted while a question is open: an answer after it is late', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const [{ inputId }] = await app.open()
  await app.interrupt()
  await until(() => app.events.some(({ type }) => type === 'input.canceled'))
  assert.match(brief(await app.say('SQLite')), CLOSED)
  assert.deepEqual(await app.host.settlement(inputId), { status: 'canceled' })
  const late = await app.host.answerOnDesktop(inputId, [['SQLite']])
  assert.deepEqual(late, { status: 'rejected', code: 'not-found' })
  assert.deepEqual(app.answers(), [])
  await app.turn()
  await nextRequest(app)
  assert.match(app.told().call_1, /^aborted by user/)
})

for (const raw of [true, false]) {
  test(`interrupted the moment it is answered, ${raw ? '' : 'not '}told item by item: what is said is what the model had`, async (t) => {
    const app = await rig(t, [[asks('call_1', DATABASE)]], { raw })
    await app.readOut()
    const [{ inputId }] = await app.open()
    const interrupted = app.interrupt()
    const { status, code } = await app.host.answerOnDesktop(inputId, [['SQLite']])
    await interrupted
    await app.turnOver()
    await app.turn()
    await app.turnOver(2)
    // The server says that its request is over in either case.
    const isOver = ({ method }) => method === 'serverRequest/resolved'
    assert.ok(app.server.messages.some(isOver))
    const isTaken = app.told().call_1 === had({ db: ['SQLite'] })
    if (isTaken) assert.ok(['resolved', 'unknown'].includes(status))
    else assert.ok(status === 'unknown' || code === 'not-taken', `${status} ${code}`)
    if (raw) assert.notEqual(status, 'unknown')
  })
}

test('a command of the user’s own in that moment is not taken for the model that goes on', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]], { raw: false })
  await app.readOut()
  const [{ inputId }] = await app.open()
  app.server.request('thread/shellCommand', { threadId: app.threadId, command: 'echo hi' })
  const answered = app.host.answerOnDesktop(inputId, [['SQLite']])
  await new Promise((resolve) => setTimeout(resolve, 1))
  await app.interrupt()
  const { status } = await answered
  await app.turn()
  await until(() => app.told()?.call_1)
  if (app.told().call_1 !== had({ db: ['SQLite'] })) assert.notEqual(status, 'resolved')
})

test('one answer given twice, and another one after it: the first reaches the model, once', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)]])
  await app.readOut()
  const views = await Promise.all([app.say('SQLite'), app.say('SQLite'), app.say('PostgreSQL')])
  assert.equal(views.filter(({ state }) => state === 'accepted').length, 1)
  await nextRequest(app)
  assert.equal(app.answers().length, 1)
  assert.equal(app.told().call_1, JSON.stringify(app.answers()[0].result))
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
  assert.deepEqual(app.told(), { call_1: had({ db: ['PostgreSQL'] }) })
  assert.equal(app.answers().length, 1)
})

test('the card says more than the voice can: free text, nothing at all, a reply of its own', async (t) => {
  const note = 'user_note: MariaDB, please'
  const replies = [
    [[['MariaDB, please']], { db: ['None of the above', note] }],
    [[null], { db: [] }],
    [{ answers: { db: { answers: ['SQLite', note] } } }, { db: ['SQLite', note] }],
    [{ answers: {} }, {}],
  ]
  const app = await rig(
    t,
    replies.map((_, n) => [asks(`call_${n}`, DATABASE)]),
  )
  for (const [n, [reply, told]] of replies.entries()) {
    await app.readOut(n + 1)
    const [{ inputId }] = await app.open()
    assert.deepEqual(await app.host.answerOnDesktop(inputId, reply), { status: 'resolved' })
    await nextRequest(app, n + 2)
    assert.equal(app.told()[`call_${n}`], had(told))
  }
})

test('the messages are slow: the answer is unknown until the host has proved it', async (t) => {
  const held = []
  let hold = false
  const feed = (message, pass) => (hold ? held.push(() => pass(message)) : pass(message))
  const clock = createManualClock()
  const app = await rig(t, [[asks('call_1', DATABASE)]], { feed, call: { clock } })
  await until(async () => (await clock.advance(), app.voice.deliveries.length > 0))
  hold = true
  const settled = app.say('SQLite')
  await clock.advance()
  await nextRequest(app)
  await clock.advance(3_000)
  assert.deepEqual(app.call.operations().map(brief), ['dispatching'])
  hold = false
  for (const pass of held) pass()
  await clock.advance()
  assert.equal(brief(await settled), 'accepted')
  assert.equal(app.answers().length, 1)
})

test('the server is killed while a question is open, and started again', async (t) => {
  const app = await rig(t, [[asks('call_1', DATABASE)], [asks('call_1', DATABASE)]])
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
  const [second] = await app.open()
  assert.notEqual(second.inputId, first.inputId)
  const stale = await app.host.answerOnDesktop(first.inputId, [['PostgreSQL']])
  assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
  assert.equal(brief(await app.say('SQLite')), 'accepted')
  await nextRequest(app, 3)
  assert.equal(app.told().call_1, had({ db: ['SQLite'] }))
  // Its ids begin anew.
  assert.deepEqual(
    app.answers().map(({ id }) => id),
    [0],
  )
})

test('the server is killed the moment it is answered: unknown, said so, and never sent again', async (t) => {
  const clock = createManualClock()
  const app = await rig(t, [[asks('call_1', DATABASE)]], { call: { clock } })
  await until(async () => (await clock.advance(), app.voice.deliveries.length > 0))
  // Stopped, it reads no more.
  app.server.signal('SIGSTOP')
  const settled = app.say('SQLite')
  await clock.advance()
  await until(() => app.answers().length === 1)
  app.server.signal('SIGKILL')
  await app.server.over
  await clock.advance(15_000)
  assert.equal(brief(await settled), 'unknown')
  assert.deepEqual([app.answers().length, app.model.requests.length], [1, 1])
})
