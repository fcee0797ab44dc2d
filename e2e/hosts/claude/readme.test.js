'use strict'
// The README's program for the Claude Agent SDK, as pasted, with a card and a provider beside it.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { startModel } = require('./model.js')
const { DATABASE, asks, environment } = require('./rig.js')

const ROOT = path.join(__dirname, '..', '..', '..')

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
  decide: async () => ({ behavior: 'deny', message: 'No.' }),
  onAnswer: () => {},
}
`

test('the program of the README runs as pasted', async (t) => {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
  const [, program] = /### Claude Agent SDK\n\n```js\n([^]*?)```/.exec(readme)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-readme-'))
  const model = await startModel((_, n) =>
    n === 0 ? [asks('toolu_1', DATABASE)] : [{ type: 'text', text: 'Done.' }],
  )
  t.after(async () => {
    await model.close()
    fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
  })
  const modules = path.join(folder, 'node_modules')
  fs.mkdirSync(modules)
  fs.symlinkSync(ROOT, path.join(modules, 'spoken-answer'), 'junction')
  const installed = path.join(__dirname, '..', 'node_modules')
  const scope = '@anthropic-ai'
  fs.symlinkSync(path.join(installed, scope), path.join(modules, scope), 'junction')
  fs.writeFileSync(path.join(folder, 'main.mjs'), program)
  fs.writeFileSync(path.join(folder, 'provider.mjs'), PROVIDER)
  fs.writeFileSync(path.join(folder, 'card.mjs'), CARD)
  const env = environment(model.url, folder)
  const child = spawn(process.execPath, ['main.mjs'], { cwd: folder, env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (printed += chunk))
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, printed)
  assert.match(printed, /^input\.requested\n.+\ninput\.resolved\n/)
  const told = JSON.stringify(model.requests.at(-1).messages.at(-1))
  assert.match(told, /have been answered: \\"Which database should we use\?\\"=\\"SQLite\\"/)
})
