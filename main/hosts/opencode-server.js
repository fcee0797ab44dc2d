'use strict'
// An OpenCode server over HTTP, of one directory.

const { onAbort } = require('./aborted.js')
const { isObject } = require('./arguments.js')
const { findCall } = require('./opencode-question.js')

/** How long the server may take to reply (milliseconds). */
const REPLY_MS = 10_000

/** Errors of a connection that was never made: certainly nothing was sent. */
const NEVER_MADE = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])
const isNeverMade = (error) => {
  const { code, syscall } = Object(error?.cause)
  // One that was made can become unreachable while it is read.
  return NEVER_MADE.has(code) && syscall !== 'read' && syscall !== 'write'
}

const segment = (id) => encodeURIComponent(`${id}`)

/**
 * What becomes of what a fetch of the app's began, or, whatever it does about its signal, the reason of
 * that once it is aborted. `late` gets what comes afterwards all the same.
 */
function unlessAborted(signal, begun, late = () => {}) {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason))
    const settle = (value) => (signal.aborted ? late(value) : resolve(value))
    Promise.resolve(begun).then(settle).catch(reject).finally(forget)
  })
}

class Server {
  /** What is looked up. */
  #looks = new Set()
  #isEnded = false
  #baseUrl
  #directory
  #headers
  #fetch

  constructor({ baseUrl, directory, headers, fetch }) {
    this.#baseUrl = baseUrl
    this.#directory = directory
    this.#headers = headers
    this.#fetch = fetch
  }

  /** Sends at once, and throws where that cannot be; gives the status of the reply. */
  post(path, body) {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(REPLY_MS)
    const init = { method: 'POST', signal, ...(body === undefined ? {} : json) }
    const sent = Promise.resolve(this.#send(path, init))
    const received = sent.then(async ({ status, body: rest }) => {
      await rest?.cancel()
      return status
    })
    return unlessAborted(signal, received)
  }

  /** Nothing is looked up any more. What is sent goes on. */
  end() {
    this.#isEnded = true
    for (const abort of this.#looks) abort.abort(new Error('the connection is ended'))
  }

  /** The stream of events, as bytes. */
  async events(signal) {
    const sent = this.#send('/event', { headers: { accept: 'text/event-stream' }, signal })
    const response = await unlessAborted(signal, sent, ({ body }) => body?.cancel())
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && type.startsWith('text/event-stream')) return response.body
    await response.body?.cancel()
    throw new Error(`the server says ${response.status} ${type} to /event`)
  }

  /** What waits: at `/question`, or at `/permission`. */
  async list(path) {
    const list = await this.#get(path)
    if (Array.isArray(list)) return list
    throw new Error(`the server has no list at ${path}`)
  }

  /** Whether somebody waits for a request that is listed at `path`, and the call of the tool that does. */
  async lookUp(path, { id, sessionID, tool }) {
    const list = await this.list(path)
    const statuses = await this.#get('/session/status')
    // Last, so that what is over by then has its end here.
    const message = isObject(tool)
      ? await this.#get(`/session/${segment(sessionID)}/message/${segment(tool.messageID)}`)
      : null
    const isListed = list.some((one) => one?.id === id)
    const isBusy = (statuses?.[sessionID]?.type ?? 'idle') !== 'idle'
    return { isWaitedFor: isListed && isBusy, call: findCall(message, { sessionID, tool }) }
  }

  /** What is there; `null` where nothing is. */
  async #get(path) {
    if (this.#isEnded) throw new Error('the connection is ended')
    const abort = new AbortController()
    const late = () => abort.abort(new Error(`the server does not reply to ${path}`))
    const timer = setTimeout(late, REPLY_MS)
    timer.unref?.()
    this.#looks.add(abort)
    try {
      return await unlessAborted(abort.signal, this.#read(path, abort.signal))
    } finally {
      clearTimeout(timer)
      this.#looks.delete(abort)
    }
  }

  async #read(path, signal) {
    const response = await this.#send(path, { signal })
    if (response.ok) return response.json()
    await response.body?.cancel()
    if (response.status === 404) return null
    throw new Error(`the server says ${response.status} to ${path}`)
  }

  #send(path, { headers, ...init }) {
    const url = new URL(`${this.#baseUrl}${path}`)
    if (this.#directory !== undefined) url.searchParams.set('directory', this.#directory)
    const all = new Headers(this.#headers)
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
    // A request, as the vendor's own client calls it. What it knows of its signal may go with it, long
    // before the reply has ended: therefore the signal itself as well.
    const request = new Request(url, { ...init, headers: all, redirect: 'error' })
    return this.#fetch(request, { signal: init.signal })
  }
}

module.exports = { REPLY_MS, Server, isNeverMade, segment }
