'use strict'
// Every scenario, played to every way and judged.

const path = require('node:path')
const { judge } = require('./judge.js')
const scenarios = require('./scenarios.js')
const { load } = require('./typescript.js')
const modelTool = require('./ways/model-tool.js')
const spokenAnswer = require('./ways/spoken-answer.js')
const { play } = require('./world.js')

const CAREFUL = path.join(__dirname, 'ways', 'careful.mts')

/** One row for each scenario; in `faults` a list for each way. */
async function compare() {
  const { careful } = await load(CAREFUL)
  const ways = {
    'careful TypeScript': (world) => careful(world, false),
    'the same, timed': (world) => careful(world, true),
    'model tool with an enum': modelTool.open,
    'spoken-answer': spokenAnswer.open,
  }
  const rows = []
  for (const scenario of scenarios) {
    const faults = {}
    for (const [name, open] of Object.entries(ways)) {
      faults[name] = judge(scenario, await play(scenario, open))
    }
    rows.push({ scenario, faults })
  }
  return rows
}

module.exports = { compare }
