'use strict'
// A defect in the crate is an exception, not the end of the process: a build in which every export
// can be made to panic once is loaded in a child process, and each of them is.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { ROOT, node } = require('./support.js')

const LIBRARY = {
  linux: 'libspoken_answer.so',
  darwin: 'libspoken_answer.dylib',
  win32: 'spoken_answer.dll',
}

test('every export survives a panic', () => {
  // The release profile, whose `panic` decides; without its slow optimisations.
  const fast = [
    'profile.release.lto="off"',
    'profile.release.codegen-units=16',
    'profile.release.opt-level=0',
  ]
  const folder = path.join(ROOT, 'target', 'panic-probe')
  const args = [
    'build',
    '--release',
    '--locked',
    '--quiet',
    '--features',
    'panic-probe',
    '--target-dir',
    folder,
  ]
  const configs = fast.flatMap((config) => ['--config', config])
  const build = spawnSync('cargo', [...args, ...configs], { cwd: ROOT, encoding: 'utf8' })
  assert.equal(build.status, 0, build.stderr)
  const addon = path.join(folder, 'addon.node')
  fs.copyFileSync(path.join(folder, 'release', LIBRARY[process.platform]), addon)

  const child = node(['-e', `(${panicEverywhere})(${JSON.stringify(addon)})`])
  assert.equal(child.code, 0, child.err)
  const expected = [
    ['validateAnswer', 'formatQuestionFeedback'],
    ['new SpokenQuestion', 'get inputId', 'get digest', 'get unanswerable', 'get questions'],
    ['validate', 'acceptedParts', 'feedback', 'schema'],
    ['new LiveCallMachine', 'handle', 'nextWake', 'question', 'operations'],
    ['and lives'],
  ]
  assert.deepEqual(JSON.parse(child.out), expected.flat().sort())
})

/** Runs in the child: lists what panicked and was caught. */
function panicEverywhere(file) {
  const addon = require(file)
  const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options: ['a'] }] }
  const made = {
    SpokenQuestion: [question],
    LiveCallMachine: [{ callId: 'c', proof: 'host' }],
  }
  const calls = {}
  for (const [name, value] of Object.entries(addon)) {
    if (typeof value !== 'function' || name === 'armPanic') continue
    if (!(name in made)) {
      calls[name] = () => value(question)
      continue
    }
    calls[`new ${name}`] = () => new value(...made[name])
    const object = new value(...made[name])
    const members = Object.getOwnPropertyDescriptors(value.prototype)
    for (const [member, { get }] of Object.entries(members)) {
      if (member === 'constructor') continue
      if (get) calls[`get ${member}`] = () => object[member]
      else calls[member] = () => (member === 'question' ? object[member](1) : object[member]())
    }
  }
  const caught = []
  for (const [name, call] of Object.entries(calls)) {
    call()
    addon.armPanic()
    try {
      call()
    } catch (error) {
      if (error instanceof Error && /panic/.test(error.message)) caught.push(name)
    }
    call()
  }
  // The first option of the only question, in the form in which it crosses the boundary.
  const spoken = new addon.SpokenQuestion(question)
  if (spoken.validate([{ questionIndex: 0, options: ['a'] }]) === '\u0001') caught.push('and lives')
  console.log(JSON.stringify(caught.sort()))
}

/** A nearly used up stack makes anything throw at any point, even the reading of an exception. */
test('every export survives a stack that is used up', () => {
  const child = node(['-e', `(${exhaust})(${JSON.stringify(ROOT)})`])
  assert.deepEqual([child.signal, child.code, child.out.trim()], [null, 0, 'alive'], child.err)
})

function exhaust(root) {
  const { SpokenQuestion, formatQuestionFeedback, validateAnswer } = require(root)
  const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options: ['a'] }] }
  const answer = [{ questionIndex: 0, options: ['a'] }]
  const spoken = new SpokenQuestion(question)
  const calls = [
    () => validateAnswer(null, []),
    () => validateAnswer(question, answer),
    () => validateAnswer(5, []),
    () => formatQuestionFeedback(question),
    () => formatQuestionFeedback(question, -1),
    () => new SpokenQuestion(question),
    () => new SpokenQuestion(5),
    () => spoken.validate(answer),
    () => spoken.validate('nonsense'),
    () => spoken.feedback(),
    () => spoken.schema(),
    () => spoken.questions,
    () => spoken.unanswerable,
    () => spoken.digest,
  ]
  for (const call of calls) {
    const deeper = () => {
      try {
        deeper()
      } catch {}
      try {
        call()
      } catch {}
    }
    deeper()
  }
  if (spoken.validate(answer).status === 'accepted') console.log('alive')
}
