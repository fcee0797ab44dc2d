'use strict'
// The shared cases through the built package; and a plain JavaScript version of the rules agrees.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { SpokenQuestion, validateAnswer } = require('..')
const { PlainQuestion } = require('../benches/plain.js')
const cases = require('../cases/answers.json')

test('every case gives the right verdict', () => {
  assert.ok(cases.length >= 59)
  for (const { name, question, answers, expect } of cases) {
    const verdict = validateAnswer(question, answers)
    for (const key of Object.keys(expect))
      assert.deepEqual(verdict[key], expect[key], `${name}: ${key}`)
    if (Array.isArray(question)) continue
    assert.deepEqual(new SpokenQuestion(question).validate(answers), verdict, `${name}: prepared`)
    if (typeof answers === 'object' && answers !== null) {
      const text = JSON.stringify(answers)
      assert.deepEqual(validateAnswer(question, text), verdict, `${name}: as text`)
    }
  }
})

test('the plain version that the benchmark runs beside follows the same rules', () => {
  for (const { name, question, answers, expect } of cases) {
    if (Array.isArray(question)) continue
    const plain = new PlainQuestion(question)
    const verdict = plain.validate(answers)
    for (const key of ['status', 'reason', 'answers']) {
      assert.deepEqual(verdict[key], expect[key], `${name}: ${key}`)
    }
    const spoken = new SpokenQuestion(question)
    if (spoken.digest === '') continue
    for (const budget of [0, 110, 250, 400, 1100, 5000]) {
      for (const from of [0, 1, 9]) {
        assert.deepEqual(
          plain.feedback(budget, from),
          spoken.feedback(budget, from),
          `${name}: ${budget}, ${from}`,
        )
      }
    }
  }
})
