'use strict'
// The real Claude Agent SDK with its own binary, a scripted model, and a live call with a fake voice.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { createClaudeHost } = require('../../../main/hosts/claude.js')
const { openLiveCall } = require('../../../main/live-call.js')
const { createFakeVoice } = require('../../../main/testing.js')
const { until } = require('../said.js')
const { startModel } = require('./model.js')

/** A request of the ask tool. */
const asks = (id, ...questions) => ({
  type: 'tool_use',
  id,
  name: 'AskUserQuestion',
  input: { questions },
})

/** One question of it, as models write them. */
const question = (text, labels, more) => ({
  question: text,
  header: 'Choice',
  multiSelect: false,
  options: labels.map((label) => ({ label, description: `what ${label} means` })),
  ...more,
})

const DATABASE = question('Which database should we use?', ['PostgreSQL', 'SQLite'])

/**
 * An app around one session of the SDK. `turns` is what the model says to each request, a list of blocks;
 * after the last it says that it is done.
 */
async function rig(t, turns, options = {}) {
  const { fallback, host = createClaudeHost(), call: callOptions, feed } = options
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-claude-'))
  const model = await startModel((_, n) => turns[n] ?? [{ type: 'text', text: 'Done.' }])
  const app = {
    host,
    model,
    voice: createFakeVoice(),
    /** What the host said, what was written to it, and what the app was asked to decide itself. */
    messages: [],
    written: [],
    decided: [],
    events: [],
    error: null,
  }
  app.call = openLiveCall({ session: null, host, voice: app.voice, ...callOptions })

  /** Starts the binary; returns a promise of the end of its stream. */
  app.start = () => {
    app.abort = new AbortController()
    app.query = query({
      prompt: prompt('start'),
      options: {
        cwd: folder,
        env: environment(model.url, folder),
        model: 'claude-sonnet-4-5',
        settingSources: [],
        abortController: app.abort,
        spawnClaudeCodeProcess: (how) => (app.child = start(how, app.written)),
        canUseTool: host.canUseTool(async (...request) => {
          app.decided.push(request[0])
          return fallback(...request)
        }),
        ...options.query,
      },
    })
    app.over = follow(app, feed ?? ((message) => host.onMessage(message)))
    return app.over
  }
  t.after(async () => {
    await app.call.close()
    app.query?.close()
    await app.over
    await model.close()
    fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
  })

  let requests = 0
  /** The person says something, now; the provider passes it on. Returns what became of it. */
  app.say = (instruction, evidence) => {
    const request = { requestId: `request-${++requests}`, instruction }
    const now = (callOptions?.clock ?? performance).now()
    return app.call.instruct(request, { speechStartedAt: now, ...evidence }).settled
  }
  /** Waits until so many texts were read out in all. */
  app.readOut = (count = 1) => until(() => app.voice.deliveries.length >= count)
  app.open = () => host.openInputs(app.sessionId)
  /** The answers that were written to the host, as they went over its standard input. */
  app.answersWritten = () =>
    app.written
      .filter(({ type, response }) => type === 'control_response' && response.response?.behavior)
      .map(({ response }) => response.response)
  /** What the model was told of its tools, by the id of each call. */
  app.told = () => toolResults(model.requests.at(-1))
  app.start()
  return app
}

async function follow(app, feed) {
  try {
    for await (const message of app.query) {
      app.messages.push(message)
      if (message.session_id && app.sessionId !== message.session_id) {
        app.sessionId = message.session_id
        app.host.watch(message.session_id, (event) => app.events.push(event))
        app.call.setSession({ id: message.session_id })
      }
      feed(message, app)
    }
  } catch (error) {
    app.error = error
  }
}

/** A conversation that goes on until the query is closed. */
async function* prompt(content) {
  yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
  await new Promise(() => {})
}

function start({ command, args, cwd, env, signal }, written) {
  const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] })
  child.on('error', () => {})
  const write = child.stdin.write.bind(child.stdin)
  child.stdin.write = (chunk, ...more) => {
    for (const line of `${chunk}`.split('\n').filter(Boolean)) written.push(JSON.parse(line))
    return write(chunk, ...more)
  }
  return child
}

/** Nothing of the machine's own is read, and nothing is reported anywhere. */
const environment = (url, folder) => ({
  PATH: process.env.PATH,
  HOME: folder,
  TMPDIR: os.tmpdir(),
  LANG: 'C.UTF-8',
  CLAUDE_CONFIG_DIR: path.join(folder, '.claude'),
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'none',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  IS_SANDBOX: '1',
})

function toolResults(body) {
  const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return Object.fromEntries(
    results.map(({ tool_use_id, content }) => [tool_use_id, plain(content)]),
  )
}

/** A text without what the host adds for itself. */
function plain(content) {
  const text = Array.isArray(content) ? content.map((block) => block.text ?? '').join('') : content
  return text.replace(/\n*<system-reminder>[^]*?<\/system-reminder>/g, '')
}

module.exports = { DATABASE, asks, environment, question, rig, until }
