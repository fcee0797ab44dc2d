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
  const [requested, page, said, verdict, resolved] = jsonLines(done)
  const { digest } = new SpokenQuestion(SAMPLE)
  assert.deepEqual(requested, { type: 'input.requested', input: { kind: 'question', ...SAMPLE } })
  assert.deepEqual(page, { type: 'page', ...new SpokenQuestion(SAMPLE).feedback() })
  assert.deepEqual(said, { type: 'said', text: '2' })
  assert.deepEqual([verdict.status, verdict.answers], ['accepted', [['local only']]])
  const { callId, at, ...resolvedBy } = resolved.resolvedBy
  assert.match(callId, /^[0-9a-f-]{36}$/)
  assert.ok(Math.abs(at - Date.now()) < 60_000)
  assert.deepEqual(
    [resolved.type, resolved.inputId, resolved.optionIndexes],
    ['input.resolved', 'input-1', [[1]]],
  )
  assert.deepEqual(resolvedBy, {
    kind: 'voice',
    operationId: 'operation-1',
    requestId: 'request-1',
    digest,
    readOut: 'sent',
    shortened: false,
    basis: 'utterance',
  })
})

test('a refusal says why and leaves the question open', () => {
  const done = demo(['--say', 'neither', '--say', 'local only', '--json'])
  const types = jsonLines(done).map((line) => line.reason ?? line.status ?? line.type)
  assert.deepEqual(
    [done.code, types],
    [
      0,
      [
        'input.requested',
        'page',
        'said',
        'option-not-offered',
        'said',
        'accepted',
        'input.resolved',
      ],
    ],
  )
})

test('standard input is what the person says; where it ends with the question open: 1', () => {
  assert.equal(demo([], '\nlocal only\n').code, 0)
  const done = demo(['--json'], 'what?\n')
  assert.deepEqual([done.code, jsonLines(done).at(-1)], [1, { type: 'still-open' }])
  assert.equal(demo([], '').code, 1)
})

test('nothing that is said after the answer counts', () => {
  const done = demo(['--say', '1', '--say', '2', '--json'])
  assert.equal(jsonLines(done).filter(({ type }) => type === 'input.resolved').length, 1)
})

test('several questions, several options, several pages', (t) => {
  const questions = ['one', 'two', 'three'].map((question) => ({
    question,
    multiSelect: question === 'two',
    options: ['a, b', 'c'.repeat(119), 'd'.repeat(119), '7', 'e'.repeat(119)],
  }))
  const done = demo([
    '--question',
    file(t, { inputId: 'i', sessionId: 's', questions }),
    '--say',
    'a, b; 2, 3; 7',
    '--json',
  ])
  const lines = jsonLines(done)
  const pages = lines.filter(({ type }) => type === 'page')
  assert.deepEqual(
    pages.map(({ from, next }) => [from, next]),
    [
      [0, 2],
      [2, null],
    ],
  )
  assert.deepEqual(lines.at(-1).optionIndexes, [[0], [1, 2], [3]])
})

test('a question that cannot be answered by voice only points at the card', (t) => {
  const question = {
    inputId: 'i',
    sessionId: 's',
    questions: [{ question: 'q', options: ['a', 'a'] }],
  }
  const done = demo(['--question', file(t, question), '--say', '1', '--json'])
  const [, page, , verdict] = jsonLines(done)
  assert.deepEqual([done.code, page.answerable, verdict.reason], [1, false, 'ambiguous-options'])
})

test('a question that does not fit a message is not read out, so it is not answered', (t) => {
  const options = ['a', ...Array.from({ length: 7 }, (_, n) => `${n}${'選'.repeat(100)}`)]
  const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options }] }
  const done = demo(['--question', file(t, question), '--say', 'a', '--json'])
  const [, page, , verdict] = jsonLines(done)
  assert.deepEqual(
    [done.code, page.answerable, verdict.reason],
    [1, false, 'question-unanswerable'],
  )
})

test('a file cannot make a question of a permission, or a permission of a question', (t) => {
  const question = {
    kind: 'permission',
    inputId: 'i',
    sessionId: 's',
    questions: [{ question: 'q', options: ['a'] }],
  }
  const done = demo(['--question', file(t, question), '--say', 'a', '--json'])
  assert.deepEqual([done.code, jsonLines(done).at(-2).reason], [1, 'not-a-question'])
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
  assert.ok(out.includes('Accepted: "local only"'))
  assert.ok(!out.includes('\x1b'))
})
