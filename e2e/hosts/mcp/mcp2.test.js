'use strict'
// The second version of MCP: a server asks in the result of a tool, and the client calls the tool again
// with what it was answered. The client passes such a request to the same handler. Run with
// `npm run test:hosts`.

const assert = require('node:assert/strict')
const path = require('node:path')
const { after, test } = require('node:test')
const { createMcpHost } = require('../../../main/hosts/mcp.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { version } = require('../node_modules/@modelcontextprotocol/client/package.json')
const { until } = require('../said.js')

after(() => console.log(`MCP client ${version}`))

const SESSION = 'session-1'

/** A live call, and a client for a server in a process of its own, which asks these messages at once. */
async function rig(t, mode, messages) {
  const host = createMcpHost({ sessionId: SESSION })
  const voice = createFakeVoice()
  const call = openLiveCall({ session: { id: SESSION }, host, voice })
  const app = { host, voice, events: [] }
  host.watch(SESSION, (event) => app.events.push(event))
  const clients = []
  app.connect = async () => {
    const { Client } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const capabilities = { elicitation: { form: {} } }
    const options = { capabilities, versionNegotiation: { mode } }
    app.client = new Client({ name: 'app', version: '1' }, options)
    clients.push(app.client)
    // The client asks between two calls of the tool, and that the server is gone aborts nothing then.
    const gone = new AbortController()
    Object.assign(app.client, { onclose: () => gone.abort() })
    app.gone = gone.signal
    app.client.setRequestHandler(
      'elicitation/create',
      host.onElicit(() => ({ action: 'decline' })),
    )
    app.transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(__dirname, 'server2.mjs'), ...messages],
    })
    await app.client.connect(app.transport)
  }
  t.after(async () => {
    await call.close()
    for (const client of clients) await client.close()
  })
  app.ask = async (signal = app.gone) => {
    const { content } = await app.client.callTool({ name: 'ask', arguments: {} }, { signal })
    return JSON.parse(content[0].text)
  }
  app.kill = () => process.kill(app.transport.pid, 'SIGKILL')
  const isRead = ({ kind }) => kind === 'interaction-required'
  /** Waits until so many questions were read out in all. */
  app.readOut = (count) => until(() => voice.deliveries.filter(isRead).length >= count)
  let last = 0
  app.say = (instruction) =>
    call.instruct(
      { requestId: `request-${++last}`, instruction },
      { speechStartedAt: performance.now() },
    ).settled
  await app.connect()
  return app
}

for (const mode of ['auto', 'legacy']) {
  test(`one question, ${mode}: the server gets the value, twice in a row`, async (t) => {
    const app = await rig(t, mode, ['Which database?'])
    // Both times the request has the same id.
    for (const [round, said, db] of [
      [1, 'SQLite', 'sqlite'],
      [2, 'PostgreSQL', 'pg'],
    ]) {
      const answered = app.ask()
      await app.readOut(round)
      assert.equal((await app.say(said)).state, 'submitted')
      assert.deepEqual((await answered).q0, { action: 'accept', content: { db } })
    }
  })
}

test('two questions in one result: each gets its own answer', async (t) => {
  const app = await rig(t, 'auto', ['Where now?', 'Where later?'])
  const answered = app.ask()
  const inputs = await until(async () => {
    const open = await app.host.openInputs(SESSION)
    return open.length === 2 && open
  })
  const answer = { 'Where now?': 'SQLite', 'Where later?': 'PostgreSQL' }
  for (const { inputId, questions } of inputs) {
    await app.host.answerOnDesktop(inputId, [[answer[questions[0].question]]])
  }
  assert.deepEqual(await answered, {
    q0: { action: 'accept', content: { db: 'sqlite' } },
    q1: { action: 'accept', content: { db: 'pg' } },
  })
})

test('the agent gives up its call: the question is gone', async (t) => {
  const app = await rig(t, 'auto', ['Which database?'])
  const abort = new AbortController()
  const answered = app.ask(abort.signal).catch(({ message }) => message)
  await until(async () => (await app.host.openInputs(SESSION)).length === 1)
  abort.abort()
  assert.equal(typeof (await answered), 'string')
  await until(async () => (await app.host.openInputs(SESSION)).length === 0)
})

for (const mode of ['auto', 'legacy']) {
  test(`the server is killed while a question is open, and started again, ${mode}`, async (t) => {
    const app = await rig(t, mode, ['Which database?'])
    const lost = app.ask().catch(({ message }) => message)
    await app.readOut(1)
    const [{ inputId }] = await app.host.openInputs(SESSION)
    app.kill()
    assert.equal(typeof (await lost), 'string')
    await until(() => app.events.length > 1)
    assert.deepEqual(app.events[1], { type: 'input.canceled', inputId, reason: 'aborted' })
    await app.connect()
    const answered = app.ask()
    await app.readOut(2)
    const [again, ...others] = await app.host.openInputs(SESSION)
    assert.deepEqual(others, [])
    assert.notEqual(again.inputId, inputId)
    const stale = await app.host.answerOnDesktop(inputId, [['PostgreSQL']])
    assert.deepEqual(stale, { status: 'rejected', code: 'not-found' })
    assert.equal((await app.say('SQLite')).state, 'submitted')
    assert.deepEqual((await answered).q0, { action: 'accept', content: { db: 'sqlite' } })
  })
}
