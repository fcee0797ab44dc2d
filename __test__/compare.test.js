'use strict'
// `npm run compare`: that its judge sees what goes wrong, in ways that are broken on purpose.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { judge } = require('../tools/compare/judge.js')
const { withTables } = require('../tools/compare/page.js')
const { compare } = require('../tools/compare/ways.js')
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
        await voice.say('That did not get through.')
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
