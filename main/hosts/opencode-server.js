'use strict'
// An OpenCode server over HTTP, of one directory.

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
const isNeverMade = (error) => NEVER_MADE.has(error?.cause?.code)

const segment = (id) => encodeURIComponent(`${id}`)

class Server {
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
    const sent = this.#send(path, {
      method: 'POST',
      signal: AbortSignal.timeout(REPLY_MS),
      ...(body === undefined ? {} : json),
    })
    return Promise.resolve(sent).then(async ({ status, body: rest }) => {
      await rest?.cancel()
      return status
    })
  }

  /** The stream of events, as bytes. */
  async events(signal) {
    const response = await this.#send('/event', {
      headers: { accept: 'text/event-stream' },
      signal,
    })
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
    return { isWaitedFor: isListed && isBusy, call: findCall(message, { tool }) }
  }

  /** What is there; `null` where nothing is. */
  async #get(path) {
    const response = await this.#send(path, { signal: AbortSignal.timeout(REPLY_MS) })
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
