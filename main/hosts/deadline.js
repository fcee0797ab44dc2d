'use strict'
// A point in time, however far away.

/** What a timer can wait at most (milliseconds): about 24.8 days. A longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls `fn` once at `at` (epoch milliseconds); returns how to call that off. */
function atTime(at, fn) {
  let timer
  const arm = () => {
    const left = at - Date.now()
    if (left <= 0 && timer !== undefined) return fn()
    timer = setTimeout(arm, Math.min(Math.max(left, 0), LONGEST_MS))
    // A question alone keeps no process running.
    timer.unref?.()
  }
  arm()
  return () => clearTimeout(timer)
}

module.exports = { atTime }
