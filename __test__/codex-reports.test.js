'use strict'
// Things that people reported of other apps around Codex, named after what they saw.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  BACKEND,
  CODE,
  FORM,
  WHICH,
  brief,
  form,
  open,
  resolve,
  session,
  until,
} = require('./codex-session.js')
const { THREAD, asked, codexSide } = require('./codex-side.js')

test('reported: a question answered in one client stayed open in the other', async () => {
  const world = session({ shared: true })
  const { inputId, item } = await open(world, 'post', [BACKEND])
  const other = codexSide()
  const text = await (async () => {
    other.post([BACKEND], item.id)
    await other.quiet()
    const [one] = await other.host.openInputs(THREAD)
    await other.host.answerOnDesktop(one.inputId, [['Postgres']])
    return other.written[0].params.input
  })()
  const params = { threadId: THREAD, item: { type: 'userMessage', clientId: 'x', content: text } }
  await open(world, 'say', 'item/completed', params)
  assert.deepEqual(world.events.at(-1).optionIndexes, [[1]])
  assert.deepEqual(await resolve(world, inputId, [[0]]), CODE('already-resolved'))
  assert.deepEqual(world.written, [])
})

test('reported: two answers to one question, and the model had both', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND])
  const replies = await Promise.all([
    resolve(world, inputId, [[0]]),
    resolve(world, inputId, [[1]]),
    world.host.answerOnDesktop(inputId, [['Postgres']]),
  ])
  assert.equal(replies.filter(({ status }) => status === 'resolved').length, 1)
  assert.equal(world.written.length, 1)
})

test('reported: the card vanished at the end of the turn, before an answer', async () => {
  const world = session()
  const { inputId, turnId } = await open(world, 'post', [BACKEND])
  const turn = { id: turnId, status: 'completed' }
  await open(world, 'say', 'turn/completed', { threadId: THREAD, turn })
  assert.equal((await world.host.openInputs(THREAD)).length, 1)
  assert.deepEqual(await resolve(world, inputId, [[0]]), { status: 'resolved' })
})

test('reported: the agent’s question was shown as what the user wrote', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [
    { title: 'Which package manager?', options: ['pnpm', 'npm'] },
  ])
  await resolve(world, inputId, [[0]])
  const { answers, resolvedBy, optionIndexes } = world.events.at(-1)
  assert.deepEqual([answers, optionIndexes, resolvedBy.kind], [undefined, [[0]], 'voice'])
})

test('reported: a permission for a tool was answered as a question', async () => {
  const world = session()
  const approval = asked('mcp_tool_call_approval_x', 'Allow?', ['Allow', 'Cancel'], {
    isOther: false,
  })
  world.ask([approval])
  world.elicit(form({}, { _meta: { codex_approval_kind: 'mcp_tool_call' } }))
  await world.quiet()
  const inputs = await until(() => world.host.openInputs(THREAD))
  assert.ok(inputs.every(({ kind, questions }) => kind === 'permission' && questions === undefined))
  assert.deepEqual(world.written, [])
})

test('reported: questions were answered with nothing before anybody saw them', async () => {
  const world = session()
  await open(world, 'ask', [WHICH])
  await open(world, 'elicit', FORM)
  await open(world, 'post', [BACKEND])
  assert.deepEqual([world.written, (await world.host.openInputs(THREAD)).length], [[], 3])
  world.disconnect()
  assert.deepEqual(world.written, [])
})

test('reported: what was typed took the place of the option that was picked', async () => {
  const world = session()
  const { inputId } = await open(world, 'ask', [WHICH])
  const both = { answers: { q: { answers: ['b', 'user_note: on port 6000'] } } }
  await world.host.answerOnDesktop(inputId, both)
  assert.deepEqual(world.written[0].result, both)
})

test('reported: the choices were never shown, and the turn went on with the agent’s own', async () => {
  const world = session()
  const one = await open(world, 'ask', [WHICH])
  const turn = { id: one.params.turnId, status: 'completed' }
  await open(world, 'say', 'turn/completed', { threadId: THREAD, turn })
  assert.deepEqual(brief(world.events), ['input.requested', 'input.canceled: gone'])
  assert.deepEqual(await world.host.settlement(one.inputId), { status: 'canceled' })
})

test('reported: typing something else counted as an answer', async () => {
  const world = session()
  const { inputId } = await open(world, 'post', [BACKEND])
  const content = [{ type: 'text', text: 'SQLite', text_elements: [] }]
  const item = { type: 'userMessage', clientId: null, content }
  await open(world, 'say', 'item/completed', { threadId: THREAD, item })
  assert.deepEqual(await world.host.settlement(inputId), { status: 'open' })
})
