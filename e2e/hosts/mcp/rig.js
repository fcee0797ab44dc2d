'use strict'
// A real MCP client and a server in a process of its own, and a live call with a fake voice.

const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js')
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js')
const { createMcpHost } = require('../../../main/hosts/mcp.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { until } = require('../said.js')

const SESSION = 'session-1'

async function rig(
  t,
  { fallback = async () => ({ action: 'decline' }), call: callOptions, host: hostOptions } = {},
) {
  const host = createMcpHost({ sessionId: SESSION, ...hostOptions })
  const voice = createFakeVoice()
  const app = { host, voice, events: [], written: [], decided: [] }
  host.watch(SESSION, (event) => app.events.push(event))
  app.call = openLiveCall({ session: { id: SESSION }, host, voice, ...callOptions })
  const open = []

  app.connect = async () => {
    const handler = host.onElicit((...request) => {
      app.decided.push(request[0].params.message)
      return fallback(...request)
    })
    const connection = await connect(handler, app.written)
    open.push(connection)
    return connection
  }
  t.after(async () => {
    await app.call.close()
    for (const { close } of open) await close()
  })
  let requests = 0
  /** The person says something, now; the provider passes it on. Returns what became of it. */
  app.say = (instruction) => {
    const request = { requestId: `request-${++requests}`, instruction }
    return app.call.instruct(request, { speechStartedAt: performance.now() }).settled
  }
  /** Waits until so many texts were read out in all. */
  app.readOut = (count = 1) => until(() => voice.deliveries.length >= count)
  app.open = () => host.openInputs(SESSION)
  return app
}

/**
 * Starts a server and a client for it; `ask` has the server ask, and gives what it was answered. What goes
 * to the server as an answer is written to `written`.
 */
async function connect(handler, written = []) {
  const capabilities = { elicitation: { form: {} } }
  const client = new Client({ name: 'app', version: '1' }, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, handler)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(__dirname, 'server.js')],
    stderr: 'inherit',
  })
  await client.connect(transport)
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    if (message.result?.action !== undefined) written.push(message.result)
    return send(message)
  }
  const ask = async (form, options) => {
    const result = await client.callTool({ name: 'ask', arguments: { form, options } })
    return JSON.parse(result.content[0].text)
  }
  return { ask, kill: () => process.kill(transport.pid, 'SIGKILL'), close: () => client.close() }
}

module.exports = { connect, rig, until }
