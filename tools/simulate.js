'use strict'
// `npm run simulate -- [COUNT] [SEED] [DEPTH]`: every interleaving of a small world to this depth
// (default 7), then so many random schedules of a live call (default a million) and of a room, from
// this seed on (default 0). A failure prints its schedule and the seed that replays it.

const { run } = require('./run.js')

const [COUNT = '1000000', SEED = '0', DEPTH = '7'] = process.argv.slice(2)
const env = { COUNT, SEED, DEPTH, RUST_BACKTRACE: '0' }
for (const name of ['every_interleaving', 'the_invariants_hold', 'a_room_holds']) {
  const args = [
    'test',
    '--release',
    '--locked',
    '--quiet',
    '--test',
    'it',
    name,
    '--',
    '--nocapture',
  ]
  run('cargo', args, { env })
}
