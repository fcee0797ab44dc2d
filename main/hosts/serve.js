'use strict'
// The local host behind message ports: in a child process, a worker or an Electron utilityProcess.
// One port for each principal, fixed when it is made: what a message claims to be never counts.

const { isObject } = require('./arguments.js')
const { failure, mistake } = require('./failure.js')
const { gone, openPort } = require('./port.js')
const { RECEIVED } = require('./received.js')

/** What each principal may call. The first argument of a method is whose call it is. */
const PARTS = {
  agent: (host) => agent(host),
  voice: ({ voice }, tell) => {
    const { methods, end } = watched(voice, tell)
    methods.settlement = (_, inputId) => voice.settlement(inputId)
    methods.resolveInput = (_, resolution) => voice.resolveInput(resolution)
    return { methods, end }
  },
  desktop: ({ desktop }, tell) => {
    const { methods, end } = watched(desktop, tell)
    methods.resolveInput = (_, inputId, answers) => desktop.resolveInput(inputId, answers)
    return { methods, end }
  },
}

/** Serves the host to whoever has the other end of `port`, as `principal`. */
function serveLocalHost(host, port, principal) {
  if (!Object.hasOwn(PARTS, principal)) {
    throw mistake('INVALID_PRINCIPAL', 'principal must be agent, voice or desktop')
  }
  if (typeof host?.ask !== 'function' || !isObject(host.voice) || !isObject(host.desktop)) {
    throw mistake('INVALID_HOST', 'host must be one that createLocalHost made')
  }
  const { methods, end } = PARTS[principal](host, ({ to, id }, event) => {
    served.send({ to, watch: id, event })
  })
  const served = openPort(port, { onMessage: answer, onEnd: end })

  async function answer({ client: to, id, principal: claimed, method, args }) {
    // An answer to a call of this side, not a call.
    if (method === undefined) return
    try {
      if (claimed !== principal || !Object.hasOwn(methods, method)) {
        throw failure('FORBIDDEN', `${method} is not for whoever has this port`)
      }
      if (!Array.isArray(args)) throw mistake('INVALID_ARGUMENTS', 'arguments must be a list')
      const call = { to, id, key: `${to} ${id}` }
      served.send({ to, id, value: await methods[method](call, ...args) })
    } catch (error) {
      // Also where what came of it cannot be sent.
      const code = error?.code === undefined ? undefined : `${error.code}`
      const isMistake = error instanceof TypeError
      served.send({ to, id, error: { message: `${error?.message}`, code, isMistake } })
    }
  }
}

function agent(host) {
  const asks = new Map()
  const holds = new Map()
  const methods = {
    async ask({ key }, question, options) {
      const abort = new AbortController()
      const received = withResolvers()
      asks.set(key, { abort, received })
      const more = { signal: abort.signal, [RECEIVED]: received.promise }
      const isPlain = options === undefined || isObject(options)
      try {
        return await host.ask(question, isPlain ? { ...options, ...more } : options)
      } catch (error) {
        asks.delete(key)
        throw error
      }
    },
    abort: ({ to }, id) => asks.get(`${to} ${id}`)?.abort.abort(),
    received({ to }, id) {
      asks.get(`${to} ${id}`)?.received.resolve()
      asks.delete(`${to} ${id}`)
    },
    cancel: (_, inputId, reason) => host.cancel(inputId, reason),
    hold: ({ key }, input) => void holds.set(key, host.hold(input)),
    release({ to }, id) {
      holds.get(`${to} ${id}`)?.release()
      holds.delete(`${to} ${id}`)
    },
  }
  /** Whoever asked is gone: nobody waits, and what was answered meanwhile is for who asks again. */
  const end = () => {
    for (const { abort, received } of asks.values()) {
      received.reject(gone())
      abort.abort()
    }
    for (const { release } of holds.values()) release()
    asks.clear()
    holds.clear()
  }
  return { methods, end }
}

/** What the voice and the card have in common: they see what is open. */
function watched(handle, tell) {
  const watches = new Map()
  const stop = (key) => {
    watches.get(key)?.()
    watches.delete(key)
  }
  return {
    methods: {
      watch({ to, key, id }, sessionId) {
        stop(key)
        watches.set(
          key,
          handle.watch(sessionId, (event) => tell({ to, id }, event)),
        )
      },
      unwatch: ({ to }, id) => stop(`${to} ${id}`),
      openInputs: (_, sessionId) => handle.openInputs(sessionId),
    },
    end() {
      for (const key of watches.keys()) stop(key)
    },
  }
}

function withResolvers() {
  let resolve
  let reject
  const promise = new Promise((...settle) => ([resolve, reject] = settle))
  // Nobody may be waiting for it.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

module.exports = { serveLocalHost }
