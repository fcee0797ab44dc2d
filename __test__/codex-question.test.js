'use strict'
// What a Codex app-server asks by a request, and what it takes for an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  areSame,
  isDeclined,
  isResult,
  isSecret,
  kindOf,
  toPositions,
  toQuestions,
  toReceived,
  toResult,
} = require('../main/hosts/codex-question.js')
const { asked } = require('./codex-side.js')

const ASK = 'item/tool/requestUserInput'
const FORM = 'mcpServer/elicitation/request'
const STORAGE = asked('storage', 'Which storage?', ['SQLite (Recommended)', 'Postgres'])
const PET = asked('pet', 'Which pet?', ['Cat', 'Dog'])
const ALLOW = asked('mcp_tool_call_approval_call1', 'Allow the tool?', ['Allow', 'Cancel'], {
  isOther: false,
})
const db = { type: 'string', enum: ['pg', 'sqlite'] }
const form = (properties, more) => ({
  mode: 'form',
  _meta: null,
  message: 'Which database?',
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
})

test('what a request waits for', () => {
  for (const [name, kind, method, params] of [
    ['a question', 'question', ASK, { questions: [STORAGE] }],
    ['two', 'question', ASK, { questions: [STORAGE, PET] }],
    [
      'four, although its tool is told three',
      'question',
      ASK,
      { questions: ['a', 'b', 'c', 'd'].map((id) => asked(id, 'Which?', ['Yes', 'No'])) },
    ],
    ['a secret', 'question', ASK, { questions: [{ ...STORAGE, isSecret: true }] }],
    ['free text alone', 'question', ASK, { questions: [{ ...STORAGE, options: null }] }],
    ['labels alike', 'question', ASK, { questions: [asked('a', 'Which?', ['Same', 'Same'])] }],
    ['the same id twice', 'other', ASK, { questions: [STORAGE, { ...PET, id: 'storage' }] }],
    ['none', 'other', ASK, { questions: [] }],
    ['no list', 'other', ASK, { questions: STORAGE }],
    ['a hole', 'other', ASK, { questions: Array(1) }],
    ['a question without an id', 'other', ASK, { questions: [{ ...STORAGE, id: undefined }] }],
    ['an option that is a text', 'other', ASK, { questions: [{ ...STORAGE, options: ['a'] }] }],
    ['nothing of free text', 'other', ASK, { questions: [{ ...STORAGE, isOther: undefined }] }],
    ['no questions', 'other', ASK, {}],
    ['nothing', 'other', ASK, undefined],
    ['an approval as a question', 'permission', ASK, { questions: [ALLOW] }],
    ['an approval with free text', 'permission', ASK, { questions: [{ ...ALLOW, isOther: true }] }],
    ['an approval of another name', 'permission', ASK, { questions: [{ ...ALLOW, id: 'x' }] }],
    ['an approval beside a question', 'permission', ASK, { questions: [STORAGE, ALLOW] }],
    ['an approval whose id is there twice', 'permission', ASK, { questions: [ALLOW, ALLOW] }],
    ['a form', 'question', FORM, form({ db })],
    [
      'an approval as a form',
      'permission',
      FORM,
      form({}, { _meta: { codex_approval_kind: 'mcp_tool_call' } }),
    ],
    [
      'an approval as a form with a choice',
      'permission',
      FORM,
      form({ db }, { _meta: { codex_approval_kind: 'x' } }),
    ],
    ['an empty form', 'permission', FORM, form({})],
    ['a form of another sort', 'other', FORM, form({ db }, { mode: 'openai/form' })],
    ['a page', 'other', FORM, { mode: 'url', url: 'https://example.invalid/' }],
    ['somebody is to be verified', 'other', FORM, { mode: 'openai/userVerification' }],
    ['a command', 'permission', 'item/commandExecution/requestApproval', {}],
    ['a change', 'permission', 'item/fileChange/requestApproval', {}],
    ['more rights', 'permission', 'item/permissions/requestApproval', {}],
    ['a command, in an older version', 'permission', 'execCommandApproval', {}],
    ['a change, in an older version', 'permission', 'applyPatchApproval', {}],
    ['a tool of the client', null, 'item/tool/call', {}],
    ['a token', null, 'account/chatgptAuthTokens/refresh', {}],
    ['what is not known yet', 'other', 'item/tool/requestTaste', { questions: [STORAGE] }],
  ]) {
    assert.equal(kindOf(method, params), kind, name)
  }
})

