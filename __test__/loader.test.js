'use strict'
// The loader: what it loads, what it never does, and what it says when it cannot.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { ROOT, node } = require('./support.js')
const manifest = require('../package.json')

/** A folder with the loader alone in it, and files besides. */
function installed(t, files = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-loader-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  for (const name of ['index.js', 'addon.js']) {
    fs.copyFileSync(path.join(ROOT, name), path.join(folder, name))
  }
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
  }
  return folder
}

/** Loads index.js as if on another platform; returns the error. */
function load(folder, platform = process.platform, arch = process.arch, env = {}) {
  const script = `
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    Object.defineProperty(process, 'arch', { value: '${arch}' })
    try { console.log(JSON.stringify({ keys: Object.keys(require('./index.js')) })) }
    catch (error) { console.log(JSON.stringify({ message: error.message, cause: error.cause?.code ?? error.cause?.message })) }`
  const { code, out, err } = node(['-e', script], { cwd: folder, env: { ...process.env, ...env } })
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

const TARGETS = {
  'darwin-arm64': 'spoken-answer-darwin-arm64',
  'darwin-x64': 'spoken-answer-darwin-x64',
  'linux-arm64': 'spoken-answer-linux-arm64-gnu',
  'linux-x64': 'spoken-answer-linux-x64-gnu',
  'win32-arm64': 'spoken-answer-win32-arm64-msvc',
  'win32-x64': 'spoken-answer-win32-x64-msvc',
}

test('a missing package is named, with the platform and the cause', (t) => {
  const folder = installed(t)
  for (const [target, name] of Object.entries(TARGETS)) {
    const [platform, arch] = target.split('-')
    assert.deepEqual(load(folder, platform, arch), {
      message: `spoken-answer could not be loaded on ${target}: its package ${name} is not installed, or its file was not packed with the app (Cannot find module '${name}'). Install spoken-answer on this platform, with optional dependencies`,
      cause: 'MODULE_NOT_FOUND',
    })
  }
})

test('another platform is told which ones there are', (t) => {
  const { message } = load(installed(t), 'freebsd', 'x64')
  assert.equal(
    message,
    `spoken-answer has no build for freebsd-x64; it runs on ${Object.keys(TARGETS).join(', ')}`,
  )
})

test('the platform package is loaded where no file is beside', (t) => {
  const name = TARGETS[`${process.platform}-${process.arch}`]
  const folder = installed(t, {
    [`node_modules/${name}/index.js`]:
      'module.exports = { SpokenQuestion: class {}, LiveCallMachine: class {} }',
  })
  assert.deepEqual(load(folder).keys, [
    'validateAnswer',
    'formatQuestionFeedback',
    'matchUtterance',
    'SpokenQuestion',
    'REFUSALS',
    'LiveCallMachine',
    'LIMITS',
  ])
})

test('a file that is there but broken is reported, not passed over', (t) => {
  const name = TARGETS[`${process.platform}-${process.arch}`]
  const file = `${name}.node`.replace('spoken-answer-', 'spoken-answer.')
  const folder = installed(t, {
    [file]: 'not a library',
    [`node_modules/${name}/index.js`]: 'module.exports = { SpokenQuestion: class {} }',
  })
  const { message, cause } = load(folder)
  assert.ok(
    message.startsWith(
      `spoken-answer could not be loaded on ${process.platform}-${process.arch}: ${name}: `,
    ),
    message,
  )
  assert.equal(cause, 'ERR_DLOPEN_FAILED')
})

test('the environment cannot name another library', (t) => {
  const folder = installed(t, { 'evil.js': 'console.log("evil")' })
  const evil = path.join(folder, 'evil.js')
  const { cause } = load(folder, process.platform, process.arch, {
    NAPI_RS_NATIVE_LIBRARY_PATH: evil,
    NAPI_RS_FORCE_WASI: '1',
    SPOKEN_ANSWER_LIBRARY: evil,
  })
  assert.equal(cause, 'MODULE_NOT_FOUND')
  const source = fs.readFileSync(path.join(ROOT, 'addon.js'), 'utf8')
  assert.doesNotMatch(source, /process\.env|child_process|readFile|report/)
})

test('package.json, the folders of npm/ and the loader name the same packages', () => {
  const expected = Object.values(TARGETS).sort()
  assert.deepEqual(Object.keys(manifest.optionalDependencies).sort(), expected)
  const folders = fs.readdirSync(path.join(ROOT, 'npm'))
  const packages = folders.map((name) => require(`../npm/${name}/package.json`))
  assert.deepEqual(packages.map(({ name }) => name).sort(), expected)
  for (const {
    name,
    version,
    main,
    os: [platform],
    cpu: [arch],
  } of packages) {
    assert.equal(TARGETS[`${platform}-${arch}`], name)
    assert.equal(main, `${name}.node`.replace('spoken-answer-', 'spoken-answer.'))
    assert.deepEqual(
      [version, manifest.optionalDependencies[name]],
      [manifest.version, manifest.version],
    )
  }
})
