'use strict'
// What the Claude Agent SDK asks, and what it takes for an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  areSame,
  kindOf,
  toPositions,
  toQuestions,
  toReply,
  toResults,
} = require('../main/hosts/claude-question.js')

const option = (label, description) => ({ label, description })
const pick = (question, labels, more) => ({
  question,
  header: 'Pick',
  multiSelect: false,
  options: labels.map((label) => option(label, 'd')),
  ...more,
})
const input = (...questions) => ({ questions })
const whole = input(pick('Which?', ['a', 'b']))

test('what a request waits for', () => {
  for (const [name, kind, ...request] of [
    ['a question', 'question', 'AskUserQuestion', whole],
    ['an older host that names no more', 'question', 'AskUserQuestion', whole, undefined],
    ['several', 'question', 'AskUserQuestion', input(pick('a?', ['x']), pick('b?', ['y']))],
    ['a tool', 'permission', 'Bash', { command: 'ls' }],
    ['a tool with questions in it', 'permission', 'Bash', whole],
    ['an MCP tool', 'permission', 'mcp__ask__AskUserQuestion', whole],
    ['an MCP tool that is called so', 'permission', 'AskUserQuestion', whole, { mcpServer: {} }],
    ['another spelling', 'permission', 'askUserQuestion', whole],
    ['a plan', 'plan', 'ExitPlanMode', { plan: 'Do it.' }],
    ['no name', 'permission', undefined, whole],
    ['no input', 'other', 'AskUserQuestion', undefined],
    ['no questions', 'other', 'AskUserQuestion', {}],
    ['an empty list', 'other', 'AskUserQuestion', input()],
    ['a hole', 'other', 'AskUserQuestion', { questions: Array(1) }],
    [
      'the same text twice',
      'other',
      'AskUserQuestion',
      input(pick('a?', ['x']), pick('a?', ['y'])),
    ],
    ['no text', 'other', 'AskUserQuestion', input({ options: [option('a')] })],
    ['no options', 'other', 'AskUserQuestion', input({ question: 'a?' })],
    ['a label that is none', 'other', 'AskUserQuestion', input(pick('a?', [1]))],
    [
      'options that are texts',
      'other',
      'AskUserQuestion',
      input({ question: 'a', options: ['b'] }),
    ],
    [
      'multiSelect as text',
      'other',
      'AskUserQuestion',
      input(pick('a', ['b'], { multiSelect: 'x' })),
    ],
  ]) {
    assert.equal(kindOf(...request), kind, name)
  }
})

test('a question as a live call sees it: nothing of the card', () => {
  const preview = { label: 'b', description: '', preview: '<b>' }
  const many = { question: 'q?', header: 'h', options: [option('a', 'why'), preview] }
  assert.deepEqual(toQuestions(input(many, { ...many, question: 'r?', multiSelect: true })), [
    { question: 'q?', options: [option('a', 'why'), { label: 'b' }], multiSelect: false },
    { question: 'r?', options: [option('a', 'why'), { label: 'b' }], multiSelect: true },
  ])
})

test('an answer as the host takes it, and read back', () => {
  const multi = (labels) => [pick('q?', labels, { multiSelect: true })]
  for (const [name, questions, answers, written, positions] of [
    ['one', [pick('q?', ['a', 'b'])], [['b']], { 'q?': 'b' }, [[1]]],
    ['one with a comma', [pick('q?', ['a, b', 'c'])], [['a, b']], { 'q?': 'a, b' }, [[0]]],
    ['one in quotes', [pick('q?', ['"a"', 'c'])], [['"a"']], { 'q?': '"a"' }, [[0]]],
    ['several', multi(['a', 'b', 'c']), [['a', 'c']], { 'q?': 'a, c' }, [[0, 2]]],
    ['several, one of them chosen', multi(['a', 'b']), [['b']], { 'q?': 'b' }, [[1]]],
    [
      'several with a comma',
      multi(['a, b', 'c']),
      [['a, b', 'c']],
      { 'q?': '"a, b", c' },
      [[0, 1]],
    ],
    ['several, a comma alone', multi(['a,b', 'c']), [['a,b', 'c']], { 'q?': 'a,b, c' }, [[0, 1]]],
    ['several in quotes', multi(['"a"', 'c']), [['"a"', 'c']], { 'q?': '"\\"a\\"", c' }, [[0, 1]]],
    [
      'two questions',
      [pick('q?', ['a']), pick('r?', ['b'])],
      [['a'], ['b']],
      { 'q?': 'a', 'r?': 'b' },
      [[0], [0]],
    ],
    ['free text', [pick('q?', ['a'])], [['z']], { 'q?': 'z' }, undefined],
    ['free text among labels', multi(['a', 'b']), [['a', 'z']], { 'q?': 'a, z' }, undefined],
    ['skipped', [pick('q?', ['a']), pick('r?', ['b'])], [null, ['b']], { 'r?': 'b' }, undefined],
  ]) {
    const reply = toReply({ questions }, answers)
    const updatedInput = { questions, answers: written }
    assert.deepEqual(reply, { behavior: 'allow', updatedInput }, name)
    assert.deepEqual(toPositions({ questions }, written), positions, name)
  }
})

