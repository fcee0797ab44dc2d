'use strict'
// What Pi asks by plain dialogs, and what its tools make of an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const form = require('../main/hosts/pi-form.js')
const { isTold, toAsked, toldIn } = require('../main/hosts/pi-question.js')

const ASK_TOOLS = new Set(['ask'])
const call = (args, toolName = 'ask', toolCallId = 'call-1') => ({
  toolCallId,
  toolName,
  args,
  asked: new Map(),
})
const select = (title, options, more) => ({ method: 'select', title, options, ...more })
const WHICH = select('Which?', ['a', 'b'])
const ARGS = { question: 'Which?', options: ['a', 'b'] }
const form1 = { questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] }
const input = (args) => ({ method: 'input', title: form.toTitle(args.questions) })

test('what a dialog waits for', () => {
  const running = [call(ARGS)]
  const again = { ...call(ARGS), asked: new Map([['Which?', WHICH]]) }
  for (const [name, kind, dialog, calls, announced] of [
    ['an option of a running ask tool', 'question', WHICH, running],
    [
      'options as objects',
      'question',
      WHICH,
      [call({ q: 'Which?', o: [{ label: 'a' }, { label: 'b' }] })],
    ],
    ['deeper', 'question', WHICH, [call({ questions: [{ x: 1 }, ARGS] })]],
    ['beside another ask tool', 'question', WHICH, [call({}), call(ARGS, 'ask', 'call-2')]],
    ['no tool runs', 'permission', WHICH, []],
    ['another tool', 'permission', WHICH, [call(ARGS, 'bash')]],
    ['another tool beside it', 'permission', WHICH, [call(ARGS), call({}, 'bash', 'call-2')]],
    ['another text', 'permission', { ...WHICH, title: 'which?' }, running],
    ['another option', 'permission', { ...WHICH, options: ['a', 'c'] }, running],
    ['an option more', 'permission', { ...WHICH, options: ['a', 'b', 'c'] }, running],
    ['another order', 'permission', { ...WHICH, options: ['b', 'a'] }, running],
    [
      'text and options apart',
      'permission',
      WHICH,
      [call([{ question: 'Which?' }, { o: ['a', 'b'] }])],
    ],
    ['two calls in the same words', 'other', WHICH, [call(ARGS), call(ARGS, 'ask', 'call-2')]],
    ['the same twice in one call', 'other', WHICH, [call([ARGS, ARGS])]],
    ['asked once more', 'other', WHICH, [again]],
    [
      'no options',
      'permission',
      { ...WHICH, options: [] },
      [call({ question: 'Which?', options: [] })],
    ],
    ['options that are none', 'permission', { ...WHICH, options: [1] }, running],
    ['options that are no list', 'permission', { ...WHICH, options: 'ab' }, running],
    ['no text', 'permission', { method: 'select', options: ['a', 'b'] }, running],
    ['yes or no', 'permission', { ...WHICH, method: 'confirm' }, running],
    ['a text', 'other', { ...WHICH, method: 'input' }, running],
    ['a longer text', 'other', { ...WHICH, method: 'editor' }, running],
    ['our extension', 'question', input(form1), [call(form1, 'ask_user')], 'call-1'],
    [
      'ours beside another tool',
      'question',
      input(form1),
      [call({}, 'bash', 'x'), call(form1)],
      'call-1',
    ],
    ['ours, not announced', 'other', input(form1), [call(form1)]],
    ['ours, announced of another', 'other', input(form1), [call(form1)], 'call-2'],
    ['ours in other words', 'other', { method: 'input', title: 'Which?' }, [call(form1)], 'call-1'],
    ['ours without questions', 'other', input(form1), [call({ questions: [] })], 'call-1'],
    ['ours as an option', 'permission', WHICH, [call(form1, 'ask_user')], 'call-1'],
  ]) {
    assert.equal(toAsked(dialog, calls, ASK_TOOLS, announced)?.kind, kind, name)
  }
  for (const method of [
    'notify',
    'setStatus',
    'setWidget',
    'setTitle',
    'set_editor_text',
    undefined,
  ]) {
    assert.equal(toAsked({ ...WHICH, method }, running, ASK_TOOLS), null, method)
  }
})

test('a question as a live call sees it: options as they are, descriptions of the tool', () => {
  const options = [
    { label: ' a ', description: 'why' },
    { label: 'b', description: '' },
    { label: 'c' },
  ]
  const plain = call({ question: 'Which?', options })
  const dialog = select('Which?', [' a ', 'b', 'c'])
  const seen = [{ label: ' a ', description: 'why' }, { label: 'b' }, { label: 'c' }]
  const question = { question: 'Which?', options: seen, multiSelect: false }
  assert.deepEqual(toAsked(dialog, [plain], ASK_TOOLS), {
    kind: 'question',
    call: plain,
    isForm: false,
    questions: [question],
  })
  const ours = call({ questions: [{ question: 'Which?', options, multiSelect: true }] })
  assert.deepEqual(toAsked(input(ours.args), [ours], ASK_TOOLS, 'call-1'), {
    kind: 'question',
    call: ours,
    isForm: true,
    questions: [{ ...question, multiSelect: true }],
  })
})

