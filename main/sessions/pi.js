'use strict'
// Sessions of the Pi SDK (`@earendil-works/pi-coding-agent` 1.x, Node 22 or newer) for `runTurn`. The
// SDK is the app's own dependency and is passed in.

const { createHash } = require('node:crypto')
const path = require('node:path')
const { PiSession } = require('./pi-session.js')
const { warn } = require('../warn.js')

/** Pi's built-in tools that a turn of somebody on the list gets (ADR 0105). */
const MACHINE_TOOLS = ['read', 'bash', 'edit', 'write']
/** Tools that reach what an MCP server offers, whichever it is. */
const MCP_TOOLS = ['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource']
/** All of Pi's own tools: none of them is a tool of a room. */
const FURTHER_TOOLS = ['grep', 'find', 'ls', 'powershell', 'codemode', 'tool_search']
const PI_TOOLS = [...MACHINE_TOOLS, ...FURTHER_TOOLS, ...MCP_TOOLS]
/** What no session without machine tools registers, also where a list of tools lets MCP's stay. */
const NEVER_IN_A_ROOM = [...PI_TOOLS, 'mcp__*']
/**
 * What this file sets itself; an app that could set them could undo it. A loader holds extensions, and
 * an extension is bound to the session that was made last: one loader for two sessions sends into one
 * of them what was said in the other.
 */
const OWN = ['tools', 'noTools', 'excludeTools', 'customTools', 'sessionManager', 'resourceLoader']

/** Loaders that have a session, of whatever sessions of Pi's. */
const loaders = new WeakSet()

function createPiSessions(options) {
  return new PiSessions(checked(options))
}

class PiSessions {
  #sdk
  #folder
  #session
  #machineTools
  #roomTools
  #resourceLoader
  /** The durable session of each room, or the promise of it. */
  #rooms = new Map()
  /** Sessions that were not disposed of. */
  #live = new Set()
  #closed = false

  constructor({ sdk, folder, session, machineTools, roomTools, resourceLoader }) {
    this.#sdk = sdk
    this.#folder = folder
    this.#session = session
    this.#machineTools = machineTools
    this.#roomTools = roomTools
    this.#resourceLoader = resourceLoader
  }

  shared(room, { signal } = {}) {
    const known = this.#rooms.get(room)
    if (known !== undefined) return known
    const forget = () => void (this.#rooms.get(room) === opened && this.#rooms.delete(room))
    // A file name for any room; two rooms never share one.
    const name = createHash('sha256').update(room).digest('hex').slice(0, 32)
    const { SessionManager } = this.#sdk
    const durable = (cwd) => SessionManager.continueRecent(cwd, path.join(this.#folder, name))
    const opened = this.#open([], durable, signal, forget)
    this.#rooms.set(room, opened)
    opened.catch(forget)
    return opened
  }

  oneShot(tools, { signal } = {}) {
    const inMemory = (cwd) => this.#sdk.SessionManager.inMemory(cwd)
    return this.#open(tools === 'machine' ? this.#machineTools : [], inMemory, signal, () => {})
  }

  /** Waits for nothing: a session that is still being made is disposed of when it turns up. */
  async close() {
    this.#closed = true
    this.#rooms.clear()
    for (const session of this.#live) dispose(session)
  }

  /** A session that nobody wants any more when it is there is disposed of, and nobody waits for it. */
  async #open(machineTools, manager, signal, forget) {
    if (this.#closed) throw new Error("Pi's sessions are closed")
    if (signal?.aborted === true) throw new Error('nobody waits for this session')
    signal?.addEventListener('abort', forget, { once: true })
    try {
      const session = await this.#make(machineTools, manager, forget)
      if (!this.#closed && signal?.aborted !== true) return session
      dispose(session)
      throw new Error('the session was made too late')
    } finally {
      signal?.removeEventListener('abort', forget)
    }
  }

  async #make(machineTools, manager, onDispose) {
    const customTools = [...this.#roomTools]
    const harmless = customTools.map(({ name }) => name)
    const { session } = await this.#sdk.createAgentSession({
      ...this.#session,
      ...(await this.#loader()),
      // Only these, whatever settings and extensions say.
      noTools: 'all',
      tools: [...machineTools, ...harmless],
      ...(machineTools.length === 0 && { excludeTools: [...NEVER_IN_A_ROOM] }),
      customTools,
      sessionManager: manager(this.#session.cwd),
    })
    const made = new PiSession(session, harmless, () => {
      this.#live.delete(made)
      onDispose()
    })
    this.#live.add(made)
    return made
  }

  async #loader() {
    if (this.#resourceLoader === undefined) return {}
    const make = this.#resourceLoader
    const resourceLoader = await make()
    if (loaders.has(resourceLoader)) throw new Error('a resource loader is for one session')
    loaders.add(resourceLoader)
    return { resourceLoader }
  }
}

function dispose(session) {
  try {
    session.dispose()
  } catch (error) {
    warn('a session of Pi was not disposed of', error)
  }
}

/** The options as they are now: what the app does to its own objects later changes nothing. */
function checked(options) {
  if (options === null || typeof options !== 'object') throw invalid('(all)')
  const { sdk, folder, session, resourceLoader } = options
  const { machineTools = MACHINE_TOOLS, roomTools = [] } = options
  if (typeof sdk?.createAgentSession !== 'function') throw invalid('sdk')
  if (typeof sdk.SessionManager?.inMemory !== 'function') throw invalid('sdk')
  if (typeof sdk.SessionManager.continueRecent !== 'function') throw invalid('sdk')
  if (typeof folder !== 'string' || folder === '') throw invalid('folder')
  if (typeof session?.cwd !== 'string') throw invalid('session.cwd')
  for (const name of OWN) if (name in session) throw invalid(`session.${name}`)
  if (resourceLoader !== undefined && typeof resourceLoader !== 'function') {
    throw invalid('resourceLoader')
  }
  // Names only: Pi would read "+bash" and "*" as more than one tool.
  const isName = (name) => typeof name === 'string' && /^\w[\w-]*$/.test(name)
  if (!Array.isArray(machineTools) || !machineTools.every(isName)) throw invalid('machineTools')
  const isOfPi = (name) => PI_TOOLS.includes(name) || name.startsWith('mcp__')
  const isRoomTool = (tool) => isName(tool?.name) && !isOfPi(tool.name)
  if (!Array.isArray(roomTools) || !roomTools.every(isRoomTool)) throw invalid('roomTools')
  if (roomTools.some(({ name }) => machineTools.includes(name))) throw invalid('roomTools')
  const copies = { machineTools: [...machineTools], roomTools: [...roomTools] }
  return { sdk, folder, session: { ...session }, resourceLoader, ...copies }
}

function invalid(option) {
  const error = new TypeError(`the option ${option} of Pi's sessions is missing or not allowed`)
  return Object.assign(error, { code: 'INVALID_OPTION' })
}

module.exports = { createPiSessions }
