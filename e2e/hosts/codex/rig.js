'use strict'
// A real Codex app-server, a scripted model, and a live call with a fake voice.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { createCodexHost } = require('../../../main/hosts/codex.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { until } = require('../said.js')
const { calls, startModel } = require('./model.js')
const { asApp, configure, startDaemon, startProcess } = require('./server.js')

/** One question of the ask tool, as models write them. */
const question = (id, text, labels, more) => ({
  id,
  header: 'Choice',
  question: text,
  options: labels.map((label) => ({ label, description: `what ${label} means` })),
  ...more,
})
const asks = (callId, ...questions) => calls(callId, 'request_user_input', { questions })
const posts = (callId, ...questions) => calls(callId, 'request_user_input_async', { questions })
/** A call of the MCP server's tool, which asks this form. */
const fills = (callId, form, options) => calls(callId, 'ask', { form, options }, 'mcp__asks')

const DATABASE = question('db', 'Which database should we use?', ['PostgreSQL', 'SQLite'])

/** Settings with an MCP server whose tools need no approval. */
const MCP = (mode = 'approve') => `[mcp_servers.asks]
command = "${process.execPath}"
args = ["${path.join(__dirname, '..', 'mcp', 'server.js')}"]
default_tools_approval_mode = "${mode}"
`

/**
 * An app around one thread. `turns` is what the model says to each request; after the last it says that it
 * is done. `raw` is whether every item is told.
 */
async function rig(t, turns, options = {}) {
  const { raw = true, shared = false, host = createCodexHost(), feed } = options
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-codex-'))
  const model = await startModel((_, n) => turns[n] ?? ['Done.'])
  configure(folder, model.url, options.config)
  const voice = createFakeVoice()
  const app = { host, model, voice, events: [], decided: [], servers: [] }
  app.call = openLiveCall({ session: null, host, voice, ...options.call })

  /** Another client; of a process of its own where there is no daemon. */
  app.client = async () => {
    const server = await asApp(app.daemon ? await app.daemon.connect() : startProcess(folder))
    app.servers.push(server)
    return server
  }
  /** The app starts a process, or comes to the daemon, and begins. */
  app.start = async () => {
    app.server = await app.client()
    const { server } = app
    app.disconnect = host.connect({
      send: server.send,
      onMessage: (listener) => server.onMessage(feed ? (one) => feed(one, listener) : listener),
      shared,
    })
    server.over?.then(app.disconnect)
    server.onMessage((message) => {
      const { id, method } = message
      if (method === undefined || id === undefined || host.asks(message)) return
      app.decided.push(method)
      options.decide?.(message, (result) => server.send({ id, result }))
    })
    await server.begin()
  }
  app.inThread = (threadId) => {
    app.threadId = threadId
    host.watch(threadId, (event) => app.events.push(event))
    app.call.setSession({ id: threadId })
  }
  /** A new thread. Gives its id. */
  app.newThread = async (client = app.server) => {
    const started = await client.request('thread/start', {
      cwd: folder,
      approvalPolicy: 'on-request',
      experimentalRawEvents: raw,
    })
    return started.thread.id
  }
  /** The user says something in it, in the mode in which its ask tool is there. */
  app.turn = (threadId = app.threadId, client = app.server) =>
    client.request('turn/start', {
      threadId,
      input: [{ type: 'text', text: 'Go on.', text_elements: [] }],
      ...(options.mode === 'default' ? {} : { collaborationMode: PLAN }),
    })
  if (options.daemon) app.daemon = await startDaemon(folder)
  t.after(async () => {
    await app.call.close()
    for (const server of app.servers) await server.close()
    await app.daemon?.close()
    await model.close()
    fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
  })

  let requests = 0
  /** The person says something, now; the provider passes it on. Returns what became of it. */
  app.say = (instruction) => {
    const request = { requestId: `request-${++requests}`, instruction }
    const now = (options.call?.clock ?? performance).now()
    return app.call.instruct(request, { speechStartedAt: now }).settled
  }
  const isRead = ({ kind }) => kind === 'interaction-required'
  /** Waits until so many questions were read out in all. */
  app.readOut = (count = 1) => until(() => voice.deliveries.filter(isRead).length >= count)
  app.open = () => host.openInputs(app.threadId)
  /** The answers that were written to the server, and the messages. */
  app.answers = () => app.servers.flatMap(({ written }) => written)
  /** The outputs of tools that the model was told last, by the id of each call; and what users said. */
  app.told = () => outputs(model.requests.at(-1))
  app.heard = () => texts(model.requests.at(-1))
  app.interrupt = async () => {
    const { params } = app.server.messages.findLast(({ method }) => method === 'turn/started')
    return app.server.request('turn/interrupt', { threadId: app.threadId, turnId: params.turn.id })
  }
  app.turnOver = (count = 1) => {
    const isOver = ({ method }) => method === 'turn/completed'
    return until(() => app.server.messages.filter(isOver).length >= count)
  }
  if (options.isStarted !== false) {
    await app.start()
    app.inThread(await app.newThread())
    await app.turn()
  }
  return app
}

const PLAN = {
  mode: 'plan',
  settings: { model: 'mock-model', reasoning_effort: null, developer_instructions: null },
}

const outputs = ({ input }) => {
  const all = input.filter(({ type }) => type === 'function_call_output')
  return Object.fromEntries(all.map(({ call_id, output }) => [call_id, output]))
}

const texts = ({ input }) =>
  input
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.map(({ text }) => text))

module.exports = {
  DATABASE,
  MCP,
  PLAN,
  asks,
  calls,
  fills,
  outputs,
  posts,
  question,
  rig,
  texts,
  until,
}
