'use strict'
// What our extension for Pi asks, and what it takes for an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const form = require('../main/hosts/pi-form.js')
const { FACTS } = require('./asking.js')

const ask = (question, labels, multiSelect) => ({
  question,
  options: labels.map((label) => ({ label })),
  ...(multiSelect === undefined ? {} : { multiSelect }),
})
const labelsOf = ({ options }) => options.map(({ label }) => label)
const ONE = ask('Which?', ['a', 'b'])
const MANY = ask('What else?', ['c', 'd', 'e'], true)
const BOTH = [ONE, MANY]
const BY = { kind: 'voice', callId: 'c' }

test('what can be asked', () => {
  for (const [name, args, isAskable] of [
    ['one', { questions: [ONE] }, true],
    ['several', { questions: BOTH }, true],
    [
      'a description',
      { questions: [{ ...ONE, options: [{ label: 'a', description: 'why' }] }] },
      true,
    ],
    ['none', { questions: [] }, false],
    ['a hole', { questions: Array(1) }, false],
    ['no list', { questions: ONE }, false],
    ['nothing', undefined, false],
    ['no text', { questions: [{ options: ONE.options }] }, false],
    ['no options', { questions: [ask('Which?', [])] }, false],
    ['options that are texts', { questions: [{ question: 'Which?', options: ['a'] }] }, false],
    ['a blank label', { questions: [ask('Which?', [' '])] }, false],
    ['the same label twice', { questions: [ask('Which?', ['a', 'a'])] }, false],
    [
      'a description that is none',
      { questions: [{ ...ONE, options: [{ label: 'a', description: 1 }] }] },
      false,
    ],
    ['multiSelect as text', { questions: [ask('Which?', ['a'], 'yes')] }, false],
  ]) {
    assert.equal(form.areQuestions(args), isAskable, name)
  }
})

test('how a client shows it that knows nothing of this', () => {
  const described = { ...ONE, options: [{ label: 'a', description: 'why' }, { label: 'b' }] }
  assert.equal(
    form.toTitle([described]),
    'Which?\n1. a — why\n2. b\n\nReply with the number, like: 1',
  )
  assert.equal(
    form.toTitle([MANY]),
    'What else? (one or more)\n1. c\n2. d\n3. e\n\nReply with the numbers, like: 1, 2',
  )
  assert.equal(
    form.toTitle(BOTH),
    'Question 1 of 2: Which?\n1. a\n2. b\n\nQuestion 2 of 2: What else? (one or more)\n1. c\n2. d\n3. e\n\n' +
      'Reply with the numbers, like: 1; 1, 2',
  )
  assert.deepEqual([form.toPlaceholder([ONE]), form.toPlaceholder(BOTH)], ['1', '1; 1, 2'])
})

test('what is a reply', () => {
  const reply = (more) => JSON.stringify({ 'spoken-answer': 1, resolvedBy: BY, ...more })
  const desktop = { kind: 'desktop' }
  const client = { kind: 'client' }
  for (const [name, value, outcome] of [
    ['positions', reply({ answers: [[1], [0, 2]] }), { answers: [[1], [0, 2]], resolvedBy: BY }],
    [
      'free text of the card',
      reply({ answers: [['x'], [0, 'y']], resolvedBy: desktop }),
      { answers: [['x'], [0, 'y']], resolvedBy: desktop },
    ],
    [
      'skipped on the card',
      reply({ answers: [null, [0]], resolvedBy: desktop }),
      { answers: [null, [0]], resolvedBy: desktop },
    ],
    [
      'declined on the card',
      reply({ declined: true, resolvedBy: desktop }),
      { declined: true, resolvedBy: desktop },
    ],
    ['free text by voice', reply({ answers: [['a'], [0]] }), null],
    ['skipped by voice', reply({ answers: [null, [0]] }), null],
    ['declined by voice', reply({ declined: true }), null],
    ['nobody', reply({ answers: [[1], [0]], resolvedBy: undefined }), null],
    ['somebody else', reply({ answers: [[1], [0]], resolvedBy: { kind: 'host' } }), null],
    ['out of range', reply({ answers: [[2], [0]] }), null],
    ['below it', reply({ answers: [[-1], [0]] }), null],
    ['half', reply({ answers: [[0.5], [0]] }), null],
    ['two of one', reply({ answers: [[0, 1], [0]] }), null],
    ['the same twice', reply({ answers: [[0], [1, 1]] }), null],
    ['none', reply({ answers: [[], [0]] }), null],
    ['one question', reply({ answers: [[0]] }), null],
    ['three questions', reply({ answers: [[0], [0], [0]] }), null],
    ['no answers', reply({}), null],
    ['another version', reply({ 'spoken-answer': 2, answers: [[0], [0]] }), null],
    ['half a reply', reply({ answers: [[0], [0]] }).slice(0, -1), null],
    ['typed', '2; 1, 3', { answers: [[1], [0, 2]], resolvedBy: client }],
    ['typed with spaces', ' 1 ;3 ', { answers: [[0], [2]], resolvedBy: client }],
    ['typed for one of two', '2', null],
    ['typed out of range', '3; 1', null],
    ['typed twice', '1; 2, 2', null],
    ['typed words', 'a; c', null],
    ['typed zero', '0; 1', null],
    ['empty', '', null],
    ['a number', 1, null],
    ['a list', [1], null],
    ['nothing', undefined, null],
  ]) {
    assert.deepEqual(form.readReply(BOTH, value), outcome, name)
  }
})

