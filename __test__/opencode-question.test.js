'use strict'
// What an OpenCode server asks, and what it takes for an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  areSame,
  findCall,
  fits,
  kindOf,
  toAnswers,
  toCall,
  toPositions,
  toQuestions,
} = require('../main/hosts/opencode-question.js')
const { asked } = require('./opencode-side.js')

const STORAGE = asked('Which storage?', ['SQLite (Recommended)', 'Postgres'])
const PARTS = asked('Which parts?', ['Auth', 'Search', 'Email'], { multiple: true })

test('what a request waits for', () => {
  const plan = asked('Start implementing?', ['Yes', 'No'], { custom: false })
  for (const [name, kind, tool, questions, called = questions] of [
    ['a question', 'question', 'question', [STORAGE]],
    ['two', 'question', 'question', [STORAGE, PARTS]],
    ['twelve', 'question', 'question', Array(12).fill(STORAGE)],
    ['free text alone', 'question', 'question', [asked('Port?', [])]],
    ['labels alike', 'question', 'question', [asked('Which?', ['Same', 'Same'])]],
    ['no header', 'question', 'question', [{ ...STORAGE, header: undefined }]],
    ['a plan that is to be approved', 'plan', 'plan_exit', [plan]],
    ['a plan that is to be made', 'plan', 'plan_enter', [plan]],
    ['a plan in any form', 'plan', 'plan_exit', undefined],
    ['another tool', 'other', 'bash', [STORAGE]],
    ['a tool of a server', 'other', 'asks_question', [STORAGE]],
    ['nobody knows who', 'other', undefined, [STORAGE]],
    [
      'the call has another header',
      'question',
      'question',
      [STORAGE],
      [{ ...STORAGE, header: '' }],
    ],
    ['the call of another one: a plan', 'other', 'question', [plan], [STORAGE]],
    ['the call has another option', 'other', 'question', [STORAGE], [asked(STORAGE.question, [])]],
    ['the call has less', 'other', 'question', [STORAGE, PARTS], [STORAGE]],
    ['the call has more', 'other', 'question', [STORAGE], [STORAGE, PARTS]],
    [
      'the call has another number',
      'other',
      'question',
      [STORAGE],
      [{ ...STORAGE, multiple: true }],
    ],
    ['nobody knows what the call has', 'other', 'question', [STORAGE], null],
    ['none', 'other', 'question', []],
    ['no list', 'other', 'question', STORAGE],
    ['nothing', 'other', 'question', undefined],
    ['a hole', 'other', 'question', Array(1)],
    ['no text', 'other', 'question', [{ ...STORAGE, question: undefined }]],
    ['no options', 'other', 'question', [{ ...STORAGE, options: null }]],
    ['an option that is a text', 'other', 'question', [{ ...STORAGE, options: ['a'] }]],
    ['nobody knows how many', 'other', 'question', [{ ...STORAGE, multiple: 'yes' }]],
  ]) {
    const call = { tool, status: 'running', input: { questions: called } }
    assert.equal(kindOf({ questions }, call), kind, name)
  }
  for (const call of [null, undefined, { tool: 'question' }, { tool: 'question', input: null }]) {
    assert.equal(kindOf({ questions: [STORAGE] }, call), 'other')
  }
})

test('questions as a live call sees them', () => {
  const described = { ...STORAGE, options: [{ label: 'SQLite', description: 'One file.' }] }
  assert.deepEqual(toQuestions({ questions: [described, PARTS, asked('Port?', [])] }), [
    {
      question: 'Which storage?',
      options: [{ label: 'SQLite', description: 'One file.' }],
      multiSelect: false,
    },
    {
      question: 'Which parts?',
      options: [{ label: 'Auth' }, { label: 'Search' }, { label: 'Email' }],
      multiSelect: true,
    },
    { question: 'Port?', options: [], multiSelect: false },
  ])
})

test('an answer as the host takes it: by position, byte for byte', () => {
  for (const [name, answers, body] of [
    ['a label', [['SQLite (Recommended)']], [['SQLite (Recommended)']]],
    ['several', [['Auth', 'Email'], ['Postgres']], [['Auth', 'Email'], ['Postgres']]],
    ['one that was skipped', [null, ['Postgres']], [[], ['Postgres']]],
    ['spaces, quotes, commas', [[' a, "b"\n', 'cafe\u0301']], [[' a, "b"\n', 'cafe\u0301']]],
  ]) {
    assert.deepEqual(toAnswers(answers), body, name)
    assert.ok(areSame(body, structuredClone(body)), name)
  }
  assert.ok(!areSame([['a']], [['b']]) && !areSame([['a']], [['a', 'b']]))
  assert.ok(!areSame([['a']], [['a'], []]) && !areSame([['a']], undefined))
})

test('what others chose', () => {
  const twins = asked('Which?', ['Same', 'Same', 'Other'])
  for (const [name, questions, answers, positions] of [
    ['an option', [STORAGE], [['Postgres']], [[1]]],
    ['options', [STORAGE, PARTS], [['Postgres'], ['Email', 'Auth']], [[1], [2, 0]]],
    ['free text', [STORAGE], [['Oracle']], undefined],
    ['an option and free text', [PARTS], [['Auth', 'Oracle']], undefined],
    ['another case', [STORAGE], [['postgres']], undefined],
    ['two of one', [STORAGE], [['Postgres', 'SQLite (Recommended)']], undefined],
    ['one left open', [STORAGE, PARTS], [['Postgres'], []], undefined],
    ['one missing', [STORAGE, PARTS], [['Postgres']], undefined],
    ['one of two alike', [twins], [['Same']], undefined],
    ['the one that is not', [twins], [['Other']], [[2]]],
    ['a text', [STORAGE], ['Postgres'], undefined],
    ['nothing', [STORAGE], undefined, undefined],
  ]) {
    assert.deepEqual(toPositions({ questions }, answers), positions, name)
  }
})

