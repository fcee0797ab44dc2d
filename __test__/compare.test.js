'use strict'
// `npm run compare`: that its judge sees what goes wrong, in ways that are broken on purpose.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { REFUSALS } = require('..')
const { NOT_ARRIVED, judge, saysArrived, saysNone } = require('../tools/compare/judge.js')
const { withTables } = require('../tools/compare/page.js')
const { compare, ways: compared } = require('../tools/compare/ways.js')
const { play } = require('../tools/compare/world.js')

/** Something to be done, and an answer, once the question was read out. */
const scenario = {
  host: { closesAfterMs: 1_000 },
  steps: [
    [0, 'ask', { inputId: 'q1', questions: [{ question: 'Go on?', options: ['Yes', 'No'] }] }],
    [5_000, 'says', 'run the tests', { began: 4_500 }],
    [7_000, 'says', 'No', { began: 6_500 }],
  ],
  wanted: [[['No']]],
  passes: ['run the tests'],
}

/** A way that reads out, passes work on, answers and says so; `broken` does something else instead. */
const way = (broken) => (world) => {
  const { host, voice } = world
  const acts = {
    asked: () => voice.say('Go on? Yes or no? Yes / No'),
    work: (words) => host.instruct(words),
    async answer(words) {
      await host.answer('q1', [[words]])
      await voice.say(`Done: ${words}.`)
    },
    ...broken(world),
  }
  host.watch(({ type }) => type === 'asked' && acts.asked())
  return { hear: ({ words }) => (words === 'No' ? acts.answer(words) : acts.work(words)) }
}

const nothing = () => {}
const ways = {
  'is as it should be': [() => ({}), []],
  'gives another answer': [
    ({ host }) => ({ answer: () => host.answer('q1', [['Yes']]) }),
    ['wrong'],
  ],
  'passes an answer on as work too': [
    ({ host }) => ({
      answer: (words) => (host.instruct(words), host.answer('q1', [[words]])),
    }),
    ['wrong'],
  ],
  'answers twice': [
    ({ host }) => ({
      answer: (words) => Promise.all([words, words].map((one) => host.answer('q1', [[one]]))),
    }),
    ['double'],
  ],
  'answers before anybody spoke': [
    ({ host }) => ({ asked: () => host.answer('q1', [['No']]), answer: nothing }),
    ['unheard'],
  ],
  'leaves an option out': [({ voice }) => ({ asked: () => voice.say('Go on? Yes') }), ['unheard']],
  'drops work': [() => ({ work: nothing }), ['lost']],
  'drops an answer': [() => ({ answer: nothing }), ['lost']],
  'passes an answer on as work only': [
    ({ host }) => ({ answer: (words) => host.instruct(words) }),
    ['lost'],
  ],
  'refuses an answer': [
    ({ voice }) => ({ answer: () => voice.say('Which one?') }),
    ['needlessly refused'],
  ],
  'says that it answered': [
    ({ voice }) => ({ answer: () => voice.say('Done: No.') }),
    ['lost', 'told what is not so'],
  ],
  'says that it did not': [
    ({ host, voice }) => ({
      async answer(words) {
        await host.answer('q1', [[words]])
        await voice.say('That came too late.')
      },
    }),
    ['told what is not so'],
  ],
}

for (const [what, [broken, faults]] of Object.entries(ways)) {
  test(`a way that ${what}: ${faults.join(', ') || 'right'}`, async () => {
    assert.deepEqual(judge(scenario, await play(scenario, way(broken))), faults)
  })
}

/** Answers, and then says this. */
const answersAndSays = (text) =>
  way(({ host, voice }) => ({
    async answer(words) {
      await host.answer('q1', [[words]])
      await voice.say(text)
    },
  }))

for (const [reason, { message }] of Object.entries(REFUSALS)) {
  const faults = NOT_ARRIVED.includes(reason) ? ['told what is not so'] : []
  test(`a way that answers and says ${reason}: ${faults.join() || 'right'}`, async () => {
    assert.deepEqual(judge(scenario, await play(scenario, answersAndSays(message))), faults)
    // One that is new, or has other words, and says so is to be on the list.
    const denies = /nothing was answered|not accepted|passed on|still open/
    if (denies.test(message)) assert.ok(NOT_ARRIVED.includes(reason))
  })
}

const question = { inputId: 'q1', questions: [{ question: 'Go on?', options: ['Yes', 'No'] }] }
const model = { name: 'answer_question', value: ['No'] }
const answered = [
  [0, 'ask', question],
  [5_000, 'says', 'No', { began: 4_500, model }],
]

test('the judge knows the words in which each way says that an answer arrived', async () => {
  for (const [name, open] of Object.entries(await compared())) {
    const played = await play({ steps: answered }, open)
    assert.deepEqual(judge({ wanted: [[['No']]] }, played), [], name)
    assert.equal(played.said.filter(saysArrived).length, 1, name)
    // The same words, and the agent was given nothing.
    const { text } = played.said.find(saysArrived)
    const claims = way(({ voice }) => ({ answer: () => voice.say(text) }))
    const faults = judge(scenario, await play(scenario, claims))
    assert.deepEqual(faults, ['lost', 'told what is not so'], name)
  }
})

test('the judge knows the words in which each way says that the card was first', async () => {
  const steps = [...answered, [5_070, 'card', 'q1', [['Yes']]]]
  for (const [name, open] of Object.entries(await compared())) {
    const played = await play({ steps }, open)
    assert.equal(played.said.filter(saysNone).length, 1, name)
    const { text } = played.said.find(saysNone)
    const faults = judge(scenario, await play(scenario, answersAndSays(text)))
    assert.deepEqual(faults, ['told what is not so'], name)
  }
})

test('every way is told all of what the host tells, and none believes its reply alone', async () => {
  const steps = [...answered, [8_000, 'says', 'No', { began: 7_500, model }]]
  const host = { losesReply: true, closesAfterMs: 4_000 }
  for (const [name, open] of Object.entries(await compared())) {
    const played = await play({ host, steps }, open)
    assert.equal(played.openings[0].answers.length, 1, name)
    assert.equal(played.said.filter(saysArrived).length, 1, name)
  }
})

test('twenty scenarios; this package never answers twice, nor what was not read out', async () => {
  const rows = await compare()
  assert.equal(rows.length, 20)
  for (const { scenario: played, faults } of rows) {
    const never = faults['spoken-answer'].filter((one) => ['double', 'unheard'].includes(one))
    assert.deepEqual(never, [], played.name)
  }
})

test('the tables of a page are replaced, and nothing else of it', () => {
  const page = 'before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n'
  const made = 'before\n<!-- a -->\nnew\n<!-- end of a -->\nafter\n'
  assert.equal(withTables(page, { a: 'new' }), made)
  assert.equal(withTables(made, { a: 'new' }), made)
})
