'use strict'
// Sessions of the Pi SDK (`@earendil-works/pi-coding-agent` 1.x, Node 22 or newer) for `runTurn`. The
// SDK is the app's own dependency and is passed in.

const { createHash } = require('node:crypto')
const path = require('node:path')

/** Pi's built-in tools that a turn of somebody on the list gets (ADR 0105). */
const MACHINE_TOOLS = ['read', 'bash', 'edit', 'write']
/** All of its built-in tools: none of them is a tool of a room. */
const BUILT_IN = new Set([...MACHINE_TOOLS, 'grep', 'find', 'ls', 'powershell', 'codemode'])
/** What this file sets itself; an app that could set them could undo it. */
const OWN = ['tools', 'noTools', 'excludeTools', 'customTools', 'sessionManager']

function createPiSessions(options) {
  return new PiSessions(checked(options))
}

class PiSessions {
  #sdk
  #folder
  #session
  #machineTools
  #roomTools
  /** The durable session of each room, or the promise of it. */
  #rooms = new Map()

  constructor({ sdk, folder, session, machineTools = MACHINE_TOOLS, roomTools = [] }) {
    this.#sdk = sdk
    this.#folder = folder
    this.#session = session
    this.#machineTools = machineTools
    this.#roomTools = roomTools
  }

  shared(room) {
    const known = this.#rooms.get(room)
    if (known !== undefined) return known
    const forget = () => this.#rooms.get(room) === opened && this.#rooms.delete(room)
    // A file name for any room; two rooms never share one.
    const name = createHash('sha256').update(room).digest('hex').slice(0, 32)
    const { SessionManager } = this.#sdk
    const durable = (cwd) => SessionManager.continueRecent(cwd, path.join(this.#folder, name))
    const opened = this.#open([], durable, forget)
    this.#rooms.set(room, opened)
    opened.catch(forget)
    return opened
  }

  oneShot(tools) {
    const inMemory = (cwd) => this.#sdk.SessionManager.inMemory(cwd)
    return this.#open(tools === 'machine' ? this.#machineTools : [], inMemory, () => {})
  }

  async close() {
    const rooms = [...this.#rooms.values()]
    this.#rooms.clear()
    for (const opened of rooms) await opened.then((session) => session.dispose()).catch(() => {})
  }

  async #open(machineTools, manager, onDispose) {
    const customTools = this.#roomTools
    const harmless = customTools.map(({ name }) => name)
    const { session } = await this.#sdk.createAgentSession({
      ...this.#session,
      // Only these, whatever settings and extensions say.
      noTools: 'all',
      tools: [...machineTools, ...harmless],
      customTools,
      sessionManager: manager(this.#session.cwd),
    })
    return new PiSession(session, harmless, onDispose)
  }
}

class PiSession {
  #session
  #harmless
  #onDispose
  #disposed = false

  constructor(session, harmless, onDispose) {
    this.#session = session
    this.#harmless = new Set(harmless)
    this.#onDispose = onDispose
  }

  machineTools() {
    const session = this.#session
    // A tool that is only registered can still be made active; after the end nothing can.
    const registered = this.#disposed ? [] : session.getAllTools().map(({ name }) => name)
    const names = [
      ...registered,
      ...session.getActiveToolNames(),
      ...session.getCallableToolNames(),
    ]
    return [...new Set(names)].filter((name) => !this.#harmless.has(name))
  }

  async prompt(text) {
    // The answer of this very turn: what the session said last may be from an earlier one.
    let last
    const unsubscribe = this.#session.subscribe(({ type, message }) => {
      if (type === 'message_end' && message.role === 'assistant') last = message
    })
    try {
      await this.#session.prompt(text, { expandPromptTemplates: false })
    } finally {
      unsubscribe()
    }
    if (last === undefined) return ''
    const { stopReason, errorMessage, content } = last
    if (stopReason === 'error' || stopReason === 'aborted') {
      throw new Error(errorMessage ?? `Pi ended the turn: ${stopReason}`)
    }
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  }

  /** Pi kills the processes of its tools, and waits until the agent is idle. */
  async abort() {
    await this.#session.abort()
  }

  dispose() {
    if (this.#disposed) return
    this.#disposed = true
    this.#onDispose()
    this.#session.setActiveToolsByName([])
    this.#session.dispose()
  }
}

function checked(options) {
  if (options === null || typeof options !== 'object') throw invalid('(all)')
  const { sdk, folder, session, machineTools = [], roomTools = [] } = options
  if (typeof sdk?.createAgentSession !== 'function') throw invalid('sdk')
  if (typeof sdk.SessionManager?.inMemory !== 'function') throw invalid('sdk')
  if (typeof folder !== 'string' || folder === '') throw invalid('folder')
  if (typeof session?.cwd !== 'string') throw invalid('session.cwd')
  for (const name of OWN) if (name in session) throw invalid(`session.${name}`)
  // Names only: Pi would read "+bash" and "*" as more than one tool.
  const isName = (name) => typeof name === 'string' && /^\w[\w-]*$/.test(name)
  if (!Array.isArray(machineTools) || !machineTools.every(isName)) throw invalid('machineTools')
  const isRoomTool = (tool) => isName(tool?.name) && !BUILT_IN.has(tool.name)
  if (!Array.isArray(roomTools) || !roomTools.every(isRoomTool)) throw invalid('roomTools')
  if (roomTools.some(({ name }) => machineTools.includes(name))) throw invalid('roomTools')
  return options
}

function invalid(option) {
  const error = new TypeError(`the option ${option} of Pi's sessions is missing or not allowed`)
  return Object.assign(error, { code: 'INVALID_OPTION' })
}

module.exports = { createPiSessions }
