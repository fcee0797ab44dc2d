'use strict'
// The host that every way is given, scripted: an agent asks here and is told what is answered. Like
// the hosts that people run, it looks at no label: what it is given is what the agent gets.

const SESSION = 'session-1'

class AgentHost {
  /** Every span of an input from its request to its end; what the agent was told is in `answers`. */
  openings = []
  /** What the agent was told to do. */
  instructions = []
  #clock
  #traits
  #watchers = []

  /**
   * `listMs`: how long reading the list takes. `losesReply`: an answer arrives, and the word of it
   * does not. `closesAfterMs`: so long an answered input stays on the list and takes more.
   * `confirmsAll`: it says yes to an answer that came too late.
   */
  constructor(clock, traits = {}) {
    this.#clock = clock
    this.#traits = {
      listMs: 50,
      closesAfterMs: 0,
      losesReply: false,
      confirmsAll: false,
      ...traits,
    }
  }

  // ---- what the ways are given ----

  /** What is open, oldest first. */
  async list() {
    await this.#pause(this.#traits.listMs)
    return this.#open().map(({ input }) => structuredClone(input))
  }

  /** `asked` with the input, `answered` with what the agent was told, `withdrawn`. */
  watch(onEvent) {
    this.#watchers.push(onEvent)
  }

  /** Rejects where nothing is known of it. */
  async answer(inputId, answers) {
    await this.#pause(50)
    const { losesReply, confirmsAll } = this.#traits
    const isTaken = this.#take('voice', inputId, answers)
    if (losesReply) {
      await this.#pause(2_000)
      throw new Error('timed out')
    }
    return isTaken || confirmsAll ? 'taken' : 'gone'
  }

  instruct(text) {
    this.instructions.push(text)
  }

  // ---- what the script does ----

  /** Asked again under an id that is open, it takes the place of what was asked. */
  ask(input) {
    const whole = { kind: 'question', sessionId: SESSION, ...input }
    this.#close(this.#find(input.inputId))
    this.openings.push({ input: whole, askedAt: this.#clock.now(), isOpen: true, answers: [] })
    this.#tell({ type: 'asked', input: whole })
  }

  card(inputId, answers) {
    this.#take('card', inputId, answers)
  }

  withdraw(inputId) {
    this.#close(this.#find(inputId))
    this.#tell({ type: 'withdrawn', inputId })
  }

  #take(by, inputId, answers) {
    const opening = this.#find(inputId)
    if (opening === undefined) return false
    opening.answers.push({ by, answers, at: this.#clock.now() })
    const end = () => {
      this.#close(opening)
      this.#tell({ type: 'answered', inputId, answers })
    }
    const { closesAfterMs } = this.#traits
    if (closesAfterMs === 0) end()
    else if (opening.answers.length === 1) this.#clock.setTimeout(end, closesAfterMs)
    return true
  }

  #open() {
    return this.openings.filter(({ isOpen }) => isOpen)
  }

  #find(inputId) {
    return this.#open().find(({ input }) => input.inputId === inputId)
  }

  #close(opening) {
    if (opening) opening.isOpen = false
  }

  #tell(event) {
    const copy = structuredClone(event)
    this.#clock.setTimeout(() => this.#watchers.forEach((onEvent) => onEvent(copy)), 20)
  }

  #pause(ms) {
    return new Promise((resolve) => this.#clock.setTimeout(resolve, ms))
  }
}

module.exports = { AgentHost, SESSION }
