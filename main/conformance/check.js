'use strict'
// Named checks for any test runner: each makes what it checks anew, and rejects where something is not as
// it must be.

const { mistake } = require('../hosts/failure.js')

/** How long one look is (milliseconds), and how many there are by default. */
const LOOK_MS = 5
const LOOKS = 1_000

/** Makes checks of `table`, name by name: `make` gives what is checked, and may have a `close`. */
function checksOf(table, make, { looks = LOOKS } = {}) {
  if (typeof make !== 'function') {
    throw mistake('INVALID_MAKE', 'what is checked must be made by a function')
  }
  if (!Number.isSafeInteger(looks) || looks < 1) {
    throw mistake('INVALID_LOOKS', 'looks must be a whole number of at least 1')
  }
  const until = (isSo, what) => look(isSo, what, looks)
  return Object.entries(table).map(([name, check]) => ({
    name,
    async run() {
      const made = await make()
      try {
        await check(made, until)
      } finally {
        await made.close?.()
      }
    },
  }))
}

/** Looks again and again until it is so. Looks are counted, not time: a slow machine fails nothing. */
async function look(isSo, what, looks) {
  for (let n = 0; n < looks; n++) {
    const found = await isSo()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`never so: ${what}`)
}

module.exports = { checksOf }
