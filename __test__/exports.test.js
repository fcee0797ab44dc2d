'use strict'
// What the package exports, from CommonJS and from ESM, and that constants are constant.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const commonjs = require('..')

test('the same names in CommonJS and ESM', async () => {
  const names = [
    'LIMITS',
    'LiveCallMachine',
    'REFUSALS',
    'SpokenQuestion',
    'formatQuestionFeedback',
    'matchUtterance',
    'validateAnswer',
  ]
  assert.deepEqual(Object.keys(commonjs).sort(), names)
  const esm = await import('../index.js')
  for (const name of names) assert.equal(esm[name], commonjs[name])
})

test('constants are frozen', () => {
  const { LIMITS, REFUSALS } = commonjs
  assert.ok(Object.isFrozen(LIMITS) && Object.isFrozen(REFUSALS))
  assert.ok(Object.values(REFUSALS).every(Object.isFrozen))
  assert.deepEqual(LIMITS, {
    questions: 8,
    options: 8,
    questionChars: 300,
    optionChars: 120,
    feedbackBytes: 1100,
    answerBytes: 131072,
    hostOptions: 256,
    hostBytes: 65536,
    idBytes: 256,
  })
  assert.equal(Object.keys(REFUSALS).length, 31)
})

test('a refusal carries the sentence of its reason', () => {
  const { message, next, reason } = commonjs.validateAnswer(null, [])
  assert.deepEqual({ message, next }, commonjs.REFUSALS[reason])
})

test('a prepared question can be used in a worker as well', async () => {
  const { Worker } = require('node:worker_threads')
  const script = `
    const { SpokenQuestion } = require(${JSON.stringify(require.resolve('..'))})
    const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options: ['a'] }] }
    require('node:worker_threads').parentPort.postMessage(
      new SpokenQuestion(question).validate('[{"questionIndex":0,"options":["a"]}]').status)`
  for (let round = 0; round < 3; round++) {
    const worker = new Worker(script, { eval: true })
    const status = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
    })
    assert.equal(status, 'accepted')
    await worker.terminate()
  }
})
