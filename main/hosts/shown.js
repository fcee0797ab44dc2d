'use strict'
// What the app decides itself is shown to wait, but not where it decides by itself: a rule that allows a
// tool takes no time, and nobody is to hear that something waits when nothing does.

const { onAbort } = require('./aborted.js')

/** How long the app may take before what it decides is shown (milliseconds): less than a person takes. */
const SHOWN_AFTER_MS = 200

/** Gives what `decide` gives; `open` shows meanwhile that something waits, `close` that it does not. */
async function whileShown({ open, close }, signal, decide) {
  let timer = setTimeout(() => {
    timer = null
    open()
  }, SHOWN_AFTER_MS)
  timer.unref?.()
  const over = () => {
    if (timer === null) close()
    else clearTimeout(timer)
  }
  const forget = onAbort(signal, over)
  try {
    return await decide()
  } finally {
    forget()
    over()
  }
}

module.exports = { SHOWN_AFTER_MS, whileShown }