test('what the model could not tell from another choice does not fit', () => {
  const many = (...labels) => asked('Which?', labels, { multiple: true })
  for (const [name, question, chosen, isClear] of [
    ['plain', many('Auth', 'Search', 'Email'), [0, 2], true],
    ['all', many('Auth', 'Search', 'Email'), [0, 1, 2], true],
    ['one that looks like two', many('x, y', 'x', 'y'), [0], false],
    ['two that look like one', many('x, y', 'x', 'y'), [1, 2], false],
    ['beside them', many('x, y', 'x', 'y', 'z'), [3], true],
    ['with one of them', many('x, y', 'x', 'y', 'z'), [1, 3], true],
    ['a comma that is in no other', many('Red, green', 'Blue', 'White'), [0, 1], true],
    ['three ways', many('a', 'b', 'c', 'a, b', 'b, c'), [0, 1, 2], false],
    ['across two', many('a, b', 'c', 'a', 'b, c'), [0, 1], false],
    ['a comma without a space', many('x,y', 'x', 'y'), [1, 2], true],
    ['a comma at the end', many('x,', 'x', 'y'), [0, 2], true],
    ['labels alike', many('Same', 'Same'), [0], false],
    ['of one alone it is clear', asked('Which?', ['x, y', 'x', 'y']), [0], true],
  ]) {
    assert.equal(fits({ questions: [question] }, [chosen]), isClear, name)
  }
  const two = { questions: [STORAGE, many('x, y', 'x', 'y')] }
  assert.equal(fits(two, [[0], [1]]), true)
  assert.equal(fits(two, [[0], [1, 2]]), false)
})

test('hostile labels are looked at to the end', () => {
  const labels = Array.from({ length: 256 }, (_, n) =>
    Array(n + 1)
      .fill('a')
      .join(', '),
  )
  const question = asked('Which?', labels, { multiple: true })
  assert.equal(fits({ questions: [question] }, [[255, 254, 253, 252, 251, 250, 249, 248]]), false)
})

test('what a tool says of its call', () => {
  const tool = { messageID: 'msg_1', callID: 'call_1' }
  const sessionID = 'ses_1'
  const part = { type: 'tool', tool: 'question', sessionID, ...tool }
  const input = { questions: [STORAGE] }
  const running = { status: 'running', input }
  const completed = { status: 'completed', metadata: { answers: [['a']], truncated: false } }
  const none = { tool: 'question', status: undefined, input: undefined, answers: undefined }
  for (const [name, state, call] of [
    ['it runs', running, { ...none, status: 'running', input }],
    ['it has an answer', completed, { ...none, status: 'completed', answers: [['a']] }],
    ['it has none', { status: 'error', error: 'x' }, { ...none, status: 'error' }],
    ['another tool', { status: 'completed', metadata: null }, { ...none, status: 'completed' }],
    ['nothing', undefined, none],
  ]) {
    assert.deepEqual(toCall({ ...part, state }), call, name)
  }
  const message = (...parts) => ({ info: {}, parts })
  const found = { ...none, status: 'running', input }
  for (const [name, whole, request, call] of [
    ['it is there', message({ type: 'text' }, { ...part, state: running }), { tool }, found],
    ['another call', message({ ...part, callID: 'call_2' }), { tool }, null],
    ['another message', message({ ...part, messageID: 'msg_2' }), { tool }, null],
    ['another session', message({ ...part, sessionID: 'ses_2' }), { tool }, null],
    ['no tool', message({ ...part, type: 'text' }), { tool }, null],
    ['no message', null, { tool }, null],
    ['no parts', {}, { tool }, null],
    ['a hole', message(null), { tool }, null],
    ['nobody asks', message(part), {}, null],
    ['nobody is known', message({ type: 'tool', tool: 'question' }), {}, null],
  ]) {
    assert.deepEqual(findCall(whole, { sessionID, ...request }), call, name)
  }
})

test('ten thousand random requests: nothing throws, and what is a question can be answered', () => {
  let state = 5
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const names = ['question', 'options', 'multiple', 'header', 'custom', 'questions']
  const values = ['x', '', 0, null, undefined, true, false, [], ['a'], [{ label: 'a' }], {}]
  const question = () => {
    if (next(10) === 0) return pick(values)
    const changed = Array.from({ length: next(3) }, () => [pick(names), pick(values)])
    return { ...pick([STORAGE, PARTS, PARTS]), ...Object.fromEntries(changed) }
  }
  let questions = 0
  for (let round = 0; round < 10_000; round++) {
    const request = {
      questions: next(20) === 0 ? pick(values) : Array.from({ length: next(4) }, question),
    }
    const tool = pick(['question', 'question', 'bash', undefined])
    if (kindOf(request, { tool, input: pick([request, request, {}]) }) !== 'question') continue
    questions += 1
    const views = toQuestions(request)
    const chosen = views.map(({ options }) => (options.length > 0 ? [next(options.length)] : []))
    const answers = views.map(({ options }, n) =>
      options.length > 0 ? [options[chosen[n][0]].label] : ['free'],
    )
    assert.ok(fits(request, chosen))
    assert.ok(areSame(toAnswers(answers), JSON.parse(JSON.stringify(answers))))
    const isAll = views.every(({ options }) => options.length > 0)
    assert.deepEqual(toPositions(request, toAnswers(answers)), isAll ? chosen : undefined)
  }
  assert.ok(questions > 500, `${questions}`)
})