test('questions as a live call sees them', () => {
  const described = { ...STORAGE, options: [{ label: 'SQLite', description: 'One file.' }] }
  for (const [name, questions, seen] of [
    [
      'labels as they are',
      [STORAGE],
      [
        {
          question: 'Which storage?',
          options: [{ label: 'SQLite (Recommended)' }, { label: 'Postgres' }],
          multiSelect: false,
        },
      ],
    ],
    [
      'descriptions',
      [described],
      [
        {
          question: 'Which storage?',
          options: [{ label: 'SQLite', description: 'One file.' }],
          multiSelect: false,
        },
      ],
    ],
    [
      'free text alone',
      [{ ...PET, options: null }],
      [{ question: 'Which pet?', options: [], multiSelect: false }],
    ],
  ]) {
    assert.deepEqual(toQuestions({ questions }), seen, name)
  }
  assert.equal(isSecret({ questions: [STORAGE, PET] }), false)
  assert.equal(isSecret({ questions: [STORAGE, { ...PET, isSecret: true }] }), true)
})

test('an answer as the host takes it: by the ids, byte for byte', () => {
  const none = asked('n', 'Which?', ['None of the above', 'All'])
  const many = asked('m', 'Which?', ['Health, longevity and performance science', ' cafe\u0301\n'])
  for (const [name, questions, answers, result] of [
    ['a label', [STORAGE], [['SQLite (Recommended)']], { storage: ['SQLite (Recommended)'] }],
    ['two', [STORAGE, PET], [['Postgres'], ['Dog']], { storage: ['Postgres'], pet: ['Dog'] }],
    [
      'free text',
      [STORAGE],
      [['make it teal']],
      { storage: ['None of the above', 'user_note: make it teal'] },
    ],
    ['left open: its key is there', [STORAGE, PET], [null, ['Cat']], { storage: [], pet: ['Cat'] }],
    [
      'an option that is called like the one for free text',
      [none],
      [['None of the above']],
      { n: ['None of the above'] },
    ],
    [
      'a comma',
      [many],
      [['Health, longevity and performance science']],
      { m: ['Health, longevity and performance science'] },
    ],
    ['spaces and composed letters', [many], [[' cafe\u0301\n']], { m: [' cafe\u0301\n'] }],
    [
      'ids that begin alike',
      [
        { ...PET, id: 'a' },
        { ...PET, id: 'a_note' },
      ],
      [['Cat'], ['Dog']],
      { a: ['Cat'], a_note: ['Dog'] },
    ],
  ]) {
    const expected = Object.entries(result).map(([id, chosen]) => [id, { answers: chosen }])
    assert.deepEqual(
      toResult({ questions }, answers),
      { answers: Object.fromEntries(expected) },
      name,
    )
  }
  const proto = { questions: [{ ...PET, id: '__proto__' }] }
  const text = '{"answers":{"__proto__":{"answers":["Cat"]}}}'
  assert.equal(JSON.stringify(toResult(proto, [['Cat']])), text)
  assert.ok(areSame(toResult(proto, [['Cat']]), toReceived(text)))
})

