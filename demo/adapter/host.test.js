'use strict'
const { test } = require('node:test')
const { hostChecks } = require('spoken-answer/testing')
const { Agent } = require('./agent.js')
const { createSlipHost } = require('./host.js')

/** The host with an agent that asks, and everything that reached it. */
function makeHost() {
  const agent = new Agent()
  const host = createSlipHost(agent, 'session-1')
  const inputs = []
  host.watch('session-1', ({ type, input }) => type === 'input.requested' && inputs.push(input))
  const slips = []
  agent.on('filled', ({ number, codes }) => slips[number - 1].received.push([codes]))
  const hand = (slip) => {
    slips.push({ number: agent.hand(slip), received: [] })
    return inputs.at(-1).inputId
  }
  const slipOf = (inputId) => slips[inputs.findIndex((input) => input.inputId === inputId)]
  return {
    host,
    sessionId: 'session-1',
    asks: { several: false },
    ask: ([{ question, options, multiSelect }]) =>
      hand({
        type: 'choice',
        text: question,
        choices: options.map(({ label }) => ({ code: label, title: label })),
        several: multiSelect,
      }),
    received: (inputId) => slipOf(inputId)?.received ?? [],
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.find((input) => input.inputId === inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => questions[n].options[index].label),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    withdraw: (inputId) => agent.tear(slipOf(inputId).number),
    hold: () => hand({ type: 'signature', text: 'Sign here.' }),
  }
}

for (const { name, run } of hostChecks(makeHost)) test(`slips: ${name}`, run)
