'use strict'
// One session of Pi as `runTurn` knows it.

class PiSession {
  #session
  #harmless
  #onDispose
  /** The prompt that is not over, whatever Pi is doing about it. */
  #working
  #stopped = false
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
    if (this.#disposed || this.#working !== undefined) {
      throw new Error('this session of Pi is at work or was disposed of')
    }
    this.#stopped = false
    const answer = this.#run(text)
    const over = () => (this.#working = undefined)
    this.#working = answer.then(over, over)
    return answer
  }

  /**
   * Pi kills the process groups of the tools that run, and waits until the agent is idle. While hooks
   * prepare a prompt it is idle as well: the prompt is waited for, and stopped once it begins.
   */
  async abort() {
    this.#stopped = true
    await this.#session.abort()
    await this.#working
  }

  dispose() {
    if (this.#disposed) return
    this.#disposed = this.#stopped = true
    this.#onDispose()
    this.#session.setActiveToolsByName([])
    this.#session.dispose()
  }

  async #run(text) {
    // The answer of this very turn: what the session said last may be from an earlier one.
    let last
    const unsubscribe = this.#session.subscribe(({ type, message }) => {
      if (type === 'message_end' && message.role === 'assistant') last = message
    })
    const preflightResult = () => {
      // Pi does not hear of an abort any more then; this keeps the run from beginning.
      if (this.#disposed) throw new Error('this session of Pi was disposed of')
      if (this.#stopped) this.#session.abort().catch(() => {})
    }
    try {
      await this.#session.prompt(text, { expandPromptTemplates: false, preflightResult })
    } finally {
      unsubscribe()
      // A hook that ended only now may have chosen tools once more.
      if (this.#disposed) this.#session.setActiveToolsByName([])
    }
    if (this.#stopped) throw new Error('the turn was stopped')
    if (last === undefined) return ''
    const { stopReason, errorMessage, content } = last
    if (stopReason === 'error' || stopReason === 'aborted') {
      throw new Error(errorMessage ?? `Pi ended the turn: ${stopReason}`)
    }
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  }
}

module.exports = { PiSession }