test('who answered, as a session keeps it: what is known and short, and nothing else', () => {
  const speaker = { id: 's', attribution: 'diarised', words: 'secret' }
  const long = 'x'.repeat(257)
  const resolvedBy = {
    ...FACTS,
    provider: long,
    digest: '1:d',
    shortened: true,
    text: 'secret',
    speaker,
  }
  const reply = form.toReply({ entries: [[0]], resolvedBy })
  assert.deepEqual(form.readReply([ONE], reply).resolvedBy, {
    ...FACTS,
    digest: '1:d',
    shortened: true,
    speaker: { id: 's', attribution: 'diarised' },
  })
})

test('what the model is told, and whether it was told so', () => {
  const quoted = ask('Say "which"?', ['Red, green', 'the "fast" way'], true)
  for (const [name, questions, outcome, text] of [
    ['one', [ONE], { answers: [[1]] }, 'The user answered.\n"Which?": "b"'],
    [
      'several',
      BOTH,
      { answers: [[0], [0, 2]] },
      'The user answered.\n"Which?": "a"\n"What else?": "c", "e"',
    ],
    [
      'quotes and commas',
      [quoted],
      { answers: [[0, 1]] },
      'The user answered.\n"Say \\"which\\"?": "Red, green", "the \\"fast\\" way"',
    ],
    [
      'free text',
      BOTH,
      { answers: [['x'], [0, 'y']] },
      'The user answered.\n"Which?": in their own words "x"\n"What else?": "c", in their own words "y"',
    ],
    ['skipped', [ONE], { answers: [null] }, 'The user answered.\n"Which?": skipped'],
    ['declined', [ONE], { declined: true }, 'The user declined to answer.'],
  ]) {
    const result = form.toResult(questions, outcome)
    assert.deepEqual([result.content, result.isError], [[{ type: 'text', text }], undefined], name)
    const arrived = JSON.parse(JSON.stringify(result))
    assert.deepEqual(form.readResult(questions, arrived, false), outcome, name)
    // Another extension has changed what the model is told, or what stands beside it.
    const content = [{ type: 'text', text: 'The user answered.\n"Which?": "a!"' }]
    assert.equal(form.readResult(questions, { ...arrived, content }, false), undefined, name)
    assert.equal(form.readResult(questions, { content: arrived.content }, false), undefined, name)
    assert.equal(form.readResult(questions, arrived, true), null, name)
  }
  for (const reason of ['aborted', 'dismissed', 'malformed', 'nobody']) {
    const result = form.toResult([ONE], { reason })
    assert.match(result.content[0].text, /^Not answered: .+\. Nobody has decided anything\.$/)
    assert.doesNotMatch(result.content[0].text, /declined|undefined/)
    assert.deepEqual([result.isError, result.details], [true, { status: 'not-answered', reason }])
    assert.equal(form.readResult([ONE], result, true), null)
    // Where an older Pi does not pass on that it is an error.
    assert.equal(form.readResult([ONE], result, false), null)
  }
  for (const had of [
    undefined,
    null,
    'text',
    {},
    { details: { status: 'answered', answers: [[7]] } },
  ]) {
    assert.equal(form.readResult([ONE], had, false), undefined)
  }
})

