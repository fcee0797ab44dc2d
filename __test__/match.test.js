'use strict'
// What a person said → answers, through the built package.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { SpokenQuestion, matchUtterance } = require('..')
const several = require('../cases/several-questions.json')
const utterances = require('../cases/utterances.json')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')

const ask = (questions) => ({ inputId: 'input-1', sessionId: 'session-1', questions })
const which = (...options) => ask([{ question: 'Which one?', options }])

test('every utterance chooses what it should, and the checker takes what is matched', () => {
  assert.ok(utterances.length >= 270)
  for (const { language, utterance, options, multiSelect, expect, reason } of utterances) {
    const input = ask([{ question: 'Which one?', options, multiSelect }])
    const spoken = new SpokenQuestion(input)
    const match = spoken.match(utterance)
    const labels = expect.map((index) => options[index])
    const wanted =
      labels.length > 0
        ? { status: 'matched', answers: [{ questionIndex: 0, options: labels }] }
        : { status: 'unsure', reason, understood: [] }
    assert.deepEqual(match, wanted, utterance)
    assert.deepEqual(matchUtterance(input, utterance), match, `${utterance}: not prepared`)
    const given = spoken.match(utterance, { language })
    assert.deepEqual(given.answers, match.answers, `${utterance}: ${language}`)
    if (match.status === 'matched') {
      const verdict = spoken.validate(match.answers)
      assert.deepEqual([verdict.status, verdict.optionIndexes], ['accepted', [expect]], utterance)
    }
  }
})

test('several questions in one utterance, and what is understood of them', () => {
  for (const { questions, utterance, expect, reason, understood = [] } of several) {
    const answer = ([questionIndex, options]) => ({
      questionIndex,
      options: options.map((index) => questions[questionIndex].options[index]),
    })
    const wanted =
      expect === undefined
        ? { status: 'unsure', reason, understood: understood.map(answer) }
        : { status: 'matched', answers: expect.map((options, index) => answer([index, options])) }
    assert.deepEqual(matchUtterance(ask(questions), utterance), wanted, utterance)
  }
})

test('an utterance that nobody could have said chooses nothing', () => {
  const nothing = { status: 'unsure', reason: 'nothing-recognised', understood: [] }
  const table = [
    ['empty', ''],
    ['blank', ' \u{FEFF}\n'],
    ['half a character', 'red\ud83d'],
    ['very long', `${'please '.repeat(5_000)}red`],
    ['punctuation', '?!…'],
  ]
  for (const [label, utterance] of table)
    assert.deepEqual(matchUtterance(which('red', 'blue'), utterance), nothing, label)
})

test('mistakes of the calling program are TypeErrors that name the argument', () => {
  const spoken = new SpokenQuestion(which('red', 'blue'))
  const throwing = {
    get language() {
      throw new Error('a getter of the app')
    },
  }
  const table = [
    ['INVALID_QUESTION', () => matchUtterance(5, 'red')],
    ['INVALID_UTTERANCE', () => spoken.match()],
    ['INVALID_UTTERANCE', () => spoken.match(null)],
    ['INVALID_UTTERANCE', () => matchUtterance(which('red'), ['red'])],
    ['INVALID_OPTIONS', () => spoken.match('red', 'en')],
    ['INVALID_OPTIONS', () => spoken.match('red', null)],
    ['INVALID_LANGUAGE', () => spoken.match('red', { language: 'EN' })],
    ['INVALID_LANGUAGE', () => spoken.match('red', { language: 'english' })],
    ['INVALID_LANGUAGE', () => spoken.match('red', { language: 5 })],
    ['INVALID_LANGUAGE', () => spoken.match('red', throwing)],
  ]
  for (const [code, call] of table) {
    assert.throws(call, (error) => error instanceof TypeError && error.code === code, code)
  }
  assert.equal(spoken.match('red', {}).status, 'matched')
  assert.equal(spoken.match('red', { language: undefined }).status, 'matched')
})

test('the example of the README does what it says', () => {
  const readme = fs.readFileSync(path.join(__dirname, '../README.md'), 'utf8')
  const [, example] = readme.match(/## What people say\n[^]*?```js\n([^]*?)```/)
  const lines = example.trim().split('\n')
  const claims = lines.filter((line) => line.startsWith('question.match('))
  assert.equal(claims.length, 5)
  const setUp = lines.filter((line) => !claims.includes(line)).join('\n')
  const run = new Function('require', `${setUp}\nreturn (call) => eval(call)`)
  const evaluate = run((name) => require(name === 'spoken-answer' ? '..' : name))
  for (const claim of claims) {
    const [call, outcome] = claim.split(' // ')
    const { status, answers, reason } = evaluate(call)
    assert.equal(`${status}: ${answers?.[0].options.join(', ') ?? reason}`, outcome, claim)
  }
})

test('in a live call the person’s own words decide, whatever the provider makes of them', async () => {
  const input = { kind: 'question', ...which('Local only', 'Cloud sync', 'Both') }
  const table = [
    ['in their own words', 'uh, the second one please', 'cloud', ['accepted', [[1]]]],
    ['a correction', 'local, no wait, cloud sync', 'Local only', ['accepted', [[1]]]],
    ['the provider made something up', 'maybe the second one', 'Cloud sync', ['not-understood']],
    ['a question asked back', 'what is cloud sync?', 'Cloud sync', ['not-understood']],
    ['ordinary work', 'run the tests first', 'Local only', ['forwarded']],
    ['no transcript', undefined, 'the user picked cloud sync', ['accepted', [[1]]]],
    ['no transcript, other words', undefined, 'the user likes the cloud', ['forwarded']],
    ['no transcript, in plain words', undefined, 'cloud sync', ['accepted', [[1]]]],
  ]
  for (const [label, utterance, instruction, expected] of table) {
    const clock = createManualClock()
    const resolved = []
    const host = {
      proof: 'host',
      watch: () => () => {},
      openInputs: async () => [input],
      resolveInput: async ({ optionIndexes }) => {
        resolved.push(optionIndexes)
        return { status: 'resolved' }
      },
      settlement: async () => ({ status: 'open' }),
    }
    const call = openLiveCall({
      session: { id: 'session-1' },
      host,
      voice: createFakeVoice(),
      clock,
    })
    await clock.advance(10)
    const evidence = { utterance, speechStartedAt: clock.now() }
    const { settled } = call.instruct({ requestId: 'request-1', instruction }, evidence)
    await clock.advance(10)
    const { state, reason } = await settled
    assert.deepEqual([reason ?? state, ...resolved], expected, label)
    await call.close()
  }
})
