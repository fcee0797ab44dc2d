'use strict'
// An OpenCode server, faked: it asks as the real one does, takes whatever it is answered, the first time, and
// says afterwards what the real one says.

const http = require('node:http')
const { createOpenCodeHost } = require('../main/hosts/opencode.js')

const SESSION = 'ses_1'
const DIRECTORY = '/projects/a b'

/** A question of the ask tool, as the server passes it on. */
const asked = (question, labels, more) => ({
  question,
  header: 'Choice',
  options: labels.map((label) => ({ label, description: '' })),
  ...more,
})

/**
 * A server with one client. `feed` stands before each request, may take its time, and may say what is
 * replied instead: a status, or `null` for a connection that breaks.
 */
async function openCodeSide({ host = createOpenCodeHost(), feed = () => undefined, ...more } = {}) {
  const side = { host, written: [], received: new Map(), headers: [], feed }
  const streams = new Set()
  const lists = { question: new Map(), permission: new Map() }
  const parts = new Map()
  const busy = new Set()
  let last = 0

  const say = (type, properties) => {
    const data = `data: ${JSON.stringify({ id: 'evt', type, properties })}\n\n`
    for (const stream of streams) stream.write(data)
  }
  const tell = (part, state) => {
    Object.assign(part, { state })
    say('message.part.updated', { sessionID: part.sessionID, part })
  }
  const idle = (sessionID) => {
    busy.delete(sessionID)
    say('session.status', { sessionID, status: { type: 'idle' } })
    say('session.idle', { sessionID })
  }

  /** What happens to a question, whoever does it; the status of the reply. */
  function settle(id, answers) {
    const request = lists.question.get(id)
    if (request === undefined) return 404
    lists.question.delete(id)
    const { sessionID } = request
    if (answers === null) say('question.rejected', { sessionID, requestID: id })
    else say('question.replied', { sessionID, requestID: id, answers })
    const part = parts.get(request.tool?.callID)
    // Nobody waits any more, and the server says yes all the same.
    if (part?.state.status !== 'running') return 200
    setImmediate(() => {
      if (part.state.status !== 'running') return
      if (answers === null) {
        const error = 'The user dismissed this question'
        return tell(part, { ...part.state, status: 'error', error })
      }
      side.received.set(id, [...(side.received.get(id) ?? []), answers])
      tell(part, { ...part.state, status: 'completed', metadata: { answers } })
    })
    return 200
  }

  const gets = {
    '/question': () => [...lists.question.values()],
    '/permission': () => [...lists.permission.values()],
    '/session/status': () => Object.fromEntries([...busy].map((id) => [id, { type: 'busy' }])),
  }
  async function serve(request, response) {
    const { pathname, searchParams } = new URL(request.url, 'http://server')
    let text = ''
    for await (const chunk of request) text += chunk
    const body = text === '' ? undefined : JSON.parse(text)
    side.headers.push(request.headers)
    if (request.method === 'POST') side.written.push([pathname, body])
    const instead = await side.feed(`${request.method} ${pathname}`, body)
    if (instead === null) return response.destroy()
    const reply = (status, data) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(data))
    }
    if (instead !== undefined) return reply(instead, {})
    const isHere = searchParams.get('directory') === DIRECTORY
    if (pathname === '/event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"type":"server.connected","properties":{}}\n\n')
      response.on('close', () => streams.delete(response))
      if (isHere) streams.add(response)
      return
    }
    const [, , id, what] = pathname.split('/')
    if (request.method === 'POST') {
      const status = isHere ? settle(id, what === 'reject' ? null : body.answers) : 404
      return reply(status, status === 200 ? true : { _tag: 'QuestionNotFoundError' })
    }
    if (what === 'message') {
      const messageID = pathname.split('/').at(-1)
      const own = [...parts.values()].filter((part) => part.messageID === messageID)
      return own.length > 0 ? reply(200, { info: {}, parts: own }) : reply(404, {})
    }
    const data = gets[pathname]?.()
    if (data === undefined) return reply(404, {})
    return reply(200, isHere ? data : Array.isArray(data) ? [] : {})
  }

  let server
  const listen = async (port = 0) => {
    server = http.createServer(serve)
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
    side.port = server.address().port
  }
  await listen()

  /** A tool of the model asks. `call` is where the model gives the id of another one. */
  function begin(kind, tool, { call: given, ...request }) {
    const n = (last += 1)
    const sessionID = request.sessionID ?? SESSION
    const id = `${kind === 'question' ? 'que' : 'per'}_${n}`
    const call = given ?? { messageID: `msg_${n}`, callID: `call_${n}` }
    const input = tool === 'question' ? { questions: request.questions } : {}
    const part = { type: 'tool', tool, sessionID, ...call }
    if (!busy.has(sessionID)) {
      busy.add(sessionID)
      say('session.status', { sessionID, status: { type: 'busy' } })
    }
    parts.set(call.callID, part)
    tell(part, { status: 'pending', input: {} })
    const whole = { id, sessionID, ...request, tool: 'tool' in request ? request.tool : call }
    lists[kind].set(id, whole)
    say(`${kind}.asked`, whole)
    tell(part, { status: 'running', input })
    return { id, ...call, call, request: whole }
  }

  Object.assign(side, {
    say,
    connect: (connection) =>
      host.connect({
        baseUrl: `http://127.0.0.1:${side.port}/`,
        directory: DIRECTORY,
        ...more,
        ...connection,
      }),
    isHeard: () => streams.size > 0,
    ask: (questions, request) => begin('question', 'question', { questions, ...request }),
    /** Another tool asks in the same way. */
    use: (tool, questions, request) => begin('question', tool, { questions, ...request }),
    permit: (request) =>
      begin('permission', 'bash', { permission: 'bash', patterns: ['ls'], ...request }),
    decide(id) {
      const { sessionID } = lists.permission.get(id)
      lists.permission.delete(id)
      say('permission.replied', { sessionID, requestID: id, reply: 'once' })
    },
    /** Another client answers; `null` dismisses. */
    other: settle,
    /** The turn is aborted. What was asked stays on the list; `isTold` is whether its session says so. */
    abort(sessionID = SESSION, isTold = true) {
      if (isTold) say('session.error', { sessionID, error: { name: 'MessageAbortedError' } })
      if (isTold) idle(sessionID)
      for (const part of parts.values()) {
        const isRunning = ['pending', 'running'].includes(part.state.status)
        if (part.sessionID !== sessionID || !isRunning) continue
        part.state = { ...part.state, status: 'error', error: 'Tool execution aborted' }
        if (isTold) setImmediate(() => tell(part, part.state))
      }
    },
    idle,
    /** The streams of events break off. */
    cut: () => streams.forEach((stream) => stream.destroy()),
    /** The process is gone, and with it everything but the store: there the tools go on running. */
    async stop() {
      for (const list of Object.values(lists)) list.clear()
      busy.clear()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    start: () => listen(side.port),
    async close() {
      side.disconnect()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  side.disconnect = side.connect()
  return side
}

module.exports = { DIRECTORY, SESSION, asked, openCodeSide }
