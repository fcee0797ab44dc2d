'use strict'
// Things that people reported of OpenCode and of other apps around it, named after what they saw.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  CODE,
  RESOLVED,
  WHICH,
  before,
  open,
  over,
  resolve,
  session,
} = require('./opencode-session.js')
const { SESSION, asked } = require('./opencode-side.js')

test('reported: stopped, and the question was pending for ever, and replies went nowhere', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.abort()
  assert.deepEqual(await over(world), ['input.requested', 'input.canceled: aborted'])
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-found'))
  // At the server it is pending all the same, also for whoever comes later.
  t.after(world.connect())
  const next = await open(world)
  assert.deepEqual(
    (await world.host.openInputs(SESSION)).filter(({ inputId }) => inputId === one.id),
    [],
  )
  assert.deepEqual(await resolve(world, next, [[0]]), RESOLVED)
})

test('reported: every answer failed with "Question request not found"', async (t) => {
  const world = await session(t)
  // Another project is open as well; an answer goes to where its question came from.
  t.after(world.connect({ directory: '/projects/b' }))
  const one = await open(world)
  assert.deepEqual(await resolve(world, one, [[1]]), RESOLVED)
  assert.deepEqual(world.received.get(one.id), [[['b']]])
})

test('reported: the app waited for ever after 404', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before('POST', () => (world.abort(SESSION, false), 404))
  assert.deepEqual(await resolve(world, one, [[0]]), CODE('not-taken'))
  assert.deepEqual(await world.host.openInputs(SESSION), [])
})

test('reported: the app waited for ever for an event after 200', async (t) => {
  const world = await session(t)
  const one = await open(world)
  world.feed = before('POST', () => world.cut())
  assert.deepEqual(await resolve(world, one, [[0]]), RESOLVED)
})

test('reported: a label with a comma was taken for several answers', async (t) => {
  const world = await session(t)
  const many = asked('Which?', ['Yes, always', 'Yes', 'always', 'No'], { multiple: true })
  const topic = 'Health, longevity and performance science'
  const first = await open(world, 'ask', [many])
  // The model would be told the same of both.
  for (const chosen of [[0], [1, 2]]) {
    assert.deepEqual(await resolve(world, first, [chosen]), CODE('invalid'))
  }
  assert.deepEqual(world.written, [])
  assert.deepEqual(await resolve(world, first, [[1]]), RESOLVED)
  const second = await open(world, 'ask', [asked('Which?', [topic, 'Sport'], { multiple: true })])
  assert.deepEqual(await resolve(world, second, [[0, 1]]), RESOLVED)
  const third = await open(world, 'ask', [asked('Which?', [topic, 'Health'])])
  assert.deepEqual(await resolve(world, third, [[0]]), RESOLVED)
  assert.deepEqual([...world.received.values()].flat(), [[['Yes']], [[topic, 'Sport']], [[topic]]])
})

test('reported: of several options the first one was sent alone', async (t) => {
  const world = await session(t)
  const one = await open(world, 'ask', [asked('Which?', ['a', 'b', 'c'], { multiple: true })])
  assert.deepEqual(await resolve(world, one, [[0, 2]]), RESOLVED)
  assert.deepEqual(world.received.get(one.id), [[['a', 'c']]])
})

test('reported: what was typed for one question was in the next one as well', async (t) => {
  const world = await session(t)
  const { id } = await open(world, 'ask', [WHICH, WHICH, WHICH, WHICH])
  const reply = [['a'], ['typed'], ['b'], null]
  assert.deepEqual(await world.host.answerOnDesktop(id, reply), RESOLVED)
  assert.deepEqual(world.received.get(id), [[['a'], ['typed'], ['b'], []]])
})

test('reported: choices were never shown, and the agent went on with its own', async (t) => {
  const world = await session(t)
  const { id } = await open(world)
  for (let n = 0; n < 3; n++) {
    world.cut()
    await new Promise((done) => setTimeout(done, 300))
  }
  assert.deepEqual(await world.host.settlement(id), { status: 'open' })
  world.disconnect()
  assert.deepEqual(await over(world), ['input.requested', 'input.canceled: disconnected'])
  assert.deepEqual([world.written, world.received.size], [[], 0])
})
