'use strict'
// Things that people reported of other apps around Pi and of answers by voice, named after what they saw.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice } = require('../main/testing.js')
const { pause } = require('./asking.js')
const { CODE, brief, open, resolve, session } = require('./pi-session.js')
const { SESSION, asked } = require('./pi-side.js')

/** A live call over it: `say` gives what became of what somebody said. */
function calling(t, { host }) {
  const voice = createFakeVoice()
  const forwarded = []
  const onForward = ({ instruction }) => forwarded.push(instruction)
  const call = openLiveCall({ session: { id: SESSION }, host, voice, onForward })
  t.after(() => call.close())
  let last = 0
  async function say(instruction) {
    while (voice.deliveries.length === 0) await pause()
    const request = { requestId: `r${(last += 1)}`, instruction }
    const { state, reason } = await call.instruct(request, { speechStartedAt: performance.now() })
      .settled
    return reason ? `${state}: ${reason}` : state
  }
  return { voice, forwarded, call, say }
}

test('reported: stopped while a dialog without a signal was open, and the run hung', async () => {
  const world = await session()
  const { id, inputId } = await open(world, 'select', 'Which?', ['a', 'b'], { own: false })
  world.abort(id)
  await world.quiet()
  // It waits, so it is open; the card can let it go.
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
  const reply = await world.host.answerOnDesktop(inputId, { cancelled: true })
  assert.deepEqual(reply, { status: 'resolved' })
  assert.equal(world.results.get(id).details.answer, undefined)
})

test('reported: nobody heard of a dialog, and the turn waited for ever', async () => {
  const world = await session()
  await open(world, 'select')
  await open(world, 'ask')
  assert.deepEqual(brief(world.events), ['input.requested', 'input.requested'])
})

for (const [seen, ms] of [
  ['a dialog that had ended by itself left its card behind', 30],
  ['an answer after the time was dropped without a word', 30],
]) {
  test(`reported: ${seen}`, async () => {
    const world = await session()
    const { inputId } = await open(world, 'select', 'Which?', ['a', 'b'], { timeout: ms })
    while ((await world.host.openInputs(SESSION)).length > 0) await pause()
    assert.match(brief(world.events)[1], /^input\.canceled: /)
    assert.deepEqual(await world.host.answerOnDesktop(inputId, [['a']]), CODE('not-found'))
    assert.deepEqual(world.written, [])
  })
}

test('reported: what no client could show counted as declined', async () => {
  const world = await session()
  const { id, inputId } = await open(world)
  world.side.ui.reply(inputId, { cancelled: true })
  await world.quiet()
  const { content, details } = world.results.get(id)
  assert.deepEqual(details, { status: 'not-answered', reason: 'dismissed' })
  assert.doesNotMatch(content[0].text, /declined|cancelled/)
})

test('reported: with two forms open the newest took the answer', async (t) => {
  const world = await session()
  world.select('Which?', ['a', 'b'])
  world.select('Or which?', ['a', 'b'])
  await world.quiet()
  const { say } = calling(t, world)
  assert.equal(await say('a'), 'refused: several-open-questions')
  assert.deepEqual(world.written, [])
})

test('reported: it said done while the form was still open', async () => {
  const world = await session({
    feed: (frame, pass) => frame.type === 'tool_execution_end' || pass(frame),
  })
  const { inputId } = await open(world)
  resolve(world, inputId, [[0]])
  await world.quiet()
  assert.deepEqual(brief(world.events), ['input.requested'])
  assert.deepEqual(await world.host.settlement(inputId), { status: 'unknown' })
  assert.equal((await world.host.openInputs(SESSION)).length, 1)
  world.disconnect()
})

test('reported: a spoken answer was recorded as skipped', async (t) => {
  const world = await session()
  const questions = [
    asked('A database?', ['PostgreSQL', 'SQLite']),
    asked('A pet?', ['Cat', 'Dog']),
  ]
  const { id } = await open(world, 'ask', questions)
  const { say } = calling(t, world)
  assert.equal(await say('PostgreSQL and Dog'), 'accepted')
  assert.deepEqual(world.results.get(id).details, { status: 'answered', answers: [[0], [1]] })
})

