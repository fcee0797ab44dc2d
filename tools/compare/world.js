'use strict'
// Plays a scenario to one of the ways: the same host, voice, person and clock for each. Nothing here
// waits, and nothing is random.

const { createManualClock } = require('../../main/testing.js')
const { AgentHost } = require('./agent-host.js')
const { Voice } = require('./voice.js')

/** Later than anything that is still to come. */
const END_MS = 20_000

/** `open(world, model)` opens a way; gives what the host and the person got. */
async function play(scenario, open) {
  const clock = createManualClock(0)
  const host = new AgentHost(clock, scenario.host)
  const voice = new Voice(clock, host)
  const spoken = []
  const model = {
    readsOut: (input) => scenario.readsOut ?? inFull(input),
    reply: ({ requestId, words }, tools) =>
      scripted(
        spoken.findLast((one) => one.requestId === requestId && one.words === words),
        tools,
      ),
  }
  const way = open({ host, voice, clock }, model)
  const acts = {
    ask: (input) => host.ask(input),
    card: (inputId, answers) => host.card(inputId, answers),
    withdraw: (inputId) => host.withdraw(inputId),
    interrupt: () => voice.interrupt(),
    says(words, { began, requestId = `request-${spoken.length + 1}`, model: reply }) {
      spoken.push({ words, began, requestId, at: clock.now(), reply })
      way.hear({ requestId, words, speechStartedAt: began })
    },
  }
  for (const [at, act, ...given] of scenario.steps) {
    await clock.advance(at - clock.now())
    acts[act](...given)
  }
  await clock.advance(END_MS)
  const { openings, instructions } = host
  return { openings, instructions, spoken, said: voice.said }
}

const inFull = ({ questions }) =>
  questions.flatMap(({ question, options }) => [question, ...options]).join('\n')

/** What the model does. Where its tool is gone because another answer was taken, it does nothing. */
function scripted({ words, reply: { name, value } }, tools) {
  const tool = tools.find((one) => one.name === name)
  if (name === 'answer_question' && tool === undefined) {
    return { name: 'says', value: 'There is no question open.' }
  }
  if (name !== 'answer_question') return { name, value }
  const enums = Object.values(tool.parameters.properties)
  if (!value.every((label, n) => enums[n].enum.includes(label))) {
    throw new Error(`the script of "${words}" gives what the schema does not allow`)
  }
  return { name, value }
}

module.exports = { play }
