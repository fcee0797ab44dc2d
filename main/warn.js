'use strict'
// What goes wrong where nobody waits for it becomes a process warning.

/** Says that `what` went wrong, and why. It cannot throw, whatever was thrown at it. */
function warn(what, error) {
  let why = 'an error that cannot be shown'
  let detail
  try {
    if (error instanceof Error) {
      why = `${error.message}`
      detail = `${error.stack}`
    } else {
      why = String(error)
    }
  } catch {}
  try {
    process.emitWarning(`${what}: ${why}`, { type: 'SpokenAnswerWarning', detail })
  } catch {}
}

module.exports = { warn }
