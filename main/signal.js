'use strict'
// An app's abort signal, which may be of its own making.

const { mistake } = require('./mistake.js')
const { warn } = require('./warn.js')

/** Listens to a signal; how to stop. */
function attached(signal, onAbort) {
  if (signal === undefined) return () => {}
  try {
    signal.addEventListener('abort', onAbort, { once: true })
  } catch (cause) {
    throw mistake('INVALID_OPTION', 'the option signal of a turn cannot be listened to', cause)
  }
  return () => {
    try {
      signal.removeEventListener('abort', onAbort)
    } catch (error) {
      warn('the signal of a turn is still listened to', error)
    }
  }
}

function isAborted(signal) {
  try {
    return signal?.aborted === true
  } catch (cause) {
    throw mistake('INVALID_OPTION', 'the option signal of a turn cannot be read', cause)
  }
}

module.exports = { attached, isAborted }
