'use strict'
// The README's programs for agent hosts, as pasted, with a card and a voice provider beside each.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { startModel } = require('./claude/model.js')
const { DATABASE, asks, environment } = require('./claude/rig.js')
const codexModel = require('./codex/model.js')
const codexRig = require('./codex/rig.js')
const codexServer = require('./codex/server.js')
const piModel = require('./pi/model.js')
const piProcess = require('./pi/process.js')
const piRig = require('./pi/rig.js')
const openCodeModel = require('./opencode/model.js')
const openCodeRig = require('./opencode/rig.js')
const openCodeServer = require('./opencode/server.js')

const ROOT = path.join(__dirname, '..', '..')

/** A provider that answers what it was given to read out, at once. */
const PROVIDER = `let passOn
export const provider = {
  name: 'pasted',
  async deliver({ kind, text }) {
    if (kind !== 'interaction-required') return 'sent'
    setTimeout(() => {
      const request = { requestId: 'request-1', instruction: 'SQLite' }
      console.log(passOn(request, { speechStartedAt: performance.now() }))
    }, 10)
    return 'sent'
  },
  onFunctionCall: (listener) => (passOn = listener),
}
`
const CARD = `export const card = {
  show: ({ type }) => console.log(type),
  type: (instruction) => console.log('typed', instruction),
  decide: async () => ({ behavior: 'deny', message: 'No.', action: 'decline' }),
  onAnswer: () => {},
}
`

/** Runs the program under a heading of the README; what it printed. */
async function pasted(t, heading, { files, env }) {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
  const [, program] = new RegExp(`### ${heading}\n[^]*?\`\`\`js\n([^]*?)\`\`\``).exec(readme)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-readme-'))
  t.after(() => fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }))
  const modules = path.join(folder, 'node_modules')
  fs.mkdirSync(modules)
  fs.symlinkSync(ROOT, path.join(modules, 'spoken-answer'), 'junction')
  for (const scope of ['@anthropic-ai', '@modelcontextprotocol', '@opencode-ai']) {
    const installed = path.join(__dirname, 'node_modules', scope)
    fs.symlinkSync(installed, path.join(modules, scope), 'junction')
  }
  const beside = { 'main.mjs': program, 'provider.mjs': PROVIDER, 'card.mjs': CARD, ...files }
  for (const [name, text] of Object.entries(beside)) fs.writeFileSync(path.join(folder, name), text)
  const child = spawn(process.execPath, ['main.mjs'], { cwd: folder, env: env?.(folder) })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (printed += chunk))
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, printed)
  return printed
}

test('the program for the Claude Agent SDK', async (t) => {
  const model = await startModel((_, n) =>
    n === 0 ? [asks('toolu_1', DATABASE)] : [{ type: 'text', text: 'Done.' }],
  )
  t.after(() => model.close())
  const env = (folder) => environment(model.url, folder)
  const printed = await pasted(t, 'Claude Agent SDK', { env })
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/)
  const told = JSON.stringify(model.requests.at(-1).messages.at(-1))
  assert.match(told, /have been answered: \\"Which database should we use\?\\"=\\"SQLite\\"/)
})

test('the program for MCP', async (t) => {
  const server = fs.readFileSync(path.join(__dirname, 'mcp', 'server.js'), 'utf8')
  const files = { 'server.js': server, 'package.json': '{}' }
  const printed = await pasted(t, 'MCP', { files })
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/)
  assert.match(printed, /"action":"accept","content":\{"db":"sqlite"\}/)
})

test('the program for Codex', async (t) => {
  const model = await codexModel.startModel((_, n) =>
    n === 0 ? [codexRig.asks('call_1', codexRig.DATABASE)] : ['Done.'],
  )
  t.after(() => model.close())
  const env = (folder) => {
    codexServer.configure(folder, model.url)
    const { PATH, ...rest } = codexServer.environment(folder)
    const commands = path.join(__dirname, 'node_modules', '.bin')
    return { ...rest, PATH: `${commands}${path.delimiter}${PATH}` }
  }
  const printed = await pasted(t, 'Codex', { env })
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/m)
  const { output } = model.requests.at(-1).input.find(({ output: had }) => had !== undefined)
  assert.equal(output, '{"answers":{"db":{"answers":["SQLite"]}}}')
})

