'use strict'
// A real OpenCode server, a scripted model, and a live call with a fake voice.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { after } = require('node:test')
const { createOpenCodeHost } = require('../../../main/hosts/opencode.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { calls, startModel } = require('./model.js')
const { configure, startServer } = require('./server.js')

/** One question of the ask tool, as models write them. */
const question = (text, labels, more) => ({
  question: text,
  header: 'Choice',
  options: labels.map((label) => ({ label, description: `what ${label} means` })),
  ...more,
})
const asks = (callId, ...questions) => calls(callId, 'question', { questions })

const DATABASE = question('Which database should we use?', ['PostgreSQL', 'SQLite'])

const newFolder = () =>
  fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-opencode-')))
const remove = (folder) => fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })

/** One process for all tests of a file that need none of their own: each has a directory. */
let shared
function sharedServer() {
  shared ??= (async () => {
    const folder = newFolder()
    return { folder, server: await startServer(folder) }
  })()
  return shared
}
after(async () => {
  if (shared === undefined) return
  const { folder, server } = await shared
  await server.close()
  remove(folder)
})

/** An OpenCode server's directory, and requests to it. */
function clientOf(baseUrl, directory, headers = {}) {
  return async (method, where, body) => {
    const url = new URL(`${baseUrl}${where}`)
    url.searchParams.set('directory', directory)
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, data: text === '' ? null : JSON.parse(text) }
  }
}

/**
 * An app around one session. `turns` is what the model says to each request; after the last it says that it
 * is done. `own` is whether the server is the test's own; `config` goes into its settings.
 */
async function rig(t, turns, options = {}) {
  const { host = createOpenCodeHost(), own = false, password } = options
  const folder = newFolder()
  const directory = path.join(folder, 'project')
  const model = await startModel((_, n) => turns[n] ?? ['Done.'])
  configure(directory, model.url, options.config)
  const server = own ? await startServer(folder, { password }) : (await sharedServer()).server
  const headers = password ? { authorization: `Basic ${btoa(`opencode:${password}`)}` } : undefined
  const request = clientOf(server.baseUrl, directory, headers)
  const voice = createFakeVoice()
  const app = { host, model, voice, server, directory, request, events: [], sent: [] }
  const streams = new Set()

  /** Everything of the adapter goes through here. */
  app.fetch = async (one, init) => {
    const { pathname } = new URL(one.url)
    if (one.method === 'POST') app.sent.push([pathname, await one.clone().text()])
    await options.feed?.(pathname, app)
    if (pathname !== '/event') return fetch(one, init)
    const stream = new AbortController()
    streams.add(stream)
    init.signal.addEventListener('abort', () => stream.abort())
    return fetch(one, { signal: stream.signal })
  }
  app.connect = () => {
    const connection = { baseUrl: server.baseUrl, directory, headers, fetch: app.fetch }
    app.disconnect = host.connect({ ...connection, ...options.connection })
  }
  /** The stream of events breaks off. */
  app.cut = () => {
    for (const stream of streams) stream.abort(new Error('cut'))
    streams.clear()
  }
  /** The server is killed, and started again. */
  app.kill = () => app.server.close()
  app.restart = async () => {
    app.server = await startServer(folder, { port: server.port, password })
  }
  /** A new session. Gives its id. */
  app.newSession = async () => (await request('POST', '/session', {})).data.id
  /** The user says something in it. */
  app.prompt = (sessionId = app.sessionId, more) =>
    request('POST', `/session/${sessionId}/prompt_async`, {
      parts: [{ type: 'text', text: 'Go on.' }],
      ...more,
    })
  app.abort = () => request('POST', `/session/${app.sessionId}/abort`)
  app.waiting = async () => (await request('GET', '/question')).data
  /** Waits until so many questions wait at the server. */
  app.asked = (count = 1) =>
    until(async () => {
      const list = await app.waiting()
      return list.length >= count && list
    })
  app.answered = (id, answers) => request('POST', `/question/${id}/reply`, { answers })
  t.after(async () => {
    await app.call.close()
    app.disconnect()
    await app.abort().catch(() => {})
    if (own) await app.kill()
    await model.close()
    remove(folder)
  })

  app.sessionId = await app.newSession()
  host.watch(app.sessionId, (event) => app.events.push(event))
  app.call = openLiveCall({ session: { id: app.sessionId }, host, voice, ...options.call })
  let requests = 0
  /** The person says something, now; the provider passes it on. Returns what became of it. */
  app.say = (instruction) => {
    const one = { requestId: `request-${++requests}`, instruction }
    const now = (options.call?.clock ?? performance).now()
    return app.call.instruct(one, { speechStartedAt: now }).settled
  }
  const isRead = ({ kind }) => kind === 'interaction-required'
  /** Waits until so many questions were read out in all. */
  app.readOut = (count = 1) => until(() => voice.deliveries.filter(isRead).length >= count)
  /** Waits until so many inputs are open. */
  app.open = (count = 1) =>
    until(async () => {
      const open = await host.openInputs(app.sessionId)
      return open.length >= count && open
    })
  app.told = (type) => until(() => app.events.find((event) => event.type === type))
  /** What the model was told last, by the id of each call. */
  app.had = () => {
    const { messages } = model.requests.at(-1)
    const results = messages.filter(({ role }) => role === 'tool')
    return Object.fromEntries(results.map((one) => [one.tool_call_id, one.content]))
  }
  /** The answers that went to the server. */
  app.replies = () =>
    app.sent.map(([where, text]) => [where.split('/').at(-1), text && JSON.parse(text).answers])
  if (options.isStarted !== false) {
    app.connect()
    await app.prompt()
  }
  return app
}

/** Waits for something that happens elsewhere; how long the suite may take is for who runs it. */
async function until(isSo) {
  for (;;) {
    const found = await isSo()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

module.exports = {
  DATABASE,
  asks,
  calls,
  clientOf,
  newFolder,
  question,
  remove,
  rig,
  sharedServer,
  until,
}
