'use strict'
// Hostile values: a refusal after a bounded number of reads, in milliseconds, and no exception.
// (How often each part is read is tested in Rust, tests/it/reads.rs.)

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { SpokenQuestion, formatQuestionFeedback, validateAnswer } = require('..')
const { choose, one } = require('./support.js')

const fine = one(['a', 'b'])
const answer = choose('a')

/** A proxy that counts the properties that are read of it. */
function counted(target) {
  let reads = 0
  const get = (object, key) => {
    reads += 1
    return object[key]
  }
  return { proxy: new Proxy(target, { get }), reads: () => reads }
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function throwing(...keys) {
  const object = {}
  for (const key of keys) {
    Object.defineProperty(object, key, {
      enumerable: true,
      get() {
        throw new Error(`${key} was read`)
      },
    })
  }
  return object
}

const cycle = []
cycle.push(cycle)
const million = () => new Array(1_000_000).fill(5)
const huge = 'x'.repeat(100 * 1024 * 1024)
const deep = '['.repeat(60_000) + ']'.repeat(60_000)

test('a hostile answer is a refusal', () => {
  const malformed = {
    'a million entries': million(),
    'a million labels': [{ questionIndex: 0, options: new Array(1_000_000).fill('a') }],
    'a label of 100 MB': choose(huge),
    'a text of 100 MB': huge,
    'a rope of 100 MB': huge + huge.slice(1),
    'a sparse list': new Array(3),
    'a list of four billion holes': new Array(2 ** 32 - 1),
    'a cycle': cycle,
    'a cycle of objects': Object.assign(
      {},
      {
        get answers() {
          return this
        },
      },
    ),
    'deep JSON': deep,
    'deep arrays': JSON.parse(deep.slice(59_000, -59_000)),
    'a getter that throws': throwing('kind', 'answers'),
    'an entry that throws': [throwing('questionIndex', 'options')],
    'an index that throws in a list': Object.defineProperty([], 0, {
      get() {
        throw 1
      },
    }),
    'a revoked proxy': revoked(),
    'a list of revoked proxies': [revoked()],
    'a proxy of a list': new Proxy(answer, {}),
    'a symbol': Symbol('a'),
    'a function': () => answer,
    'a big integer': 5n,
    'an index that is a big integer': [{ questionIndex: 0n, options: ['a'] }],
    'an index that is not a number': [{ questionIndex: NaN, options: ['a'] }],
    'an infinite index': [{ questionIndex: Infinity, options: ['a'] }],
    'a boxed number': [{ questionIndex: Object(0), options: ['a'] }],
    'a boxed text': choose(Object('a')),
    'half a character': choose('\ud800'),
    'half a character in a text': '[{"questionIndex":0,"options":["\ud800"]}]',
    'a typed array': new Uint8Array(1_000_000),
    'a date': new Date(),
    undefined: undefined,
  }
  for (const [name, answers] of Object.entries(malformed)) {
    const start = process.hrtime.bigint()
    const verdict = validateAnswer(fine, answers)
    const took = Number(process.hrtime.bigint() - start) / 1e6
    assert.equal(verdict.reason, 'malformed-answer', name)
    if (took > 100) console.log(`slow: ${name} took ${took} ms`)
  }
})

test('a hostile question is a refusal', () => {
  const withQuestions = (questions) => ({ inputId: 'i', sessionId: 's', questions })
  const unanswerable = {
    'a million questions': [withQuestions(million()), 'too-many-questions'],
    'a million options': [one(million())],
    'a sparse list of options': [one(new Array(3))],
    'a label of 100 MB': [one([huge])],
    'an id of 100 MB': [{ ...fine, inputId: huge }],
    'half a character in a label': [one(['a\udc00'])],
    'half a character in an id': [{ ...fine, inputId: '\ud83d' }],
    'a cycle': [withQuestions(cycle)],
    'getters that throw': [throwing('inputId', 'sessionId', 'questions')],
    'a label that throws': [one([throwing('label')])],
    'a proxy of a list': [withQuestions(new Proxy(fine.questions, {}))],
    'a date': [new Date()],
    'a question that shrinks while it is read': [
      withQuestions([
        {
          get question() {
            this.options.length = 0
            return 'q'
          },
          options: ['a'],
        },
      ]),
    ],
  }
  for (const [name, [question, reason = 'question-unanswerable']] of Object.entries(unanswerable)) {
    assert.equal(validateAnswer(question, answer).reason, reason, name)
    assert.equal(formatQuestionFeedback(question).reason, reason, name)
    assert.equal(new SpokenQuestion(question).unanswerable.reason, reason, name)
  }
})

test('a revoked proxy is no object that could be read', () => {
  assert.equal(validateAnswer(revoked(), answer).reason, 'not-a-question')
  assert.equal(new SpokenQuestion(revoked()).unanswerable.reason, 'not-a-question')
})

test('each part is read once, so a value that changes cannot be two things', () => {
  let label = 0
  const entry = counted({ questionIndex: 0, options: ['a'] })
  const payload = counted({ kind: 'respond-input', answers: [entry.proxy] })
  const input = counted(fine)
  assert.equal(validateAnswer(input.proxy, payload.proxy).status, 'accepted')
  assert.deepEqual([entry.reads(), payload.reads(), input.reads()], [2, 2, 5])
  const question = one([
    {
      get label() {
        return ['a', 'evil'][label++]
      },
    },
  ])
  const verdict = validateAnswer(question, answer)
  assert.deepEqual([verdict.answers, label], [[['a']], 1])
})

test('an answer that throws leaves no exception behind', () => {
  validateAnswer(fine, throwing('kind'))
  assert.equal(validateAnswer(fine, answer).status, 'accepted')
})

test('what is returned is not connected to what was passed in', () => {
  const question = one(['a', 'b'])
  const spoken = new SpokenQuestion(question)
  question.questions[0].options[0] = 'changed'
  spoken.questions[0].options.length = 0
  assert.deepEqual(spoken.questions[0].options, ['a', 'b'])
  const { JSON: real } = globalThis
  try {
    globalThis.JSON = { parse: () => ({ status: 'accepted' }) }
    assert.equal(spoken.validate([]).status, 'refused')
  } finally {
    globalThis.JSON = real
  }
})

test('a mistake of the calling program is a TypeError with a code', () => {
  const spoken = new SpokenQuestion(fine)
  const table = [
    ['INVALID_QUESTION', () => validateAnswer(5, answer)],
    ['INVALID_QUESTION', () => validateAnswer('q', answer)],
    ['INVALID_QUESTION', () => validateAnswer([5], answer)],
    ['INVALID_QUESTION', () => validateAnswer([fine, null], answer)],
    ['INVALID_QUESTION', () => validateAnswer(() => fine, answer)],
    ['INVALID_QUESTION', () => new SpokenQuestion()],
    ['INVALID_QUESTION', () => new SpokenQuestion(null)],
    ['INVALID_QUESTION', () => new SpokenQuestion([fine])],
    ['INVALID_QUESTION', () => formatQuestionFeedback([fine])],
    ['INVALID_QUESTION', () => formatQuestionFeedback()],
    ['INVALID_EXPECTED', () => validateAnswer(fine, answer, 5)],
    ['INVALID_EXPECTED', () => validateAnswer(fine, answer, null)],
    ['INVALID_BUDGET', () => formatQuestionFeedback(fine, -1)],
    ['INVALID_BUDGET', () => formatQuestionFeedback(fine, 1.5)],
    ['INVALID_BUDGET', () => formatQuestionFeedback(fine, NaN)],
    ['INVALID_BUDGET', () => formatQuestionFeedback(fine, Infinity)],
    ['INVALID_BUDGET', () => formatQuestionFeedback(fine, 2 ** 53)],
    ['INVALID_BUDGET', () => spoken.feedback('1100')],
    ['INVALID_BUDGET', () => spoken.feedback(null)],
    ['INVALID_FROM', () => formatQuestionFeedback(fine, 1100, -1)],
    ['INVALID_FROM', () => spoken.feedback(undefined, 0.5)],
    ['INVALID_FROM', () => spoken.feedback(undefined, '0')],
    ['INVALID_DIALECT', () => spoken.schema('draft-07')],
    ['INVALID_DIALECT', () => spoken.schema(huge)],
    ['INVALID_DIALECT', () => spoken.schema(null)],
  ]
  for (const [code, call] of table) {
    assert.throws(call, (error) => error instanceof TypeError && error.code === code, `${call}`)
  }
  assert.throws(() => SpokenQuestion(fine), TypeError)
  assert.throws(() => SpokenQuestion.prototype.validate.call({}, answer), TypeError)
  assert.throws(() => Reflect.get(SpokenQuestion.prototype, 'digest', {}), Error)
})

test('expected is compared with the digest', () => {
  const { digest } = new SpokenQuestion(fine)
  assert.equal(validateAnswer(fine, answer, digest).status, 'accepted')
  assert.equal(validateAnswer(fine, answer, undefined).status, 'accepted')
  assert.equal(validateAnswer({ ...fine, turnId: 't' }, answer, digest).reason, 'question-changed')
})
