'use strict'
// The real OpenCode server, from the package of its binary alone: the command of `opencode-ai` is made by a
// script at install time, and none is run here. Nothing of the machine's own is read, and nothing is reported.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')

const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform
const BINARIES = path.join(
  __dirname,
  '..',
  'node_modules',
  `opencode-${PLATFORM}-${process.arch}`,
  'bin',
)

const environment = (folder) => ({
  PATH: process.env.PATH,
  HOME: folder,
  ...Object.fromEntries(
    ['DATA', 'CONFIG', 'CACHE', 'STATE'].map((kind) => [
      `XDG_${kind}_HOME`,
      path.join(folder, kind.toLowerCase()),
    ]),
  ),
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  // Its plans are approved as questions are asked.
  OPENCODE_EXPERIMENTAL_PLAN_MODE: '1',
})

/** The settings of a directory whose model is at `url`. */
function configure(directory, url, more) {
  fs.mkdirSync(directory, { recursive: true })
  const models = {
    mock: { name: 'Mock', tool_call: true, limit: { context: 100_000, output: 4_000 } },
  }
  const options = { baseURL: url, apiKey: 'none' }
  const mock = { npm: '@ai-sdk/openai-compatible', name: 'Mock', options, models }
  const settings = {
    model: 'mock/mock',
    small_model: 'mock/mock',
    autoupdate: false,
    share: 'disabled',
    provider: { mock },
    ...more,
  }
  fs.writeFileSync(path.join(directory, 'opencode.json'), JSON.stringify(settings))
}

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Starts a process in `folder`, which is all that it has; `port` is that of one before it. */
async function startServer(folder, { port, password } = {}) {
  const at = port ?? (await freePort())
  const child = spawn(
    path.join(BINARIES, 'opencode'),
    ['serve', '--port', `${at}`, '--hostname', '127.0.0.1'],
    {
      cwd: folder,
      env: { ...environment(folder), ...(password ? { OPENCODE_SERVER_PASSWORD: password } : {}) },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const over = new Promise((resolve) => child.once('exit', resolve))
  let printed = ''
  await new Promise((resolve) => {
    over.then(resolve)
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('listening on')) resolve()
    })
  })
  const signal = (name) => child.kill(name)
  const close = () => {
    signal('SIGKILL')
    return over
  }
  return { baseUrl: `http://127.0.0.1:${at}`, port: at, over, signal, close }
}

module.exports = { BINARIES, configure, environment, startServer }
