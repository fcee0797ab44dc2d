'use strict'
// The local host behind message ports: in a child process, a worker or an Electron utilityProcess.
// One port for each principal, fixed when it is made: what a message claims to be never counts.
//
// Every message is an object with `spokenAnswer`, so that a port can carry other things as well.

const VERSION = 1
/** What each principal may call. */
const METHODS = {
  agent: ['ask', 'cancel', 'hold', 'release'],
  voice: ['watch', 'unwatch', 'openInputs', 'resolveInput', 'settlement'],
  desktop: ['resolveInput'],
}

/** Serves the host to whoever has the other end of `port`, as `principal`. */
function serveLocalHost(host, port, principal) {
  if (!Object.hasOwn(METHODS, principal)) {
    throw Object.assign(new TypeError('principal must be agent, voice or desktop'), {
      code: 'INVALID_PRINCIPAL',
    })
  }
  const { send, listen } = adapt(port)
  const watches = new Map()
  const held = new Map()
  const calls = {
    agent: {
      ask: (question, options) => host.ask(question, options),
      cancel: (inputId, reason) => host.cancel(inputId, reason),
      hold: (input) => void held.set(input.inputId, host.hold(input)),
      release: (inputId) => held.get(inputId)?.release(),
    },
    voice: {
      ...host.voice,
      watch: (id, sessionId) => {
        const onEvent = (event) => send({ spokenAnswer: VERSION, watch: id, event })
        watches.get(id)?.()
        watches.set(id, host.voice.watch(sessionId, onEvent))
      },
      unwatch: (id) => watches.get(id)?.(),
    },
    desktop: host.desktop,
  }[principal]
  const end = listen(async ({ id, method, args }) => {
    if (!METHODS[principal].includes(method)) return
    try {
      send({ spokenAnswer: VERSION, id, value: await calls[method](...args) })
    } catch (error) {
      const { message, code } = error
      send({ spokenAnswer: VERSION, id, error: { message, code } })
    }
  })
  end(() => {
    for (const stop of watches.values()) stop()
    for (const { release } of held.values()) release()
  })
}

/** Calls methods of a served host through `port`; what is under way when it closes is rejected. */
function client(port) {
  const { send, listen } = adapt(port)
  const waiting = new Map()
  const watchers = new Map()
  let last = 0
  let closed = false
  const end = listen(({ id, value, error, watch, event }) => {
    if (watch !== undefined) return watchers.get(watch)?.(event)
    const call = waiting.get(id)
    waiting.delete(id)
    if (error) call?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else call?.resolve(value)
  })
  end(() => {
    closed = true
    for (const { reject } of waiting.values()) reject(gone())
    waiting.clear()
  })
  return {
    watchers,
    get closed() {
      return closed
    },
    call(method, ...args) {
      if (closed) return Promise.reject(gone())
      const id = ++last
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ spokenAnswer: VERSION, id, method, args })
      })
    },
  }
}

/**
 * The host behind a port of the voice principal. `attach` gives it another port, to a host that was
 * started anew: whoever watches is told that events may have been lost.
 */
function connectLocalHost(port) {
  let remote = client(port)
  const watching = new Map()
  let last = 0
  const follow = (id) => {
    const { sessionId, onEvent } = watching.get(id)
    remote.watchers.set(id, onEvent)
    remote.call('watch', id, sessionId).catch(() => {})
  }
  return {
    proof: 'host',
    watch(sessionId, onEvent) {
      const id = ++last
      watching.set(id, { sessionId, onEvent })
      follow(id)
      return () => {
        watching.delete(id)
        remote.watchers.delete(id)
        remote.call('unwatch', id).catch(() => {})
      }
    },
    openInputs: (sessionId) => remote.call('openInputs', sessionId),
    // Before anything is sent it is certain that nothing arrived; afterwards it is not.
    resolveInput: (resolution) =>
      remote.closed
        ? Promise.resolve({ status: 'not-sent' })
        : remote.call('resolveInput', resolution),
    settlement: (inputId) => remote.call('settlement', inputId),
    attach(next) {
      remote = client(next)
      for (const id of watching.keys()) {
        follow(id)
        watching.get(id).onEvent({ type: 'gap' })
      }
    },
  }
}

/** The agent's end of a port: asks, cancels and holds from another process. */
function connectAgent(port) {
  const remote = client(port)
  return {
    ask: (question, options) => remote.call('ask', question, options),
    cancel: (inputId, reason) => void remote.call('cancel', inputId, reason).catch(() => {}),
    hold(input) {
      remote.call('hold', input).catch(() => {})
      return { release: () => void remote.call('release', input.inputId).catch(() => {}) }
    },
  }
}

/** The card's end of a port. */
function connectDesktop(port) {
  const remote = client(port)
  return { resolveInput: (inputId, answers) => remote.call('resolveInput', inputId, answers) }
}

/** A worker's or Electron's port, a child process, or the process of a child: two functions. */
function adapt(port) {
  const post = typeof port?.postMessage === 'function' ? 'postMessage' : 'send'
  if (typeof port?.[post] !== 'function' || typeof port.on !== 'function') {
    throw Object.assign(new TypeError('port must be a message port or a process with a channel'), {
      code: 'INVALID_PORT',
    })
  }
  return {
    send(message) {
      // Where the other end is gone, the end of the port says so as well. Without a callback a
      // process would raise it as an error that nobody handles.
      try {
        if (post === 'send') port.send(message, () => {})
        else port.postMessage(message)
      } catch {}
    },
    /** Returns how to hear of the end. */
    listen(onMessage) {
      port.on('message', (message) => {
        // Electron wraps a message in an event.
        const own = message?.spokenAnswer === VERSION ? message : message?.data
        if (own?.spokenAnswer === VERSION) onMessage(own)
      })
      port.start?.()
      return (onEnd) => {
        let ended = false
        const once = () => {
          if (ended) return
          ended = true
          onEnd()
        }
        for (const event of ['close', 'disconnect', 'exit']) port.on(event, once)
      }
    },
  }
}

const gone = () => Object.assign(new Error('the host is gone'), { code: 'HOST_GONE' })

module.exports = { connectAgent, connectDesktop, connectLocalHost, serveLocalHost }