test('the program for Pi where there is none: over, and said so', async (t) => {
  const printed = await pasted(t, 'Pi', { env: (folder) => ({ PATH: folder }) })
  assert.match(printed, /the process of Pi failed: spawn pi ENOENT/)
})

test('the program for Pi when Pi goes away while the card decides: over, and said so', async (t) => {
  const pi = `#!${process.execPath}
const say = (frame) => console.log(JSON.stringify(frame))
say({ type: 'response', command: 'get_state', success: true, data: { sessionId: 's' } })
say({ type: 'extension_ui_request', id: 'd', method: 'confirm', title: 'Run it?', message: 'ls' })
setTimeout(() => process.exit(1), 300)
`
  const card = CARD.replace(
    'decide: async () => (',
    'decide: () => new Promise((resolve) => setTimeout(resolve, 1_500)).then(() => (',
  ).replace("action: 'decline' })", "action: 'decline' }))")
  const env = (folder) => {
    fs.chmodSync(path.join(folder, 'pi'), 0o755)
    return { PATH: folder }
  }
  const printed = await pasted(t, 'Pi', { files: { pi, 'card.mjs': card }, env })
  assert.match(printed, /^input\.requested\ninput\.canceled\n/)
  assert.match(printed, /the process of Pi takes nothing any more/)
})

test('the program for Pi', async (t) => {
  const model = await piModel.startModel((_, n) =>
    n === 0 ? [piRig.asks('call_1', piRig.DATABASE)] : 'Done.',
  )
  t.after(() => model.close())
  const env = (folder) => {
    piProcess.configure(folder, model.url)
    const { PATH, ...rest } = piProcess.environment(folder)
    // With it a Node that is new enough, where this one is not.
    const commands = path.join(__dirname, 'node_modules', '.bin')
    return { ...rest, PATH: `${commands}${path.delimiter}${PATH}` }
  }
  const printed = await pasted(t, 'Pi', { env })
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/m)
  assert.deepEqual(piModel.toldIn(model.requests.at(-1)), {
    call_1: `The user answered.\n"${piRig.DATABASE.question}": "SQLite"`,
  })
})

test('the program for OpenCode', async (t) => {
  const model = await openCodeModel.startModel((_, n) =>
    n === 0 ? [openCodeRig.asks('call_1', openCodeRig.DATABASE)] : ['Done.'],
  )
  t.after(() => model.close())
  const env = (folder) => {
    openCodeServer.configure(folder, model.url)
    const { PATH, ...rest } = openCodeServer.environment(folder)
    return { ...rest, PATH: `${openCodeServer.BINARIES}${path.delimiter}${PATH}` }
  }
  const printed = await pasted(t, 'OpenCode', { env })
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/m)
  const { content } = model.requests.at(-1).messages.at(-1)
  assert.match(content, /"Which database should we use\?"="SQLite"/)
})

/** A server that asks in a message, and then does not listen any more. */
const DEAF = `#!/usr/bin/env node
const fs = require('node:fs')
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const item = {
  type: 'agentMessage',
  id: 'm',
  delivery: 'async',
  questions: [{ title: 'Which database should we use?', options: ['PostgreSQL', 'SQLite'] }],
}
const results = { initialize: {}, 'thread/start': { thread: { id: 't' } }, 'turn/start': {} }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (results[method]) say({ id, result: results[method] })
  if (method !== 'turn/start') return
  fs.closeSync(0)
  say({ method: 'item/completed', params: { threadId: 't', turnId: 'u', item } })
  setTimeout(() => process.exit(), 500)
})
`

test('the program for Codex outlives a server that does not listen any more', async (t) => {
  const env = (folder) => {
    const commands = path.join(folder, 'bin')
    fs.mkdirSync(commands)
    fs.writeFileSync(path.join(commands, 'codex'), DEAF, { mode: 0o755 })
    return { PATH: `${commands}${path.delimiter}${process.env.PATH}` }
  }
  const printed = await pasted(t, 'Codex', { env })
  assert.match(printed, /^input\.requested\n.+\n(codex is gone: .+\n)?input\.canceled\n/m)
})
