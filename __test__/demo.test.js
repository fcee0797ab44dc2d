'use strict'
// The terminal demo, as a user starts it.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { SpokenQuestion } = require('..')
const { SAMPLE } = require('../demo/question.js')
const { node } = require('./support.js')

const demo = (args, input = '') => node(['tools/start.js', ...args], { input })
const jsonLines = ({ out }) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

function file(t, content) {
  const name = path.join(
    fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-demo-')),
    'question.json',
  )
  t.after(() => fs.rmSync(path.dirname(name), { recursive: true }))
  fs.writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

test('an answer is recorded with voice provenance and the digest', () => {
  const done = demo(['--say', '2', '--json'])
  assert.deepEqual([done.code, done.err], [0, ''])
  const lines = jsonLines(done)
  const [requested, page, said] = lines
  const { digest, text } = new SpokenQuestion(SAMPLE).feedback()
  assert.deepEqual(requested.input, { kind: 'question', ...SAMPLE, private: false })
  assert.deepEqual([page.type, page.kind, page.text], ['delivery', 'interaction-required', text])
  assert.deepEqual(said, { type: 'said', text: '2' })
  const match = lines.find(({ type }) => type === 'match')
  const answers = [{ questionIndex: 0, options: ['local only'] }]
  assert.deepEqual(match, { type: 'match', status: 'matched', answers })
  const states = lines.filter(({ type }) => type === 'operation').map(({ state }) => state)
  assert.deepEqual(states, ['classifying', 'dispatching', 'accepted'])
  const resolved = lines.find(({ type }) => type === 'input.resolved')
  const { callId, operationId, at, ...resolvedBy } = resolved.resolvedBy
  assert.match(callId, /^[0-9a-f-]{36}$/)
  assert.equal(operationId, `${callId}:1`)
  assert.ok(Math.abs(at - Date.now()) < 60_000)
  assert.deepEqual([resolved.inputId, resolved.optionIndexes], ['input-1', [[1]]])
  assert.deepEqual(resolvedBy, {
    kind: 'voice',
    requestId: 'request-1',
    provider: 'terminal',
    digest,
    readOut: 'sent',
    shortened: false,
    basis: 'both',
  })
})

const ends = (done) =>
  jsonLines(done)
    .filter(({ type, final }) => type === 'operation' && final)
    .map(({ state, reason }) => reason ?? state)

test('a refusal says why and leaves the question open', () => {
  const done = demo(['--say', 'neither', '--say', 'run the tests', '--say', 'local only', '--json'])
  assert.deepEqual([done.code, ends(done)], [0, ['not-understood', 'forwarded', 'accepted']])
  const forwarded = jsonLines(done).find(({ type }) => type === 'forward')
  assert.equal(forwarded.instruction, 'run the tests')
})

test('standard input is what the person says; where it ends with the question open: 1', () => {
  assert.equal(demo([], '\nlocal only\n').code, 0)
  const done = demo(['--json'], 'what?\n')
  assert.equal(done.code, 1)
  assert.ok(jsonLines(done).some(({ type }) => type === 'still-open'))
  assert.equal(demo([], '').code, 1)
})

test('nothing that is said after the answer counts', () => {
  const done = demo(['--say', '1', '--say', '2', '--json'])
  assert.equal(jsonLines(done).filter(({ type }) => type === 'input.resolved').length, 1)
})

test('several questions, several options, several pages', (t) => {
  const questions = ['north', 'south', 'west'].map((question) => ({
    question,
    multiSelect: question === 'south',
    options: ['a, b', 'c'.repeat(119), 'd'.repeat(119), '7', 'e'.repeat(119)],
  }))
  const done = demo([
    '--question',
    file(t, { inputId: 'i', sessionId: 's', questions }),
    '--say',
    'for north the first one, for south two and three, and for west the fourth',
    '--json',
  ])
  const lines = jsonLines(done)
  const pages = lines.filter(({ kind }) => kind === 'interaction-required')
  assert.deepEqual(
    pages.map(({ text }) => text.match(/^Question \d/gm)),
    [['Question 1', 'Question 2'], ['Question 3']],
  )
  const { optionIndexes } = lines.find(({ type }) => type === 'input.resolved')
  assert.deepEqual(optionIndexes, [[0], [1, 2], [3]])
})

test('what cannot be answered by voice only points at the card, and nothing that is said answers it', (t) => {
  const long = ['a', ...Array.from({ length: 7 }, (_, n) => `${n}${'選'.repeat(100)}`)]
  const table = [
    ['alike', { questions: [{ question: 'q', options: ['a', 'a'] }] }, 'ambiguous-options'],
    ['over the budget', { questions: [{ question: 'q', options: long }] }, 'question-unanswerable'],
    [
      'a permission',
      { kind: 'permission', questions: [{ question: 'q', options: ['a'] }] },
      'forwarded',
    ],
  ]
  for (const [name, question, reason] of table) {
    const asked = file(t, { inputId: 'i', sessionId: 's', ...question })
    const done = demo(['--question', asked, '--say', 'a', '--json'])
    const delivered = jsonLines(done).find(({ type }) => type === 'delivery')
    assert.deepEqual([done.code, ends(done), delivered.kind], [1, [reason], 'status'], name)
    assert.match(delivered.text, /can't be answered by voice/, name)
  }
})

test('a bad file or option ends with 2 and names what is wrong', (t) => {
  const question = (...questions) => file(t, { inputId: 'i', sessionId: 's', questions })
  const table = [
    [['--question', '/nowhere.json'], /nowhere\.json cannot be read/],
    [['--question', file(t, '{')], /question\.json is not JSON/],
    [['--question', file(t, '[]')], /a question is an object/],
    [
      ['--question', file(t, { sessionId: 's', questions: [] })],
      /inputId must be a text of 1 to 256 bytes/,
    ],
    [['--question', question('q')], /questions\[0\] must be an object/],
    [['--question', question({ question: 'q' })], /questions\[0\]\.options must be a list/],
    [
      ['--question', question({ question: 'q', options: ['a', 5] })],
      /questions\[0\]\.options\[1\] must be/,
    ],
    [['--qestion', 'x'], /--qestion/],
  ]
  for (const [args, message] of table) {
    const done = demo(args)
    assert.deepEqual([done.code, done.out], [2, ''], `${args}`)
    assert.match(done.err, message)
    assert.doesNotMatch(done.err, /at .*\.js:/, 'no stack')
  }
})

test('plain when piped', () => {
  const { out } = demo(['--say', '2'])
  assert.ok(out.includes('Understood: "local only"'))
  assert.ok(!out.includes('\x1b'))
})
