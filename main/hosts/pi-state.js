'use strict'
// Which session a process of Pi's is in. No frame of a run says it, so it is asked for with every run and
// after every command that may change it; what opens meanwhile waits until it is known.

const { randomUUID } = require('node:crypto')
const { warn } = require('../warn.js')
const { isId } = require('./arguments.js')

/** How long Pi may take to say it (milliseconds). */
const SESSION_MS = 5_000

/** Commands after which it may be in another session. */
const SWITCHES = new Set(['new_session', 'switch_session', 'fork', 'clone'])

class State {
  #send
  #changed
  #feeding
  #sessionId = null
  #isKnown = false
  #early = new Set()
  #timer

  /** `changed` is called with the id of a session, before anything of it opens. */
  constructor({ send, changed, feeding }) {
    this.#send = send
    this.#changed = changed
    this.#feeding = feeding
  }

  ask() {
    this.#isKnown = false
    this.stop()
    const late = () => warn('the session of Pi is not known', this.#feeding)
    this.#timer = setTimeout(late, SESSION_MS)
    this.#timer.unref?.()
    try {
      this.#send({ id: `spoken-answer:${randomUUID()}`, type: 'get_state' })
    } catch (error) {
      warn('Pi was not asked for its session', error)
    }
  }

  /** The response to a command that succeeded, whoever sent it. */
  hear({ command, data }) {
    if (SWITCHES.has(command) && data?.cancelled !== true) this.ask()
    if (command !== 'get_state' || !isId(data?.sessionId)) return
    this.stop()
    this.#isKnown = true
    if (data.sessionId !== this.#sessionId) {
      this.#sessionId = data.sessionId
      this.#changed(this.#sessionId)
    }
    for (const open of this.#early) open()
  }

  /** Calls `open` with the session's id once that is known; returns how to call that off. */
  inSession(open) {
    const entry = () => {
      this.#early.delete(entry)
      open(this.#sessionId)
    }
    if (this.#isKnown) entry()
    else this.#early.add(entry)
    return () => void this.#early.delete(entry)
  }

  stop() {
    clearTimeout(this.#timer)
  }
}

module.exports = { State }
