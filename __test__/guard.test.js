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
  const members = (name, ...list) => [name, ...list.map((member) => `${name} ${member}`)]
  const expected = [
    [
      'validateAnswer',
      'formatQuestionFeedback',
      'matchUtterance',
      'planTurn',
      'frameTurn',
      'and lives',
    ],
    members('SpokenQuestion', 'inputId', 'digest', 'unanswerable', 'questions', 'validate'),
    ['acceptedParts', 'feedback', 'match', 'schema'].map((member) => `SpokenQuestion ${member}`),
    members('LiveCallMachine', 'handle', 'nextWake', 'question', 'operations'),
    members('Grants', 'actorIds', 'errors'),
    members('SpeakerBindings', 'reserve', 'attach', 'take', 'release', 'close'),
    members('TurnMachine', 'start', 'handle', 'nextWake'),
    ['SpeakerBinding view', 'TurnPlan actorId', 'TurnPlan view'],
  ]
  assert.deepEqual(JSON.parse(child.out), expected.flat().sort())
})

/** Runs in the child: lists what panicked and was caught. */
function panicEverywhere(file) {
  const addon = require(file)
  const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options: ['a'] }] }
  const message = { speaker: 'a', request: 'b', utterance: null }
  const grants = new addon.Grants([])
  const plan = () => addon.planTurn({ lane: 'text', actorId: 'a' }, grants, 0, 0)
  const bindings = new addon.SpeakerBindings('b')
  bindings.attach(bindings.reserve({ id: 'a', utterance: '' }, 0, 0), 'r')
  const constructed = {
    SpokenQuestion: [question],
    LiveCallMachine: [{ callId: 'c', proof: 'host' }],
    Grants: [[]],
    SpeakerBindings: ['b'],
    TurnMachine: [],
  }
  const objects = { SpeakerBinding: bindings.take('r', 0, 0), TurnPlan: plan() }
  const given = {
    planTurn: () => [{ lane: 'console' }, grants, 0, 0],
    frameTurn: () => [message],
    matchUtterance: () => [question, 'a'],
    'SpokenQuestion match': () => ['a'],
    'LiveCallMachine question': () => [1],
    'SpeakerBindings reserve': () => [{ id: 'a', utterance: '' }, 0, 0],
    'SpeakerBindings take': () => ['r', 0, 0],
    'TurnMachine start': () => [{ plan: plan(), room: 'r', message }, 0, 0],
    'TurnMachine handle': () => [1, {}, 0, 0],
  }
  const calls = {}
  for (const [name, value] of Object.entries(addon)) {
    if (typeof value !== 'function' || name === 'armPanic') continue
    const args = (member) => given[member]?.() ?? []
    const members = Object.getOwnPropertyDescriptors(value.prototype ?? {})
    if (!(name in constructed) && !(name in objects)) {
      calls[name] = () => ({ run: value, args: given[name]?.() ?? [question] })
      continue
    }
    if (name in constructed) {
      calls[name] = () => ({ run: () => new value(...constructed[name]), args: [] })
    }
    const object = objects[name] ?? new value(...constructed[name])
    for (const [member, { get }] of Object.entries(members)) {
      if (member === 'constructor') continue
      const run = get ? () => object[member] : (...all) => object[member](...all)
      calls[`${name} ${member}`] = () => ({ run, args: args(`${name} ${member}`) })
    }
  }
  const caught = []
  for (const [name, prepare] of Object.entries(calls)) {
    const call = () => {
      const { run, args } = prepare()
      return () => run(...args)
    }
    call()()
    const armed = call()
    addon.armPanic()
    try {
      armed()
    } catch (error) {
      if (error instanceof Error && /panic/.test(error.message)) caught.push(name)
    }
    call()()
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
  const authority = require(`${root}/main/authority.js`)
  const { grants } = authority.parseGrants([])
  const bindings = new authority.SpeakerBindings()
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
    () => authority.parseGrants(['x']),
    () => authority.parseGrants([], 5),
    () => authority.planTurn({ lane: 'text', actorId: 'a' }, grants),
    () => authority.planTurn({ lane: 'text' }, grants),
    () => authority.planTurn({ lane: 'text', actorId: 'a' }, {}),
    () => authority.frameTurn({ speaker: 'a', request: 'b', utterance: null }),
    () => authority.frameTurn({}),
    () => bindings.take(bindings.attach(bindings.reserve({ id: 'a', utterance: '' }), 'r') && 'r'),
    () => bindings.reserve({}),
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
