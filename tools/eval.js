'use strict'
// `npm run eval -- [--misses] [--count N] [--seed N] [--peers]`: what the matcher makes of recorded
// and of generated answers, one row for each set, against its goal. Exits with 1 when a goal is
// missed. The third-party sets are read from ../shared/cases where they are, and left out aloud where
// not. `--misses` lists what was not understood; `--peers` times another package beside it.

const path = require('node:path')
const { parseArgs } = require('node:util')
const { ROOT, ensureBuilt } = require('./run.js')

const { values: given } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    peers: { type: 'boolean', default: false },
  },
})

ensureBuilt()
const { generated } = require('./eval/generated.js')
const { score } = require('./eval/score.js')
const { sets } = require('./eval/sets.js')
const { compareSpeed } = require('./eval/speed.js')
const { table } = require('./eval/table.js')

const rows = []
const misses = []
for (const set of sets(path.join(ROOT, '../shared/cases'))) {
  if (set.cases === undefined) {
    console.log(`${set.name}: left out, its file is not here`)
    continue
  }
  const result = score(set.cases)
  rows.push({ set: set.name, ...result.counts, goal: set.goal, met: set.isMet(result.counts) })
  for (const miss of result.misses) misses.push({ set: set.name, ...miss })
}
const made = generated(Number(given.count), Number(given.seed))
rows.push({
  set: 'generated labels × templates',
  ...made.counts,
  goal: 'none wrong',
  met: made.counts.wrong === 0,
})
for (const miss of made.wrong) misses.push({ set: 'generated', ...miss })

console.log(table(rows))
for (const { set, kind, utterance, options, expect, got, reason } of misses) {
  if (kind !== 'wrong' && !given.misses) continue
  const said = `${kind}, ${set}: ${JSON.stringify(utterance)} to ${JSON.stringify(options)}`
  console.log(`${said}: ${JSON.stringify(got)} (${reason}), not ${JSON.stringify(expect)}`)
}
console.log(table(compareSpeed(given.peers)))
if (rows.some(({ met }) => !met)) process.exitCode = 1
