'use strict'
// The real Codex app-server: a process of its own with one client over its standard input and output, or
// a daemon with several over a socket. Nothing of the machine's own is read, and nothing is reported.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const readline = require('node:readline')
const WebSocket = require('ws')

const COMMAND = path.join(__dirname, '..', 'node_modules', '@openai', 'codex', 'bin', 'codex.js')

const environment = (folder) => ({
  PATH: process.env.PATH,
  HOME: folder,
  CODEX_HOME: path.join(folder, 'home'),
  RUST_LOG: 'off',
})

/** `more` goes after everything else in its settings. */
function configure(folder, url, { model = 'mock-model', more = '' } = {}) {
  const home = path.join(folder, 'home')
  fs.mkdirSync(home, { recursive: true })
  fs.writeFileSync(
    path.join(home, 'config.toml'),
    `model = "${model}"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "Mock"
base_url = "${url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
${more}`,
  )
}

/** A group of processes, so that the binary behind the command gets every signal as well. */
function launch(folder, args, stdio) {
  const child = spawn(process.execPath, [COMMAND, 'app-server', ...args], {
    cwd: folder,
    env: environment(folder),
    stdio,
    detached: true,
  })
  const over = new Promise((resolve) => child.once('exit', resolve))
  const signal = (name) => child.exitCode === null && child.signalCode === null && send(name)
  const send = (name) => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // It is gone already.
    }
  }
  return { child, over, signal }
}

/** A process and its one client. */
function startProcess(folder) {
  const { child, over, signal } = launch(folder, [], ['pipe', 'pipe', 'ignore'])
  child.stdin.on('error', () => {})
  const lines = readline.createInterface({ input: child.stdout })
  return {
    over,
    signal,
    write: (text) => child.stdin.write(`${text}\n`),
    onText: (listener) => lines.on('line', listener),
    async close() {
      child.stdin.end()
      await over
    },
  }
}

/** A daemon; `connect` gives another client of it. */
async function startDaemon(folder) {
  const socket = path.join(folder, 'control.sock')
  const { over, signal } = launch(folder, ['--listen', `unix://${socket}`], 'ignore')
  const attempt = () =>
    new Promise((resolve) => {
      const one = new WebSocket(`ws+unix://${socket}:/`)
      one.once('open', () => resolve(one))
      one.once('error', () => resolve(null))
    })
  async function connect() {
    for (;;) {
      const one = await attempt()
      if (one !== null) return asClient(one)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const close = () => {
    signal('SIGTERM')
    return over
  }
  return { connect, close }
}

const asClient = (socket) => ({
  write: (text) => socket.send(text),
  onText: (listener) => socket.on('message', (data) => listener(`${data}`)),
  close: () => socket.terminate(),
})

/** What an app has: requests, and messages in both directions. `written` is what went to the server. */
async function asApp({ write, onText, ...rest }) {
  const app = { ...rest, messages: [], written: [], onMessage: null, send: null }
  const listeners = []
  const waiting = new Map()
  let last = 0
  app.onMessage = (listener) => listeners.push(listener)
  app.send = (message) => {
    app.written.push(message)
    write(JSON.stringify(message))
  }
  app.request = (method, params) =>
    new Promise((resolve) => {
      const id = (last += 1)
      waiting.set(id, resolve)
      write(JSON.stringify({ id, method, params }))
    })
  onText((text) => {
    const message = JSON.parse(text)
    app.messages.push(message)
    for (const listener of listeners) listener(message)
    if (message.method === undefined) waiting.get(message.id)?.(message.result ?? message)
  })
  app.begin = async () => {
    const clientInfo = { name: 'app', title: 'App', version: '1' }
    app.hello = await app.request('initialize', {
      clientInfo,
      capabilities: { experimentalApi: true },
    })
    write('{"method":"initialized"}')
  }
  return app
}

module.exports = { asApp, configure, environment, startDaemon, startProcess }
