'use strict'
// A worker's or Electron's port, a child process, or the process of a child: what they have in
// common. Every message is an object with `spokenAnswer`, so that a port can carry other things too.

const { failure, mistake } = require('./failure.js')

const VERSION = 1

/** A port is served or connected once: what belongs to whom could not be told apart. */
const taken = new WeakSet()

/** Listens to `port` until it ends. `send` throws where a message cannot be sent as it is. */
function openPort(port, { onMessage, onEnd }) {
  const post = typeof port?.postMessage === 'function' ? 'postMessage' : 'send'
  if (typeof port?.[post] !== 'function' || typeof port.on !== 'function') {
    throw mistake('INVALID_PORT', 'port must be a message port or a process with a channel')
  }
  if (taken.has(port)) {
    throw mistake('PORT_IN_USE', 'port is served or connected already; take one for each principal')
  }
  taken.add(port)
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    onEnd()
  }
  port.on('message', (message) => {
    // Electron wraps a message in an event.
    const own = message?.spokenAnswer === VERSION ? message : message?.data
    if (own?.spokenAnswer === VERSION) onMessage(own)
  })
  for (const event of ['close', 'disconnect', 'exit']) port.on(event, end)
  port.start?.()
  // Its channel is closed already, and it will not say so again.
  if (post === 'send' && port.connected === false) queueMicrotask(end)
  return {
    get ended() {
      return ended
    },
    send(message) {
      const whole = { spokenAnswer: VERSION, ...message }
      if (post === 'postMessage') port.postMessage(whole)
      // Where the other end is gone, the end of the port says so as well. Without a callback a
      // process would raise it as an error that nobody handles.
      else port.send(whole, () => {})
    },
  }
}

const gone = () => failure('HOST_GONE', 'the host is gone')

module.exports = { gone, openPort }