test('what a tool says that it had', () => {
  const text = (one, details) => ({ content: [{ type: 'text', text: one }], details })
  const dialog = select('Keep or Drop?', ['Keep', 'Drop', 'Drop it all'])
  const options = [...dialog.options]
  for (const [name, result, told, proves] of [
    ['its details', text('', { answer: 'Drop' }), 1, 1],
    ['deeper', text('', { answers: [{ value: 'Drop' }] }), 1, 1],
    ['beside the options', text('', { options, answer: 'Keep' }), 0, 0],
    [
      'beside the options as objects',
      text('', { options: options.map((label) => ({ label })), answer: 'Keep' }),
      0,
      0,
    ],
    ['details win over the text', text('Drop', { answer: 'Keep' }), 0, 0],
    ['two in its details', text('', { answers: ['Keep', 'Drop'] }), undefined, undefined],
    ['only the options', text('', { options }), undefined, undefined],
    ['its text', text('User selected: Drop', { options }), undefined, 1],
    ['a text with the question', text('"Keep or Drop?": Keep.'), undefined, 0],
    ['one label in another', text('Chosen: Drop it all'), undefined, 2],
    ['part of a word', text('Keeping nothing, Dropped'), undefined, undefined],
    ['two in its text', text('Keep, not Drop'), undefined, undefined],
    ['another case', text('drop'), undefined, undefined],
    ['nothing', text('Cancelled'), undefined, undefined],
    ['no result', undefined, undefined, undefined],
    ['no content', { details: null }, undefined, undefined],
    ['content that is none', { content: [null, 'Keep', { text: 7 }] }, undefined, undefined],
  ]) {
    assert.equal(toldIn(result, dialog), told, name)
    const proved = options.map((_, n) => n).filter((n) => isTold(result, dialog, n))
    assert.deepEqual(proved, proves === undefined ? [] : [proves], name)
  }
})

test('a number or a letter in its text proves nothing', () => {
  const result = (details) => ({ content: [{ type: 'text', text: 'Given up after 2 s' }], details })
  for (const options of [
    ['1', '2'],
    ['s', 't'],
    ['Given', '12'],
  ]) {
    const dialog = select('How many?', options)
    assert.deepEqual(
      options.map((_, n) => isTold(result({}), dialog, n)),
      [false, false],
    )
    assert.equal(isTold(result({ answer: options[1] }), dialog, 1), true)
  }
})

test('what a tool says that it had, where several of its dialogs offer the same', () => {
  const first = select('First?', ['Yes', 'No'])
  const second = select('Second?', ['No', 'Yes'])
  const third = select('Third?', ['Maybe'])
  const pair = [first, second]
  for (const [name, details, told, asked] of [
    ['a list of answers', { answers: ['Yes', 'Yes'] }, [0, 1], pair],
    [
      'a list that is also one of options',
      { answers: ['Yes', 'No'] },
      [undefined, undefined],
      pair,
    ],
    ['of objects', { answers: [{ value: 'No' }, { value: 'No' }] }, [1, 0], pair],
    [
      'beside the questions',
      { questions: [{ o: first.options }, { o: second.options }], answers: ['No', 'No'] },
      [1, 0],
      pair,
    ],
    ['none for the first', { answers: [null, 'No'] }, [undefined, 0], pair],
    ['one too few', { answers: ['No'] }, [undefined, undefined], pair],
    ['not in a list', { first: 'Yes', second: 'No' }, [undefined, undefined], pair],
    ['two lists that differ', { a: ['Yes', 'Yes'], b: ['No', 'No'] }, [undefined, undefined], pair],
    ['one of its own', { answers: ['Yes', 'No', 'Maybe'] }, [0, 0, 0], [...pair, third]],
    ['its own alone', { last: 'Maybe' }, [undefined, undefined, 0], [...pair, third]],
  ]) {
    // Its text tells nothing then.
    const result = { details, content: [{ type: 'text', text: 'Yes' }] }
    assert.deepEqual(
      asked.map((one) => toldIn(result, one, asked)),
      told,
      name,
    )
    const proved = asked.map((one) =>
      one.options.map((_, n) => n).filter((n) => isTold(result, one, n, asked)),
    )
    assert.deepEqual(
      proved,
      told.map((one) => (one === undefined ? [] : [one])),
      name,
    )
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

test('ten thousand random dialogs: a question is what a running tool was called with', () => {
  const next = numbers(3)
  const words = ['Which?', 'a', 'b', 'question', 'options', 'label', 'description', '']
  const scalar = () => [null, undefined, true, 1, ...words][next(4 + words.length)]
  function value(depth) {
    if (depth === 0 || next(3) === 0) return scalar()
    const size = next(4)
    if (next(2) === 0) return Array.from({ length: size }, () => value(depth - 1))
    const entries = Array.from({ length: size }, () => [
      words[next(words.length)],
      value(depth - 1),
    ])
    return Object.fromEntries(entries)
  }
  let questions = 0
  for (let round = 0; round < 10_000; round++) {
    const args = next(2) === 0 ? ARGS : value(4)
    const calls = Array.from({ length: next(3) }, (_, n) =>
      call(args, ['ask', 'ask', 'ask_user', 'bash'][next(4)], `call-${n}`),
    )
    const dialog = next(3) === 0 ? WHICH : { method: 'select', title: scalar(), options: value(2) }
    const asked = toAsked(dialog, calls, ASK_TOOLS, `call-${next(3)}`)
    if (asked.kind === 'question') {
      questions += 1
      assert.equal(asked.call.toolName, 'ask')
      assert.ok(calls.every(({ toolName }) => toolName === 'ask'))
      const { question, options } = asked.questions[0]
      assert.deepEqual(
        [question, options.map(({ label }) => label)],
        [dialog.title, dialog.options],
      )
      for (const label of [question, ...dialog.options]) {
        assert.ok(JSON.stringify(args).includes(JSON.stringify(label)))
      }
    }
    const result = next(2) === 0 ? value(5) : { details: value(4), content: value(3) }
    const told = toldIn(result, WHICH)
    assert.ok([0, 1, undefined].includes(told))
    assert.ok(told === undefined || isTold(result, WHICH, told))
    assert.equal(isTold(result, WHICH, -1), false)
  }
  assert.ok(questions > 100)
})
