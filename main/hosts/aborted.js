'use strict'
// An abort signal, whether it has been aborted already or not.

/** Calls `act` once the signal is aborted; at once where it is. Returns how to call that off. */
function onAbort(signal, act) {
  if (signal?.aborted) act()
  else signal?.addEventListener('abort', act, { once: true })
  // A signal may outlive what it is for by far.
  return () => signal?.removeEventListener('abort', act)
}

module.exports = { onAbort }
