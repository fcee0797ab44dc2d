'use strict'
// The second version of MCP: a server asks in the result of a tool, and the client calls the tool again
// with what it was answered. The client passes such a request to the same handler. Run with
// `npm run test:hosts`.

const assert = require('node:assert/strict')
const { after, test } = require('node:test')
const { createMcpHost } = require('../../../main/hosts/mcp.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { version } = require('../node_modules/@modelcontextprotocol/client/package.json')
const { until } = require('./rig.js')

after(() => console.log(`MCP client ${version}`))

const SESSION = 'session-1'
const DATABASE = {
  type: 'string',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const requestedSchema = { type: 'object', properties: { db: DATABASE }, required: ['db'] }

/** A client and a server whose tool asks these messages at once, and says what it was answered. */
async function rig(t, mode, messages) {
  const { Client, InMemoryTransport } = await import('@modelcontextprotocol/client')
  const { McpServer, inputRequired } = await import('@modelcontextprotocol/server')
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const makeServer = () => {
    const server = new McpServer({ name: 'asks', version: '1' }, { capabilities: { tools: {} } })
    server.registerTool('ask', {}, ({ mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) {
        return { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] }
      }
      const asked = messages.map((message, n) => [
        `q${n}`,
        inputRequired.elicit({ message, requestedSchema }),
      ])
      return inputRequired({ inputRequests: Object.fromEntries(asked) })
    })
    return server
  }
  const host = createMcpHost({ sessionId: SESSION })
  const voice = createFakeVoice()
  const call = openLiveCall({ session: { id: SESSION }, host, voice })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = serveStdio(makeServer, { transport: theirs })
  const capabilities = { elicitation: { form: {} } }
  const client = new Client(
    { name: 'app', version: '1' },
    { capabilities, versionNegotiation: { mode } },
  )
  client.setRequestHandler(
    'elicitation/create',
    host.onElicit(() => ({ action: 'decline' })),
  )
  await client.connect(ours)
  t.after(async () => {
    await call.close()
    await client.close()
    await server.close?.()
  })
  const ask = async (signal) => {
    const { content } = await client.callTool({ name: 'ask', arguments: {} }, { signal })
    return JSON.parse(content[0].text)
  }
  let last = 0
  const say = (instruction) =>
    call.instruct(
      { requestId: `request-${++last}`, instruction },
      { speechStartedAt: performance.now() },
    ).settled
  return { host, voice, ask, say }
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
      const isRead = ({ kind }) => kind === 'interaction-required'
      await until(() => app.voice.deliveries.filter(isRead).length === round)
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
