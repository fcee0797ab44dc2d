'use strict'
// The page on adapters: its programs are the files beside it, and they run.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { runInThisContext } = require('node:vm')
const { Agent } = require('../demo/adapter/agent.js')
const { createSlipHost } = require('../demo/adapter/host.js')
const { ROOT } = require('./support.js')

const read = (...name) => fs.readFileSync(path.join(ROOT, ...name), 'utf8')

const page = read('docs', 'write-an-adapter.md')
const programs = Array.from(page.matchAll(/```js\n([^]*?)```/g), ([, program]) => program)

test('the page has the adapter and its checks as they are', () => {
  assert.deepEqual(programs.slice(0, 2), [
    read('demo', 'adapter', 'host.js'),
    read('demo', 'adapter', 'host.test.js'),
  ])
  assert.ok(read('README.md').includes('(docs/write-an-adapter.md)'))
})

/** The adapter of the page with one slip that was answered; what the card was told, or is open. */
async function slipped(slip, during) {
  const agent = new Agent()
  const host = createSlipHost(agent, 's')
  const number = agent.hand(slip)
  const [input] = await host.openInputs('s')
  if (during === undefined) return input
  const given = host.answerOnDesktop(input.inputId, [[slip.choices[0].title]])
  during(agent, number, slip)
  return Promise.race([given, new Promise((done) => setTimeout(done, 50, 'nothing'))])
}
const choice = (code, title) => ({ code, title })
const LETTERS = { type: 'choice', text: 'Which?', choices: [choice('a', 'A'), choice('b', 'B')] }

test('the adapter of the page: codes that only look alike prove nothing', async () => {
  const slip = { ...LETTERS, choices: [choice('a,b', 'A'), choice('c', 'C')], several: true }
  const told = await slipped(slip, (agent, number) =>
    agent.emit('filled', { number, codes: ['a', 'b'] }),
  )
  assert.deepEqual(told, { status: 'rejected', code: 'already-resolved' })
})

test('the adapter of the page: what becomes of a slip later changes nothing', async () => {
  const told = await slipped(structuredClone(LETTERS), (_, __, slip) => {
    for (const one of slip.choices) one.code = 'changed'
  })
  assert.deepEqual(told, { status: 'resolved' })
})

test('the adapter of the page: a choice that is none is no question, and nothing is thrown', async () => {
  for (const choices of [[null], [choice('a', 'A'), undefined], [{ code: 'a' }]]) {
    assert.equal((await slipped({ ...LETTERS, choices })).kind, 'other')
  }
})

require('../demo/adapter/host.test.js')

// The last one is nowhere else.
runInThisContext(`(require) => {${programs[2]}}`)(require)
