'use strict'
// The tool calls that run in a process of Pi's, and what each of them has asked.

const { warn } = require('../warn.js')
const { OURS } = require('./pi-question.js')

class Calls {
  #askTools
  /** By id; under `null` those without one, of which nobody can say when they end. */
  #running = new Map()

  constructor(askTools) {
    this.#askTools = askTools
  }

  get running() {
    return [...this.#running.values()]
  }

  /** The one that runs under this id. */
  of(toolCallId) {
    return this.#running.get(toolCallId)
  }

  isRunning(call) {
    return this.#running.get(call.toolCallId) === call
  }

  start({ toolCallId, toolName, args }) {
    const hasId = typeof toolCallId === 'string' && toolCallId !== ''
    const id = hasId ? toolCallId : null
    const running = this.#running.get(id)
    if (running !== undefined) {
      // Two under one id: what is said of one may be of the other.
      running.isCertain = false
      running.starts += 1
      return
    }
    const mayAsk = toolName === OURS || this.#askTools.has(toolName)
    this.#running.set(id, {
      toolCallId: id,
      toolName,
      args: mayAsk ? copied(args) : undefined,
      asked: [],
      isCertain: hasId,
      starts: 1,
    })
  }

  /** The call that ended; `undefined` where it is none, or where another one runs under its id. */
  end(toolCallId) {
    const call = toolCallId === null ? undefined : this.#running.get(toolCallId)
    if (call === undefined || (call.starts -= 1) > 0) return undefined
    this.#running.delete(toolCallId)
    return call
  }

  clear() {
    this.#running.clear()
  }
}

/** As it is now: what is answered is what was asked. */
function copied(args) {
  try {
    return structuredClone(args)
  } catch (error) {
    warn('what a tool of Pi was called with cannot be copied', error)
    return undefined
  }
}

module.exports = { Calls }
