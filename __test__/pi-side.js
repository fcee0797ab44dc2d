'use strict'
// Pi in RPC mode, faked: it opens dialogs and takes whatever comes back, the first time, as the real one
// does; it runs our own extension as it is.

const { randomUUID } = require('node:crypto')
const { createPiHost } = require('../main/hosts/pi.js')

const SESSION = 'session-1'

/** A question of our extension's tool. */
const asked = (question, labels, more) => ({
  question,
  options: labels.map((label) => ({ label })),
  ...more,
})

/**
 * A process with its connection. `feed` stands between it and the app, and may hold frames back;
 * `isAnswered` is whether it says which session it is in.
 */
async function piSide({
  host = createPiHost({ askTools: ['ask'] }),
  feed = (frame, pass) => pass(frame),
  isAnswered = true,
  sessionId = SESSION,
} = {}) {
  const { default: extension } = await import('../main/hosts/pi-ask.mjs')
  const side = { host, sessionId, written: [], frames: [], entries: [], results: new Map() }
  const listeners = new Set()
  const dialogs = new Map()
  const aborts = new Map()
  let last = 0
  const pass = (frame) => {
    const copy = JSON.parse(JSON.stringify(frame))
    side.frames.push(copy)
    for (const listener of listeners) listener(copy)
  }
  const say = (frame) => feed(frame, pass)
  const state = () =>
    say({
      type: 'response',
      command: 'get_state',
      success: true,
      data: { sessionId: side.sessionId },
    })

  function send(frame) {
    if (frame.type === 'get_state') return void (isAnswered && setImmediate(state))
    side.written.push(structuredClone(frame))
    dialogs.get(frame.id)?.(frame)
  }

  /** As in Pi: a dialog ends with its reply, its signal, or its time, and only the first counts. */
  function dialog(request, { signal, timeout } = {}) {
    if (signal?.aborted) return Promise.resolve(undefined)
    const id = randomUUID()
    return new Promise((resolve) => {
      const over = (value) => (dialogs.delete(id), resolve(value))
      dialogs.set(id, ({ cancelled, value }) => over(cancelled ? undefined : value))
      signal?.addEventListener('abort', () => over(undefined), { once: true })
      if (timeout) setTimeout(over, timeout).unref?.()
      say({ type: 'extension_ui_request', id, ...request, timeout })
    })
  }
  const ui = {
    /** Another client, or the app itself, replies to a dialog. */
    reply: (id, frame) => dialogs.get(id)?.(frame),
    select: (title, options, more) => dialog({ method: 'select', title, options }, more),
    confirm: (title, message, more) => dialog({ method: 'confirm', title, message }, more),
    input: (title, placeholder, more) => dialog({ method: 'input', title, placeholder }, more),
    setStatus: (statusKey, statusText) =>
      say({
        type: 'extension_ui_request',
        id: randomUUID(),
        method: 'setStatus',
        statusKey,
        statusText,
      }),
  }

  const tools = new Map()
  extension({
    registerTool: (tool) => tools.set(tool.name, tool),
    appendEntry: (customType, data) => side.entries.push([customType, data]),
  })
  /** Another extension's tool: one plain dialog, and what it had in its details. */
  tools.set('ask', {
    async execute(_id, { question, options, timeout, own = true }, signal, _onUpdate, { ui: of }) {
      const labels = options.map((option) => option.label ?? option)
      const answer = await of.select(question, labels, { timeout, ...(own ? { signal } : {}) })
      const text = `Chosen: ${answer ?? 'nothing'}`
      return { content: [{ type: 'text', text }], details: { question, options, answer } }
    },
  })

  Object.assign(side, {
    ui,
    pass,
    say,
    state,
    /** The model calls a tool. */
    run(toolName, args, { id = `call-${(last += 1)}`, execute, gate } = {}) {
      const abort = new AbortController()
      aborts.set(id, abort)
      say({ type: 'tool_execution_start', toolCallId: id, toolName, args })
      const over = (async () => {
        await gate?.()
        const run = execute ?? tools.get(toolName).execute
        const context = { ui, hasUI: true }
        let result
        try {
          result = await run(id, structuredClone(args), abort.signal, undefined, context)
        } catch (error) {
          result = { content: [{ type: 'text', text: error.message }], details: {}, isError: true }
        }
        const { isError = false, ...rest } = result
        side.results.set(id, result)
        aborts.delete(id)
        say({ type: 'tool_execution_end', toolCallId: id, toolName, result: rest, isError })
        return result
      })()
      return { id, over }
    },
    /** The model calls our extension's tool. */
    ask: (questions, more) => side.run('ask_user', { questions }, more),
    /** The model calls the other one. */
    select: (question, options, more) => side.run('ask', { question, options, ...more }),
    abort: (id) => aborts.get(id)?.abort(),
    /** Resolves when everything that is not waited for has been said. */
    quiet: async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    },
    connect: () =>
      host.connect({
        send,
        onFrame: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
      }),
  })
  side.disconnect = side.connect()
  await side.quiet()
  return side
}

module.exports = { SESSION, asked, piSide }