test('what a reply chose', () => {
  const params = { questions: [STORAGE, PET] }
  const result = (storage, pet) => ({
    answers: { storage: { answers: storage }, pet: { answers: pet } },
  })
  for (const [name, reply, positions] of [
    ['options', result(['Postgres'], ['Cat']), [[1], [0]]],
    ['a wrong label', result(['Oracle'], ['Cat']), undefined],
    ['another case', result(['postgres'], ['Cat']), undefined],
    ['two of one', result(['Postgres', 'SQLite (Recommended)'], ['Cat']), undefined],
    ['one left open', result(['Postgres'], []), undefined],
    ['a pick with a note', result(['Postgres', 'user_note: 15'], ['Cat']), undefined],
    ['one missing', { answers: { pet: { answers: ['Cat'] } } }, undefined],
    ['nothing', { answers: {} }, undefined],
  ]) {
    assert.deepEqual(toPositions(params, reply), positions, name)
  }
  assert.ok(isDeclined({ answers: {} }) && !isDeclined(result([], [])))
})

test('what the host does not take is never sent', () => {
  const answers = (value) => ({ answers: { storage: value } })
  for (const [name, isTaken, result] of [
    ['a list of labels', true, answers({ answers: ['Postgres'] })],
    ['a pick with a note', true, answers({ answers: ['Postgres', 'user_note: make it teal'] })],
    ['nothing', true, { answers: {} }],
    ['a label', false, answers('Postgres')],
    ['a bare list', false, answers(['Postgres'])],
    ['a number', false, answers({ answers: [0] })],
    ['a hole', false, answers({ answers: Array(1) })],
    ['a list of answers', false, { answers: [] }],
    ['no answers', false, {}],
    ['null', false, null],
  ]) {
    assert.equal(isResult(result), isTaken, name)
  }
})

test('what the tool had', () => {
  const had = { answers: { storage: { answers: ['Postgres'] } } }
  for (const [name, output, expected] of [
    ['an answer', JSON.stringify(had), had],
    ['none', '{"answers":{}}', { answers: {} }],
    ['aborted', 'aborted by user after 0.1s', null],
    ['another text', '{"answers":', null],
    ['no text', [{ type: 'input_text', text: JSON.stringify(had) }], null],
    ['another tool', '{"accepted":true}', null],
  ]) {
    assert.deepEqual(toReceived(output), expected, name)
  }
  assert.ok(areSame(had, structuredClone(had)))
  assert.ok(!areSame(had, { answers: {} }) && !areSame({ answers: {} }, had))
  assert.ok(!areSame(had, { answers: { storage: { answers: ['Postgres', 'user_note: 15'] } } }))
  assert.ok(!areSame(had, { answers: { pet: { answers: ['Postgres'] } } }))
})

test('ten thousand random requests: nothing throws, and what is a question can be answered', () => {
  let state = 7
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const names = ['id', 'question', 'isOther', 'isSecret', 'options', 'header', 'questions']
  const values = ['x', '', 0, null, undefined, true, false, [], ['a'], [{ label: 'a' }], {}]
  const question = () => {
    if (next(10) === 0) return pick(values)
    const changed = Array.from({ length: next(3) }, () => [pick(names), pick(values)])
    const known = pick([STORAGE, PET, PET, ALLOW, asked('__proto__', 'q', ['a', 'b'])])
    return { ...known, ...Object.fromEntries(changed) }
  }
  let questions = 0
  for (let round = 0; round < 10_000; round++) {
    const params =
      next(20) === 0 ? pick(values) : { questions: Array.from({ length: next(4) }, question) }
    if (kindOf(ASK, params) !== 'question') continue
    questions += 1
    const views = toQuestions(params)
    assert.ok(
      params.questions.every(({ id, isOther }) => isOther === true && !id.startsWith('mcp_tool')),
    )
    const answers = views.map(({ options }) => [options[0]?.label ?? 'free'])
    const result = toResult(params, answers)
    assert.ok(isResult(result) && areSame(result, toReceived(JSON.stringify(result))))
    const isAll = views.every(({ options }) => options.length > 0)
    assert.deepEqual(toPositions(params, result), isAll ? views.map(() => [0]) : undefined)
  }
  assert.ok(questions > 500, `${questions}`)
})