test('labels as positions: what is no label is free text', () => {
  const entries = form.toEntries(BOTH, [['b'], ['e', 'x']])
  assert.deepEqual(entries, [[1], [2, 'x']])
  assert.deepEqual(form.toEntries(BOTH, [null, ['c']]), [null, [0]])
  assert.equal(form.toPositions(entries), undefined)
  assert.equal(form.toPositions([null]), undefined)
  assert.deepEqual(form.toPositions([[0], [1, 2]]), [[0], [1, 2]])
})

test('a number that somebody typed and that is the label of another option is no answer', () => {
  const question = ask('How many?', ['2', '3', ' 1', '4'])
  const client = { kind: 'client' }
  for (const [typed, answers] of [
    ['1', null],
    ['2', null],
    ['3', null],
    ['4', [[3]]],
  ]) {
    const outcome = answers && { answers, resolvedBy: client }
    assert.deepEqual(form.readReply([question], typed), outcome, typed)
  }
  // By position it is one.
  const reply = form.toReply({ entries: [[0]], resolvedBy: BY })
  assert.deepEqual(form.readReply([question], reply).answers, [[0]])
})

/** Small numbers that are the same every time. */
function numbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('ten thousand random answers: each arrives as what was chosen', () => {
  const next = numbers(5)
  const parts = ['a', ', ', ';', '1', '"', '\\', '\n', '\u2028', 'é', '{', ': ', '__proto__']
  const text = () => Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]).join('')
  for (let round = 0; round < 10_000; round++) {
    const questions = Array.from({ length: 1 + next(3) }, () => {
      const labels = new Set(Array.from({ length: 1 + next(4) }, text))
      return ask(
        text(),
        [...labels].filter((label) => label.trim() !== ''),
        next(2) === 1,
      )
    })
    if (!form.areQuestions({ questions })) continue
    const chosen = questions.map(({ options, multiSelect }) => {
      const all = options.map((_, n) => n)
      const some = all.filter(() => next(2) === 1)
      return multiSelect && some.length > 0 ? some : [next(all.length)]
    })
    const labels = chosen.map((some, n) => some.map((at) => questions[n].options[at].label))
    const entries = form.toEntries(questions, labels)
    assert.deepEqual(entries, chosen)
    const { answers } = form.readReply(questions, form.toReply({ entries, resolvedBy: BY }))
    assert.deepEqual(answers, chosen)
    const result = JSON.parse(JSON.stringify(form.toResult(questions, { answers })))
    assert.deepEqual(form.readResult(questions, result, false), { answers: chosen })
    const lines = result.content[0].text.split('\n').slice(1)
    assert.deepEqual(
      lines.map((line, n) =>
        JSON.parse(`[${line.slice(JSON.stringify(questions[n].question).length + 2)}]`),
      ),
      labels,
    )
    const typed = chosen.map((some) => some.map((at) => at + 1).join(', ')).join('; ')
    // A number that is also the label of another option may mean either.
    const isClear = chosen.every((some, n) =>
      some.every((at) =>
        labelsOf(questions[n]).every((label, m) => m === at || label.trim() !== `${at + 1}`),
      ),
    )
    assert.deepEqual(form.readReply(questions, typed)?.answers, isClear ? chosen : undefined)
  }
})

test('ten thousand mutated replies and results: nothing throws, and nothing is chosen that is not there', () => {
  const next = numbers(7)
  const good = form.toReply({ entries: [[0], [1]], resolvedBy: BY })
  const odd = [null, true, 0, -1, 1.5, 'x', '', [], {}, [0], [[0], [1]], [[9], [0]], 'voice']
  const names = ['spoken-answer', 'answers', 'declined', 'resolvedBy', 'kind', 'details', 'status']
  for (let round = 0; round < 10_000; round++) {
    const at = next(good.length)
    const cut = good.slice(0, at) + String.fromCharCode(32 + next(96)) + good.slice(at + next(3))
    const object = { ...JSON.parse(good), [names[next(names.length)]]: odd[next(odd.length)] }
    for (const value of [cut, JSON.stringify(object), odd[next(odd.length)]]) {
      const outcome = form.readReply(BOTH, value)
      const positions = (outcome?.answers ?? []).flat()
      assert.ok(
        positions.every((one) => typeof one === 'string' || one === null || one in [0, 1, 2]),
      )
    }
    const details = { status: 'answered', answers: odd[next(odd.length)], ...object }
    form.readResult(BOTH, odd[next(odd.length)], next(2) === 0)
    form.readResult(BOTH, { details, content: odd[next(odd.length)] }, false)
  }
})
