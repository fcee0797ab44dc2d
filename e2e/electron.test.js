'use strict'
// The addon in a real Electron: in Main, in a utilityProcess, from a packed asar, and the example
// of the README as pasted. Run with `npm run test:electron`.
//
// SPOKEN_ANSWER_INSTALLED names a node_modules with the installed packages; without it the files
// of the working tree are laid out as npm would.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const asar = require('@electron/asar')
const electron = require('electron')

const ROOT = path.join(__dirname, '..')
const PLATFORM = {
  linux: `linux-${process.arch}-gnu`,
  darwin: `darwin-${process.arch}`,
  win32: `win32-${process.arch}-msvc`,
}[process.platform]
const EXPECTED = {
  readOut: true,
  accepted: true,
  refused: 'option-not-offered',
  hostile: 'malformed-answer',
}

/** An app folder with the two packages installed. */
function appFolder(t, main, files = path.join(__dirname, 'apps')) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-electron-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const app = path.join(folder, 'app')
  const modules = path.join(app, 'node_modules')
  const binary = `spoken-answer-${PLATFORM}`
  if (process.env.SPOKEN_ANSWER_INSTALLED) {
    for (const name of ['spoken-answer', binary]) {
      fs.cpSync(path.join(process.env.SPOKEN_ANSWER_INSTALLED, name), path.join(modules, name), {
        recursive: true,
      })
    }
  } else {
    fs.mkdirSync(path.join(modules, 'spoken-answer'), { recursive: true })
    for (const name of ['index.js', 'addon.js', 'package.json', 'main']) {
      const target = path.join(modules, 'spoken-answer', name)
      fs.cpSync(path.join(ROOT, name), target, { recursive: true })
    }
    fs.cpSync(path.join(ROOT, 'npm', PLATFORM), path.join(modules, binary), { recursive: true })
    const file = `spoken-answer.${PLATFORM}.node`
    fs.copyFileSync(path.join(ROOT, file), path.join(modules, binary, file))
  }
  fs.writeFileSync(
    path.join(app, 'package.json'),
    JSON.stringify({ name: 'app', version: '1.0.0', main: 'main.js' }),
  )
  if (main) fs.writeFileSync(path.join(app, 'main.js'), main)
  else fs.cpSync(files, app, { recursive: true })
  return app
}

/** Starts Electron on an app and returns what it printed. */
function start(app, ...options) {
  const profile = path.join(app, '..', 'profile')
  const args = [...options, app, `--user-data-dir=${profile}`, '--no-sandbox', '--disable-gpu']
  const headless = process.platform === 'linux' && !process.env.DISPLAY
  const [program, ...rest] = headless ? ['xvfb-run', '-a', electron, ...args] : [electron, ...args]
  const done = spawnSync(program, rest, { encoding: 'utf8', timeout: 120_000 })
  assert.equal(done.status, 0, `${done.error ?? ''}${done.stderr}`)
  return done.stdout
}

function check(output, packed) {
  const seen = JSON.parse(output.split('\n').find((line) => line.startsWith('{')))
  const { electron: version, node, ...rest } = seen
  console.log(
    `Electron ${version} (Node ${node})${packed ? ', packed' : ''}: ${JSON.stringify(rest)}`,
  )
  assert.deepEqual(rest, { packed, main: EXPECTED, utility: EXPECTED })
}

test('in Main and in a utilityProcess', (t) => check(start(appFolder(t)), false))

test('from a packed asar with the .node unpacked', async (t) => {
  const app = appFolder(t)
  const packed = path.join(app, '..', 'app.asar')
  await asar.createPackageWithOptions(app, packed, { unpack: '**/*.node' })
  fs.rmSync(app, { recursive: true })
  const unpacked = path.join(`${packed}.unpacked`, 'node_modules', `spoken-answer-${PLATFORM}`)
  assert.deepEqual(fs.readdirSync(unpacked), [`spoken-answer.${PLATFORM}.node`])
  check(start(packed), true)
})

test('the example of the README, as pasted', (t) => {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
  const [, example] = /```js\n(\/\/ main\.js[^]*?)```/.exec(readme)
  assert.ok(example.trim().split('\n').length <= 20)
  const output = start(appFolder(t, example))
  assert.match(output, /Question 1 of 1: "Which version should ship\?"/)
  assert.match(output, /for the agent host: \[ \[ 'local only' \] \]/)
})

test('the live call of the README: voice, card, ordinary work and quit', (t) => {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
  const demo = path.join(ROOT, 'demo', 'electron')
  const main = fs.readFileSync(path.join(demo, 'main.js'), 'utf8')
  assert.ok(readme.includes(`\`\`\`js\n${main}\`\`\``), 'the README shows the file as it is')
  assert.ok(main.trim().split('\n').length < 80)
  const output = start(appFolder(t, null, demo), '-r', path.join(__dirname, 'press.js'))
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  console.log(lines.join('\n'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { instruction: 'run the tests as well' },
      { answers: [['local only']], by: 'voice' },
      { stranger: 'not the card', url: 'preload.js' },
      { answers: [['No']], by: 'desktop' },
    ],
  )
})

test('a call in Main, its host in a utilityProcess that is killed in the middle', (t) => {
  const output = start(appFolder(t, null, path.join(__dirname, 'call')))
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  console.log(lines.join('\n'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { inputId: 'first', honest: true },
      { inputId: 'second', state: 'accepted' },
    ],
  )
})
