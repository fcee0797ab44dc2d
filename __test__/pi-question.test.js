'use strict'
// What Pi asks by plain dialogs, and what its tools make of an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const form = require('../main/hosts/pi-form.js')
const { passedOn } = require('../main/hosts/pi-arguments.js')
const { toAsked } = require('../main/hosts/pi-question.js')
const { isSilent, isTold, toldIn } = require('../main/hosts/pi-told.js')

const ASK_TOOLS = new Set(['ask'])
const call = (args, toolName = 'ask', toolCallId = 'call-1') => ({
  toolCallId,
  toolName,
  args,
  asked: [],
  isCertain: true,
})
/** It has asked this of its arguments, and waits for an answer or not. */
const having = (one, of, isWaiting = false) => ({
  ...one,
  asked: [{ of, isWaiting: () => isWaiting }],
})
const select = (title, options, more) => ({ method: 'select', title, options, ...more })
const WHICH = select('Which?', ['a', 'b'])
const ARGS = { question: 'Which?', options: ['a', 'b'] }
const form1 = { questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] }
const input = (args) => ({ method: 'input', title: form.toTitle(args.questions) })

test('what a dialog waits for', () => {
  const running = [call(ARGS)]
  const two = [{ question: 'First?', options: ['c', 'd'] }, ARGS]
  const form2 = call(form1, 'ask_user')
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
    ['asked once more', 'other', WHICH, [having(call(ARGS), ARGS)]],
    ['the next one', 'question', WHICH, [having(call(two), two[0])]],
    [
      'the next one, with the one before unanswered',
      'other',
      WHICH,
      [having(call(two), two[0], true)],
    ],
    ['the one after the next', 'other', WHICH, [call(two)]],
    [
      'what stands before it in another form',
      'question',
      WHICH,
      [call({ title: 'x', tags: ['y'], q: [ARGS] })],
    ],
    ['two under one id', 'permission', WHICH, [{ ...call(ARGS), isCertain: false }]],
    ['deeper than one looks', 'permission', WHICH, [call([[[[[[[[ARGS]]]]]]]])]],
    ['more than one looks at', 'permission', WHICH, [call([ARGS, Array(2_000).fill(0)])]],
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
      [call({}, 'bash', 'x'), form2],
      'call-1',
    ],
    ['ours, not announced', 'other', input(form1), [form2]],
    ['ours, announced of another', 'other', input(form1), [form2], 'call-2'],
    ['ours in other words', 'other', { method: 'input', title: 'Which?' }, [form2], 'call-1'],
    [
      'ours without questions',
      'other',
      input(form1),
      [call({ questions: [] }, 'ask_user')],
      'call-1',
    ],
    ['ours from another tool', 'other', input(form1), [call(form1, 'bash')], 'call-1'],
    ['ours once more', 'other', input(form1), [having(form2, form1)], 'call-1'],
    ['ours, two under one id', 'other', input(form1), [{ ...form2, isCertain: false }], 'call-1'],
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

test('what speaks of permission is a permission, though the model asked the ask tool for it in these words', () => {
  const kindOf = (title, options) => {
    const running = [call({ question: title, options })]
    return toAsked(select(title, options), running, ASK_TOOLS).kind
  }
  const words =
    'Allow ALLOWED always approve approval authorize Authorisation consent deny denied disallow forbid grant ' +
    'granted permit permission refuse reject rejected trust'
  for (const word of words.split(' ')) {
    assert.equal(kindOf(`Shall I (${word}) it?`, ['a', 'b']), 'permission', word)
    assert.equal(kindOf('Which?', ['a', `b, ${word}`]), 'permission', word)
  }
  for (const text of ['shallow', 'deniable', 'permittivity', 'grants_table', 'Yes', 'Run it?']) {
    assert.equal(kindOf(text, ['a', text]), 'question', text)
  }
})

test('arguments as Pi passes them on to our tool', () => {
  const option = (label, more) => ({ label, ...more })
  const asks = (question, options, more) => ({ questions: [{ question, options, ...more }] })
  const plain = asks('Which?', [option('a'), option('b')])
  const [one] = plain.questions
  for (const [name, args, passed] of [
    ['as they should be', plain, plain],
    ['one question, no list', { questions: one }, plain],
    ['one option, no list', asks('Which?', option('a')), asks('Which?', [option('a')])],
    ['numbers', asks(7, [option(1), option(2.5)]), asks('7', [option('1'), option('2.5')])],
    [
      'other scalars',
      asks(null, [option(true), option(null)]),
      asks('null', [option('true'), option('null')]),
    ],
    [
      'nothing for what may be left out',
      asks('Which?', [option('a', { description: null })], { multiSelect: null }),
      asks('Which?', [option('a')]),
    ],
    [
      'a number for a description',
      asks('Which?', [option('a', { description: 3 })]),
      asks('Which?', [option('a', { description: '3' })]),
    ],
    ...[
      ['true', true],
      ['FALSE', false],
      [1, true],
      [0, false],
      ['1', true],
      ['0', false],
      ['yes', 'yes'],
      [2, 2],
    ].map(([multiSelect, is]) => [
      `multiSelect ${JSON.stringify(multiSelect)}`,
      asks('Which?', [option('a')], { multiSelect }),
      asks('Which?', [option('a')], { multiSelect: is }),
    ]),
    [
      'nothing in what is no list',
      { questions: { ...one, options: option('a', { description: null }), multiSelect: null } },
      asks('Which?', [option('a', { description: 'null' })], { multiSelect: false }),
    ],
    [
      'what is none stays what it is',
      { questions: [{ options: ['a', null] }, 'x'] },
      { questions: [{ options: ['a', null] }, 'x'] },
    ],
    ['nothing', undefined, undefined],
    ['a text', 'x', 'x'],
  ]) {
    assert.deepEqual(passedOn(args), passed, name)
    assert.deepEqual(passedOn(passed), passed, name)
  }
  assert.deepEqual(plain.questions[0], one)
})

test('what Pi has made fit is what our extension asked', () => {
  const args = {
    questions: [
      {
        question: 'How many?',
        options: [{ label: 1, description: null }, { label: 2 }],
        multiSelect: 'true',
      },
    ],
  }
  const asked = {
    questions: [
      { question: 'How many?', options: [{ label: '1' }, { label: '2' }], multiSelect: true },
    ],
  }
  const ours = call(args, 'ask_user')
  assert.deepEqual(toAsked(input(asked), [ours], ASK_TOOLS, 'call-1'), {
    kind: 'question',
    call: ours,
    isForm: true,
    questions: asked.questions,
    of: asked,
  })
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
    of: plain.args,
  })
  const args = { questions: [{ question: 'Which?', options, multiSelect: true }] }
  const ours = call(args, 'ask_user')
  assert.deepEqual(toAsked(input(ours.args), [ours], ASK_TOOLS, 'call-1'), {
    kind: 'question',
    call: ours,
    isForm: true,
    questions: [{ ...question, multiSelect: true }],
    of: args,
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
    ['a place in a list', text('', { selected: ['Drop'] }), 1, 1],
    [
      'under the question itself',
      text('', { answers: { 'Keep or Drop?': 'Drop' } }),
      undefined,
      undefined,
    ],
    [
      'what it recommends',
      text('', { answer: null, defaultAnswer: 'Drop', recommended: { answer: 'Drop' } }),
      undefined,
      undefined,
    ],
    ['beside what it recommends', text('', { answer: 'Keep', recommended: 'Drop' }), 0, 0],
    ['what nobody answered', text('', { answer: 'Drop', cancelled: true }), undefined, undefined],
    [
      'what ran out of time',
      text('', { answers: [{ value: 'Drop', timedOut: true }] }),
      undefined,
      undefined,
    ],
    ['deeper than one looks', text('', { answer: [[[[[[[['Drop']]]]]]]] }), undefined, undefined],
    [
      'deeper beside one that is not',
      text('', { answer: ['Keep', [[[[[[['Drop']]]]]]]] }),
      undefined,
      undefined,
    ],
    [
      'more than one looks at',
      text('Keep', { answers: ['Drop', ...Array(2_000).fill('')] }),
      undefined,
      undefined,
    ],
    ['two in its details', text('', { answers: ['Keep', 'Drop'] }), undefined, undefined],
    ['only the options', text('', { options }), undefined, undefined],
    ['its text', text('User selected: Drop', { options }), undefined, 1],
    ['a text with the question', text('"Keep or Drop?": Keep.'), undefined, 0],
    ['one label in another', text('Chosen: Drop it all'), undefined, 2],
    ['part of a word', text('Keeping nothing, Dropped'), undefined, undefined],
    ['two in its text', text('Keep, not Drop'), undefined, undefined],
    ['words of a sentence', text('Drop was not answered'), undefined, undefined],
    ['in the middle of a line', text('Chosen: Drop, by nobody'), undefined, undefined],
    ['alone', text(' Drop\n'), undefined, 1],
    ['in quotation marks', text('The user chose “Drop” just now'), undefined, 1],
    ['as JSON', text('answer="Drop";'), undefined, 1],
    ['two in quotation marks', text('"Keep" or "Drop"? "Drop"'), undefined, undefined],
    [
      'one in quotation marks, another after a colon',
      text('not "Keep"\nbut: Drop'),
      undefined,
      undefined,
    ],
    ['at the end of a line', text('User: Drop.\nThank you'), undefined, 1],
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

test('that nobody answered proves nothing: ordinary words are options too', () => {
  const result = (text, details = {}) => ({ content: [{ type: 'text', text }], details })
  for (const [question, options, text] of [
    ['Deploy?', ['Yes', 'No'], 'No answer was given.'],
    ['Deploy?', ['Yes', 'No'], 'No response (timed out)'],
    ['Which?', ['All', 'None'], 'None selected (dialog closed)'],
    [
      'Which database?',
      ['Postgres', 'SQLite'],
      'Cancelled before choosing. Falling back to Postgres.',
    ],
    ['Use "Postgres"?', ['Postgres', 'Other'], 'Asked Use "Postgres"?, cancelled'],
    ['Default: Postgres', ['Postgres', 'Other'], 'Default: Postgres'],
  ]) {
    const dialog = select(question, options)
    const proved = options.filter((_, n) => isTold(result(text), dialog, n))
    assert.deepEqual([proved, toldIn(result(text), dialog)], [[], undefined], text)
  }
})

test('that the user declined is proved by a tool that tells no option at all', () => {
  const result = (text, details = {}) => ({ content: [{ type: 'text', text }], details })
  const dialog = select('Deploy?', ['Yes', 'No'])
  const other = select('Really?', ['Yes', 'No'])
  for (const [name, had, silent, asked] of [
    ['nothing', result('Cancelled'), true],
    ['nothing at all', undefined, true],
    ['words that are an option', result('No answer was given.', { answer: null }), false],
    ['part of a word', result('Yesterday, Nobody'), true],
    ['the question itself', result('"Deploy?" was cancelled'), true],
    ['a sentence', result('The user chose Yes.'), false],
    ['its details', result('', { answer: 'Yes' }), false],
    ['several in its details', result('', { answers: ['Yes', 'No'], x: 1 }), true],
    ['its text', result('The user chose "Yes"'), false],
    ['several in its text', result('a: Yes\nb: No'), false],
    ['too much', result('', { answers: Array(3_000).fill('') }), false],
    ['its place', result('', { answers: [null, 'Yes'] }), true, [dialog, other]],
    ['the place of the other', result('', { answers: ['Yes', null] }), false, [dialog, other]],
    ['no places', result('', { answer: 'Yes' }), false, [dialog, other]],
  ]) {
    assert.equal(isSilent(had, dialog, asked), silent, name)
  }
  for (const title of ['', 'Yes']) {
    assert.equal(isSilent(result('The user chose Yes.'), select(title, ['Yes', 'No'])), false)
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
    [
      'two lists that differ',
      { answers: ['Yes', 'Yes'], chosen: ['No', 'No'] },
      [undefined, undefined],
      pair,
    ],
    ['one of its own', { answers: ['Yes', 'No', 'Maybe'] }, [0, 0, 0], [...pair, third]],
    ['its own alone', { value: 'Maybe' }, [undefined, undefined, 0], [...pair, third]],
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
