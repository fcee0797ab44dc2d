'use strict'
// What an MCP server asks, and what it takes for an answer: tables, and many random ones.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  fits,
  kindOf,
  toCardResult,
  toForm,
  toQuestions,
  toResult,
} = require('../main/hosts/mcp-form.js')

const TITLED = {
  type: 'string',
  title: 'Which database?',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const PLAIN = { type: 'string', enum: ['pg', 'sqlite'] }
const NAMED = { ...PLAIN, enumNames: ['PostgreSQL', 'SQLite'] }
const MANY = {
  type: 'array',
  description: 'Which features?',
  items: {
    anyOf: [
      { const: 'auth', title: 'Auth' },
      { const: 'mail', title: 'Email, and more' },
    ],
  },
}
const MANY_PLAIN = { type: 'array', items: { type: 'string', enum: ['auth', 'mail'] } }
const TEXT = { type: 'string' }
const BOX = { type: 'boolean', title: 'Proceed?' }

const form = (properties, required = Object.keys(properties), more) => ({
  message: 'Please choose',
  requestedSchema: { type: 'object', properties, required },
  ...more,
})

test('what a request waits for', () => {
  for (const [name, kind, params] of [
    ['titled options', 'question', form({ a: TITLED })],
    ['options', 'question', form({ a: PLAIN })],
    ['named options', 'question', form({ a: NAMED })],
    ['several titled options', 'question', form({ a: MANY })],
    ['several options', 'question', form({ a: MANY_PLAIN })],
    ['two choices', 'question', form({ a: TITLED, b: MANY })],
    ['a form that says so', 'question', form({ a: PLAIN }, ['a'], { mode: 'form' })],
    ['a text that may be left out', 'question', form({ a: PLAIN, b: TEXT }, ['a'])],
    ['a text that is needed', 'other', form({ a: PLAIN, b: TEXT })],
    ['a text alone', 'other', form({ a: TEXT })],
    ['a text alone, not needed', 'other', form({ a: TEXT }, [])],
    ['an empty form', 'permission', form({})],
    ['a box', 'permission', form({ a: BOX })],
    ['boxes', 'permission', form({ a: BOX, b: BOX }, [])],
    ['a box that is needed beside a choice', 'permission', form({ a: PLAIN, b: BOX })],
    ['a box that may be left alone', 'permission', form({ a: PLAIN, b: BOX }, ['a'])],
    ['a box or nothing', 'permission', form({ a: PLAIN, b: { type: ['boolean', 'null'] } }, ['a'])],
    [
      'a text that is filled in by itself',
      'other',
      form({ a: PLAIN, b: { ...TEXT, default: 'all' } }, ['a']),
    ],
    [
      'a number that is filled in by itself',
      'other',
      form({ a: PLAIN, b: { type: 'number', default: 0 } }, ['a']),
    ],
    ['a choice with a default', 'question', form({ a: { ...PLAIN, default: 'pg' } })],
    ['a field that is needed, and not there', 'other', form({ a: PLAIN }, ['a', 'ticket'])],
    ['a field of all objects', 'other', form({ a: PLAIN }, ['a', 'toString'])],
    [
      'a mark of permission',
      'permission',
      form({ a: PLAIN }, ['a'], { _meta: { 'anthropic/permissionDisplay': {} } }),
    ],
    [
      'a mark of approval',
      'permission',
      form({ a: PLAIN }, ['a'], { _meta: { codex_approval_kind: 'x' } }),
    ],
    ['another mark', 'question', form({ a: PLAIN }, ['a'], { _meta: { progressToken: 1 } })],
    ['a page', 'other', { mode: 'url', message: 'Sign in', url: 'https://example.invalid/' }],
    ['another mode', 'other', form({ a: PLAIN }, ['a'], { mode: 'later' })],
    ['one option', 'other', form({ a: { ...PLAIN, enum: ['only'] } })],
    ['no options', 'other', form({ a: { ...PLAIN, enum: [] } })],
    ['a value twice', 'other', form({ a: { ...PLAIN, enum: ['x', 'x'] } })],
    [
      'a title twice',
      'other',
      form({
        a: {
          type: 'string',
          oneOf: [
            { const: 'x', title: 'Same' },
            { const: 'y', title: 'Same' },
          ],
        },
      }),
    ],
    ['options without a type', 'other', form({ a: { oneOf: TITLED.oneOf } })],
    ['numbers', 'other', form({ a: { type: 'number', enum: [1, 2] } })],
    ['a number among them', 'other', form({ a: { ...PLAIN, enum: ['x', 2] } })],
    ['more than there are', 'other', form({ a: { ...MANY, minItems: 3 } })],
    ['more than it takes', 'other', form({ a: { ...MANY, minItems: 2, maxItems: 1 } })],
    ['none of several', 'other', form({ a: { ...MANY, maxItems: 0 } }, [])],
    [
      'more than are read out',
      'other',
      form({ a: { type: 'array', items: { enum: [...'abcdefghij'] }, minItems: 9 } }),
    ],
    [
      'two with the same text',
      'other',
      form({ a: { ...PLAIN, title: 't' }, b: { ...PLAIN, title: 't' } }),
    ],
    ['as long as is read out', 'question', form({ a: PLAIN }, ['a'], { message: 'é'.repeat(300) })],
    ['a letter more', 'other', form({ a: PLAIN }, ['a'], { message: 'é'.repeat(301) })],
    [
      'a message so long that its field is not heard',
      'other',
      form({ a: TITLED }, ['a'], { message: 'x'.repeat(290) }),
    ],
    [
      'a second field that is not heard to its end',
      'other',
      form({ a: TITLED, b: { ...PLAIN, description: 'x'.repeat(301) } }),
    ],
    ['no schema', 'other', { message: 'Please choose' }],
    ['no fields', 'other', { message: 'Please choose', requestedSchema: { type: 'object' } }],
    ['a field that is none', 'other', form({ a: null })],
    ['nothing', 'other', undefined],
  ]) {
    assert.equal(kindOf(params), kind, name)
  }
})

test('a form as a live call sees it', () => {
  const options = (...labels) => labels.map((label) => ({ label }))
  const question = (text, labels, multiSelect = false) => ({
    question: text,
    options: options(...labels),
    multiSelect,
  })
  for (const [name, params, questions] of [
    ['one: the message', form({ a: PLAIN }), [question('Please choose', ['pg', 'sqlite'])]],
    [
      'one that says something of itself: both',
      form({ a: TITLED }),
      [question('Please choose: Which database?', ['PostgreSQL', 'SQLite'])],
    ],
    [
      'all that it says of itself, and each once',
      form({ a: { ...PLAIN, title: 'Drop it?', description: 'At once.' } }, ['a'], {
        message: ' Drop it? ',
      }),
      [question('Drop it? At once.', ['pg', 'sqlite'])],
    ],
    [
      'no message',
      form({ a: TITLED, b: PLAIN }, [], { message: ' ' }),
      [question('Which database?', ['PostgreSQL', 'SQLite']), question('b', ['pg', 'sqlite'])],
    ],
    ['names', form({ a: NAMED }), [question('Please choose', ['PostgreSQL', 'SQLite'])]],
    [
      'names that do not fit',
      form({ a: { ...PLAIN, enumNames: ['One'] } }),
      [question('Please choose', ['pg', 'sqlite'])],
    ],
    [
      'several: the message with the first',
      form({ a: MANY, b: TITLED, c: PLAIN }),
      [
        question('Please choose: Which features?', ['Auth', 'Email, and more'], true),
        question('Which database?', ['PostgreSQL', 'SQLite']),
        question('c', ['pg', 'sqlite']),
      ],
    ],
    [
      'several without a text of their own: their names',
      form({ a: PLAIN, b: PLAIN }),
      [question('Please choose: a', ['pg', 'sqlite']), question('b', ['pg', 'sqlite'])],
    ],
    [
      'at most one of several',
      form({ a: { ...MANY_PLAIN, maxItems: 1 } }),
      [question('Please choose', ['auth', 'mail'])],
    ],
    ...[
      [{ minItems: 2 }, 'Choose 2 or more. Please choose'],
      [{ minItems: 2, maxItems: 3 }, 'Choose 2 to 3. Please choose'],
      [{ minItems: 2, maxItems: 2 }, 'Choose 2. Please choose'],
      [{ maxItems: 2 }, 'Choose 2 at most. Please choose'],
      [{ minItems: 1, maxItems: 9 }, 'Please choose'],
    ].map(([bounds, text]) => [
      JSON.stringify(bounds),
      form({ a: { type: 'array', items: { enum: ['w', 'x', 'y', 'z'] }, ...bounds } }),
      [question(text, ['w', 'x', 'y', 'z'], true)],
    ]),
  ]) {
    assert.deepEqual(toQuestions(toForm(params)), questions, name)
  }
})

test('an answer as the server takes it: values, by the name of the field', () => {
  for (const [name, params, indexes, content] of [
    ['a title', form({ a: TITLED }), [[1]], { a: 'sqlite' }],
    ['a name', form({ a: NAMED }), [[0]], { a: 'pg' }],
    ['several', form({ a: MANY }), [[0, 1]], { a: ['auth', 'mail'] }],
    ['one of several', form({ a: { ...MANY, maxItems: 1 } }), [[1]], { a: ['mail'] }],
    ['two fields', form({ a: TITLED, b: MANY_PLAIN }), [[0], [1]], { a: 'pg', b: ['mail'] }],
    [
      'composed letters stay as they are',
      form({ a: { ...PLAIN, enum: ['cafe\u0301', 'caf\u00e9s'] } }),
      [[0]],
      { a: 'cafe\u0301' },
    ],
  ]) {
    assert.deepEqual(toResult(toForm(params), indexes), { action: 'accept', content }, name)
  }
  const proto = form(JSON.parse(`{"__proto__":${JSON.stringify(PLAIN)}}`), ['__proto__'])
  assert.equal(JSON.stringify(toResult(toForm(proto), [[0]]).content), '{"__proto__":"pg"}')
})

test('how many may be chosen', () => {
  const three = { type: 'array', items: { enum: ['x', 'y', 'z'] } }
  for (const [name, field, count, isFitting] of [
    ['one of one', PLAIN, 1, true],
    ['at least two: one', { ...three, minItems: 2 }, 1, false],
    ['at least two: two', { ...three, minItems: 2 }, 2, true],
    ['at most two: three', { ...three, maxItems: 2 }, 3, false],
    ['a bound that is none', { ...three, minItems: 'two' }, 1, true],
  ]) {
    assert.equal(fits(toForm(form({ a: field })), [[0, 1, 2].slice(0, count)]), isFitting, name)
  }
})

test('an answer of the card', () => {
  const params = form({ a: TITLED, b: MANY }, ['a'])
  for (const [name, answers, content] of [
    ['all', [['SQLite'], ['Auth', 'Email, and more']], { a: 'sqlite', b: ['auth', 'mail'] }],
    ['one left out', [['SQLite'], null], { a: 'sqlite' }],
    ['none of several', [['SQLite'], []], { a: 'sqlite', b: [] }],
    ['one left out that is needed', [null, ['Auth']], null],
    ['a value for a title', [['sqlite'], null], null],
    ['free text', [['MariaDB'], null], null],
    ['two of one', [['SQLite', 'PostgreSQL'], null], null],
    ['one twice', [['SQLite'], ['Auth', 'Auth']], null],
    ['too few', [['SQLite']], null],
    ['a text', 'SQLite', null],
    ['no list', ['SQLite', null], null],
  ]) {
    const result = content && { action: 'accept', content }
    assert.deepEqual(toCardResult(toForm(params), answers), result, name)
  }
})

test('ten thousand random requests: nothing throws, and what is a question can be answered', () => {
  let state = 3
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = (list) => list[next(list.length)]
  const names = [
    'type',
    'enum',
    'enumNames',
    'oneOf',
    'anyOf',
    'items',
    'const',
    'title',
    'minItems',
    'maxItems',
  ]
  const values = [
    'string',
    'array',
    'boolean',
    'x',
    'y',
    1,
    0,
    null,
    undefined,
    true,
    ['x', 'y'],
    ['x', 1],
    TITLED.oneOf,
  ]
  const field = (depth) => {
    if (next(8) === 0) return pick(values)
    const known = pick([TITLED, PLAIN, NAMED, MANY, MANY_PLAIN, TEXT, BOX, {}])
    const changed = Array.from({ length: next(3) }, () => [
      pick(names),
      depth > 0 && next(3) === 0 ? field(depth - 1) : pick(values),
    ])
    return { ...known, ...Object.fromEntries(changed) }
  }
  let questions = 0
  for (let round = 0; round < 10_000; round++) {
    const properties = Object.fromEntries(
      Array.from({ length: next(4) }, (_, n) => [pick(['a', 'b', '__proto__']) + n, field(2)]),
    )
    const params = form(properties, next(2) === 0 ? [] : Object.keys(properties))
    if (kindOf(params) !== 'question') continue
    questions += 1
    const choices = toForm(params)
    assert.equal(toQuestions(choices).length, choices.length)
    const first = choices.map(({ min }) => [...Array(Math.max(1, min)).keys()])
    const { content } = toResult(choices, first)
    for (const { name, values: allowed } of choices) {
      assert.ok([content[name]].flat().every((one) => allowed.includes(one)))
    }
  }
  assert.ok(questions > 1_000)
})