test('a question called __proto__ is answered like any other', () => {
  const questions = [pick('__proto__', ['a', 'b'])]
  const { answers } = toReply({ questions }, [['b']]).updatedInput
  assert.equal(JSON.stringify(answers), '{"__proto__":"b"}')
  assert.deepEqual(toPositions({ questions }, answers), [[1]])
  assert.deepEqual(toPositions({ questions }, {}), undefined)
})

test('nothing of what a model wrote goes back with the answer', () => {
  const asked = { ...whole, answers: { 'Which?': 'b' }, response: 'and delete everything' }
  assert.deepEqual(toReply(asked, [['a']]).updatedInput, {
    questions: whole.questions,
    answers: { 'Which?': 'a' },
  })
})

test('whether the host has what it was given', () => {
  for (const [name, given, had, same] of [
    ['the same', { a: 'x' }, { a: 'x' }, true],
    ['nothing', {}, {}, true],
    ['another value', { a: 'x' }, { a: 'y' }, false],
    ['less', { a: 'x', b: 'y' }, { a: 'x' }, false],
    ['more', { a: 'x' }, { a: 'x', b: 'y' }, false],
    ['another key', { a: 'x' }, { b: 'x' }, false],
    ['inherited', JSON.parse('{"__proto__":"x"}'), {}, false],
    ['none', { a: 'x' }, undefined, false],
    ['text', { a: 'x' }, 'a', false],
  ]) {
    assert.equal(areSame(given, had), same, name)
  }
})

test('what the stream proves', () => {
  const block = (more) => ({ type: 'tool_result', tool_use_id: 't', ...more })
  const user = (content, more) => ({ type: 'user', message: { content }, ...more })
  const tool_use_result = { answers: { a: 'x' } }
  const proof = { toolUseID: 't', isError: false, answers: { a: 'x' } }
  for (const [name, message, results] of [
    ['an answer', user([block()], { tool_use_result }), [proof]],
    [
      'an error',
      user([block({ is_error: true })]),
      [{ ...proof, isError: true, answers: undefined }],
    ],
    ['an older host', user([block()]), [{ ...proof, answers: undefined }]],
    [
      'a text as the result',
      user([block()], { tool_use_result: 'Error' }),
      [{ ...proof, answers: undefined }],
    ],
    [
      'two at once',
      user([block(), block()], { tool_use_result }),
      [
        { ...proof, answers: undefined },
        { ...proof, answers: undefined },
      ],
    ],
    ['no id', user([block({ tool_use_id: undefined })], { tool_use_result }), []],
    ['a replay', user([block()], { tool_use_result, isReplay: true }), []],
    ['words of the person', user('yes'), []],
    ['what the model says', { type: 'assistant', message: { content: [block()] } }, []],
    ['no content', { type: 'user' }, []],
    ['no blocks', user([null, 'text']), []],
  ]) {
    assert.deepEqual(toResults(message), results, name)
  }
})

/** Small numbers that are the same every time. */
function numbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('ten thousand random questions: every choice is read back as what was chosen', () => {
  const next = numbers(1)
  const parts = ['a', ', ', ',', ' ', '"', '\\', '\n', 'é', ', "', '__proto__', '']
  const text = () => Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]).join('')
  for (let round = 0; round < 10_000; round++) {
    const labels = [...new Set(Array.from({ length: 2 + next(3) }, text))]
    const questions = [pick(text(), labels, { multiSelect: next(2) === 1 })]
    const chosen = questions[0].multiSelect
      ? labels.map((_, n) => n).filter(() => next(2) === 1)
      : [next(labels.length)]
    if (chosen.length === 0) continue
    const reply = toReply({ questions }, [chosen.map((n) => labels[n])])
    const arrived = JSON.parse(JSON.stringify(reply)).updatedInput.answers
    assert.deepEqual(toPositions({ questions }, arrived), [chosen], JSON.stringify(labels))
  }
})

test('ten thousand random requests and messages: nothing throws', () => {
  const next = numbers(2)
  const words = [
    'question',
    'questions',
    'options',
    'label',
    'multiSelect',
    'type',
    'user',
    'message',
  ]
  const more = ['content', 'tool_result', 'tool_use_id', 'tool_use_result', 'answers', 'is_error']
  const names = [...words, ...more]
  const scalar = () => [null, undefined, true, false, 1, 'x', names[next(names.length)]][next(7)]
  function value(depth) {
    const size = next(4)
    if (depth === 0 || next(3) === 0) return scalar()
    if (next(2) === 0) return Array.from({ length: size }, () => value(depth - 1))
    const entries = Array.from({ length: size }, () => [
      names[next(names.length)],
      value(depth - 1),
    ])
    return Object.fromEntries(entries)
  }
  for (let round = 0; round < 10_000; round++) {
    const request = value(5)
    const kind = kindOf('AskUserQuestion', request)
    if (kind === 'question') toQuestions(request)
    toPositions(whole, request)
    assert.ok(Array.isArray(toResults(Object(value(5)))))
  }
})
