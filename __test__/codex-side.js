'use strict'
// A Codex app-server, faked: it asks as the real one does, takes whatever it is answered, the first time,
// and says afterwards what the real one says.

const { createCodexHost } = require('../main/hosts/codex.js')

const THREAD = 'thread-1'

/** A question of the ask tool, as the server passes it on. */
const asked = (id, question, labels, more) => ({
  id,
  header: 'Choice',
  question,
  isOther: true,
  isSecret: false,
  options: labels.map((label) => ({ label, description: '' })),
  ...more,
})

/**
 * A process with one client. `raw` is whether it tells every item; `feed` stands between the connection
 * and the app, and may hold messages back.
 */
function codexSide({
  host = createCodexHost(),
  raw = true,
  feed = (message, pass) => pass(message),
  ...more
} = {}) {
  const side = { host, written: [], received: new Map() }
  const listeners = new Set()
  const open = new Map()
  let last = -1
  let turns = 0
  let queue = Promise.resolve()
  const pass = (message) => listeners.forEach((listener) => listener(message))
  /** Says it in a turn of its own, after what was said before. */
  const say = (method, params, id) => {
    const message = structuredClone(id === undefined ? { method, params } : { method, id, params })
    queue = queue.then(() => new Promise(setImmediate)).then(() => feed(message, pass))
    return queue
  }
  const about = ({ threadId, turnId }, item) => ({ threadId, turnId, item })
  const receive = (itemId, answer) =>
    side.received.set(itemId, [...(side.received.get(itemId) ?? []), answer])

  const replies = {
    'item/tool/requestUserInput': (asking, result) => {
      receive(asking.itemId, result)
      const output = JSON.stringify(result)
      const item = { type: 'function_call_output', call_id: asking.itemId, output }
      if (raw) say('rawResponseItem/completed', about(asking, item))
      say('item/started', about(asking, { type: 'agentMessage', id: 'm' }))
    },
    'mcpServer/elicitation/request': (asking, result) => {
      receive(asking.itemId, result)
      const call = { type: 'mcpToolCall', id: asking.itemId, server: asking.serverName }
      say('item/completed', about(asking, { ...call, status: 'completed' }))
    },
  }

  function write(message) {
    side.written.push(structuredClone(message))
    if (message.method === 'turn/start') return started(message)
    const request = open.get(message.id)
    if (request === undefined) return
    open.delete(message.id)
    const { threadId } = request.params
    say('serverRequest/resolved', { threadId, requestId: message.id })
    replies[request.method]?.(request.params, message.result)
  }

  function started({ id, params: { threadId, input, clientUserMessageId: clientId } }) {
    const turnId = `turn-${++turns}`
    const item = { type: 'userMessage', id: 'u', clientId, content: input }
    queue = queue.then(() => pass({ id, result: { turn: { id: turnId, status: 'inProgress' } } }))
    say('item/completed', { threadId, turnId, item })
    receive('message', input[0].text)
  }

  Object.assign(side, {
    pass,
    say,
    /** Resolves when everything is said. */
    quiet: async () => {
      let before
      do await (before = queue)
      while (before !== queue)
    },
    connect: () =>
      host.connect({
        send: write,
        onMessage: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
        ...more,
      }),
    /** A request of the server; `params` go beside the thread and a turn of its own. */
    request(method, params) {
      const id = (last += 1)
      const turnId = `turn-${++turns}`
      const request = {
        method,
        params: { threadId: THREAD, turnId, itemId: `call-${id}`, ...params },
      }
      open.set(id, request)
      say(method, request.params, id)
      const { threadId } = request.params
      const inputId = `${threadId}:${request.params.turnId}:${request.params.itemId}`
      return { id, inputId, ...request }
    },
    ask: (questions, params) =>
      side.request('item/tool/requestUserInput', {
        questions,
        isBlocking: true,
        autoResolutionMs: null,
        ...params,
      }),
    elicit(form, params) {
      const request = side.request('mcpServer/elicitation/request', {
        serverName: 'asks',
        mode: 'form',
        _meta: null,
        ...form,
        ...params,
      })
      const { threadId, turnId } = request.params
      return { ...request, inputId: `${threadId}:${turnId}:${request.id}` }
    },
    /** A message of the agent that asks. */
    post(questions, id = 'call-a', turnId = `turn-${++turns}`) {
      const item = { type: 'agentMessage', id, text: '', delivery: 'async', questions }
      say('item/completed', { threadId: THREAD, turnId, item })
      return { inputId: `${THREAD}:${turnId}:${id}`, turnId, item }
    },
    /** Another client answers. */
    other: (id, result) => write({ id, result }),
    interrupt({ id, params: { threadId, turnId, itemId } }) {
      open.delete(id)
      const output = 'aborted by user after 0.1s'
      const item = { type: 'function_call_output', call_id: itemId, output }
      if (raw) say('rawResponseItem/completed', { threadId, turnId, item })
      say('turn/completed', { threadId, turn: { id: turnId, status: 'interrupted' } })
      return say('serverRequest/resolved', { threadId, requestId: id })
    },
  })
  side.disconnect = side.connect()
  return side
}

module.exports = { THREAD, asked, codexSide }
