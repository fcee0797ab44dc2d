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

/** How each of them is opened, by name. */
async function ways() {
  const { careful } = await load(CAREFUL)
  return {
    'careful TypeScript': (world) => careful(world, false),
    'the same, timed': (world) => careful(world, true),
    'model tool with an enum': modelTool.open,
    'spoken-answer': spokenAnswer.open,
  }
}

/** One row for each scenario; in `faults` a list for each way. */
async function compare() {
  const all = Object.entries(await ways())
  const rows = []
  for (const scenario of scenarios) {
    const faults = {}
    for (const [name, open] of all) {
      faults[name] = judge(scenario, await play(scenario, open))
    }
    rows.push({ scenario, faults })
  }
  return rows
}

module.exports = { compare, ways }
