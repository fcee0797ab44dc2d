'use strict'
// `npm run simulate -- [COUNT] [SEED]`: so many random schedules of a live call (default a million),
// from this seed on (default 0). A failure prints its schedule and the seed that replays it.

const { run } = require('./run.js')

const [COUNT = '1000000', SEED = '0'] = process.argv.slice(2)
const args = [
  'test',
  '--release',
  '--locked',
  '--quiet',
  '--test',
  'it',
  'invariants',
  '--',
  '--nocapture',
]
run('cargo', args, { env: { COUNT, SEED, RUST_BACKTRACE: '0' } })
