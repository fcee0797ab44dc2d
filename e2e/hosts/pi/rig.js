'use strict'
// A real Pi in RPC mode, a scripted model, and a live call with a fake voice.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { openLiveCall } = require('../../../main/live-call.js')
const { createPiHost } = require('../../../main/hosts/pi.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { calls, startModel, toldIn } = require('./model.js')
const { configure, startPi } = require('./process.js')

/** One question of our extension's tool, as models write them. */
const question = (text, labels, more) => ({
  question: text,
  options: labels.map((label) => ({ label, description: `what ${label} means` })),
  ...more,
})
const asks = (id, ...questions) => calls(id, 'ask_user', { questions })
/** A call of another extension's tool, which asks by plain dialogs, one after the other. */
const selects = (id, questions, more, name = 'ask') => calls(id, name, { questions, ...more })

const DATABASE = question('Which database should we use?', ['PostgreSQL', 'SQLite'])
const PLAIN = { question: DATABASE.question, options: ['PostgreSQL', 'SQLite'] }

const DIALOGS = new Set(['select', 'confirm', 'input', 'editor'])

/**
 * An app around one process. `turns` is what the model says to each request; after the last it says that
 * it is done.
 */
async function rig(t, turns, options = {}) {
  const app = { events: [], others: [], sessionId: null, voice: createFakeVoice() }
  const { feed } = options
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-pi-'))
  app.model = await startModel((_, n) => turns[n] ?? 'Done.')
  configure(folder, app.model.url)
  const onSession = (sessionId) => {
    app.sessionId = sessionId
    app.host.watch(sessionId, (event) => app.events.push(event))
    app.call.setSession({ id: sessionId })
  }
  app.host = createPiHost({ askTools: ['ask', 'mumble'], onSession })
  const { host, model, voice } = app
  app.call = openLiveCall({ session: null, host, voice, ...options.call })

  app.processes = []
  /** The app starts a process and says something in it. */
  app.start = async (prompt = 'Go on.') => {
    const pi = (app.pi = startPi(folder, options.process))
    app.processes.push(pi)
    host.connect({
      send: pi.send,
      onFrame: (listener) => pi.onFrame(feed ? (frame) => feed(frame, listener) : listener),
      onEnd: pi.onEnd,
    })
    pi.onFrame((frame) => {
      const { type, method } = frame
      if (type !== 'extension_ui_request' || !DIALOGS.has(method)) return
      // The host has had it before.
      if (!feed && !host.asks(frame)) app.others.push(frame)
    })
    await pi.request('prompt', { message: prompt })
  }
  t.after(async () => {
    await app.call.close()
    for (const pi of app.processes) await pi.close()
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
  app.open = () => (app.sessionId === null ? [] : host.openInputs(app.sessionId))
  /** The answers that were written to Pi. */
  app.answers = () =>
    app.processes
      .flatMap(({ written }) => written)
      .filter(({ type }) => type === 'extension_ui_response')
  /** What the model was told of its tools last, by the id of each call. */
  app.told = () => toldIn(model.requests.at(-1))
  app.settled = (count = 1) => {
    const isOver = ({ type }) => type === 'agent_settled'
    return until(() => app.pi.frames.filter(isOver).length >= count)
  }
  /** The app answers a dialog of its own. */
  app.decide = ({ id }, reply) => {
    app.pi.send({ type: 'extension_ui_response', id, ...reply })
    host.decided(id)
  }
  if (options.isStarted !== false) await app.start(options.prompt)
  return app
}

/** Waits for something that happens elsewhere; how long the suite may take is for who runs it. */
async function until(isSo) {
  for (;;) {
    const found = await isSo()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

module.exports = { DATABASE, PLAIN, asks, calls, question, rig, selects, until }