test('reported: the answer to one question went to the next with the same options', async () => {
  const world = await session()
  const first = await open(world, 'select', 'Keep the cache?', ['Yes', 'No'])
  world.abort(first.id)
  await world.quiet()
  const second = await open(world, 'select', 'Delete the cache?', ['Yes', 'No'])
  assert.deepEqual(await resolve(world, first.inputId, [[0]]), CODE('not-found'))
  assert.deepEqual(await world.host.settlement(second.inputId), { status: 'open' })
  assert.deepEqual(world.written, [])
})

test('reported: a question was taken as allowed, with no answer in it', async () => {
  for (const how of ['ask', 'select']) {
    const world = await session()
    const { inputId } = await open(world, how)
    for (const answers of [[], [[]], [null, null], [[undefined]]]) {
      assert.deepEqual(await world.host.answerOnDesktop(inputId, answers), CODE('invalid'))
    }
    assert.deepEqual(await resolve(world, inputId, [[]]), CODE('invalid'))
    assert.deepEqual(world.written, [])
  }
})

test('reported: what an option means was lost on the way', async () => {
  const options = [{ label: 'a', description: 'what it means' }, { label: 'b' }]
  const world = await session()
  const ours = await open(world, 'ask', [{ question: 'Which?', options }])
  const plain = await open(world, 'select', 'Or which?', options)
  assert.deepEqual(ours.input.questions[0].options, options)
  assert.deepEqual(plain.input.questions[0].options, options)
})

test('reported: "always allow" answered a question with one of its options', async (t) => {
  const world = await session()
  await open(world, 'ask', [asked('Which rule?', ['Allow once', 'Always allow'])])
  const { say } = calling(t, world)
  assert.equal(await say('permission granted'), 'forwarded')
  assert.deepEqual(world.written, [])
})

test('reported: of two dialogs the second took the place of the first, which never ended', async () => {
  const world = await session()
  const first = await open(world, 'select', 'Which?', ['a', 'b'])
  const second = await open(world, 'select', 'Or which?', ['a', 'b'])
  assert.deepEqual(await resolve(world, first.inputId, [[0]]), { status: 'resolved' })
  assert.deepEqual(await resolve(world, second.inputId, [[1]]), { status: 'resolved' })
  assert.deepEqual(
    [first, second].map(({ id }) => world.results.get(id).details.answer),
    ['a', 'b'],
  )
})

test('reported: approving a question returned it unchanged, and the model saw no choice', async () => {
  const world = await session()
  const { id, inputId } = await open(world)
  world.side.ui.reply(inputId, { confirmed: true })
  await world.quiet()
  assert.deepEqual(world.results.get(id).details, { status: 'not-answered', reason: 'dismissed' })
})

test('reported: a late answer was sent as a message of its own', async (t) => {
  const world = await session()
  const { id } = await open(world)
  const { voice, say, forwarded } = calling(t, world)
  while (voice.deliveries.length === 0) await pause()
  const saying = say('a')
  world.abort(id)
  assert.match(await saying, /^refused: question-closed$|^forwarded$/)
  // Nothing of it goes to Pi: what is forwarded is for the app to decide.
  assert.deepEqual([world.written, forwarded.length <= 1], [[], true])
})

test('reported: a reply under the client’s own id matched nothing, and nobody said so', async () => {
  const world = await session()
  const { inputId } = await open(world, 'select')
  await resolve(world, inputId, [[0]])
  const dialog = world.frames.find(({ method }) => method === 'select')
  assert.deepEqual([world.written[0].id, inputId], [dialog.id, dialog.id])
  assert.deepEqual(await resolve(world, 'request-1', [[0]]), CODE('not-found'))
})

test('reported: two answered, and the one who lost showed its own answer', async () => {
  const world = await session()
  const { inputId } = await open(world)
  const card = world.host.answerOnDesktop(inputId, [['b']])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
  assert.deepEqual(await card, { status: 'resolved' })
  assert.deepEqual(world.events.at(-1).optionIndexes, [[1]])
  assert.deepEqual((await world.host.settlement(inputId)).optionIndexes, [[1]])
})

test('reported: a spoken yes approved a tool', async (t) => {
  const world = await session()
  world.run('bash', {}, { gate: () => world.ui.select('Run it?', ['Yes', 'No']) })
  while ((await world.host.openInputs(SESSION)).length === 0) await pause()
  const { call } = calling(t, world)
  const { settled } = call.instruct({ requestId: 'r', instruction: 'yes' })
  const { state, reason } = await settled
  assert.match(`${state} ${reason}`, /^(forwarded|refused not-a-question)/)
  assert.deepEqual(world.written, [])
})
