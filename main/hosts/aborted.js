'use strict'
// An abort signal, whether it has been aborted already or not.

/** Calls `act` once the signal is aborted; at once where it is. */
function onAbort(signal, act) {
  if (signal?.aborted) act()
  else signal?.addEventListener('abort', act, { once: true })
}

module.exports = { onAbort }
