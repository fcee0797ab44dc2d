'use strict'
// The schemas through a validator that JavaScript programs use.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const Ajv = require('ajv/dist/2020')
const { SpokenQuestion } = require('..')
const { one } = require('./support.js')

const question = {
  inputId: 'i',
  sessionId: 's',
  questions: [
    { question: 'one', options: ['a', 'b'] },
    { question: 'many', options: ['c', 'd'], multiSelect: true },
  ],
}
const entry = (questionIndex, ...options) => ({ questionIndex, options })
const payload = (...answers) => ({ kind: 'respond-input', answers })

test('what Ajv accepts under each dialect', () => {
  const spoken = new SpokenQuestion(question)
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false })
  const full = ajv.compile(spoken.schema())
  const strict = ajv.compile(spoken.schema('strict'))
  const table = [
    ['right', payload(entry(0, 'a'), entry(1, 'c', 'd')), true, true],
    ['a label of the other question', payload(entry(0, 'c'), entry(1, 'd')), false, false],
    ['one question twice', payload(entry(0, 'a'), entry(0, 'b')), false, true],
    ['one missing', payload(entry(0, 'a')), false, true],
    ['two where one is taken', payload(entry(0, 'a', 'b'), entry(1, 'c')), false, true],
    ['another kind', { ...payload(entry(0, 'a'), entry(1, 'c')), kind: 'approve' }, false, false],
  ]
  for (const [name, value, isFull, isStrict] of table) {
    assert.equal(full(value), isFull, `2020-12: ${name}`)
    assert.equal(strict(value), isStrict, `strict: ${name}`)
    assert.equal(spoken.validate(value).status === 'accepted', isFull, `validate: ${name}`)
  }
})

test('2020-12 is the default, and nothing can be written to an unanswerable question', () => {
  const spoken = new SpokenQuestion(question)
  assert.deepEqual(spoken.schema(), spoken.schema('2020-12'))
  const none = new SpokenQuestion(one(['a', 'a']))
  assert.deepEqual(none.schema(), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    not: {},
  })
  assert.deepEqual(none.schema('strict'), {
    type: 'object',
    properties: {},
    required: [],
    additionalProperties: false,
  })
})
