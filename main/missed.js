'use strict'
// What was asked and answered in turns of their own, that a room's session has yet to hear.

const { cut } = require('./message.js')

/** Lines of a room, and UTF-16 units of a line and of a name. */
const LINES = 8
const UNITS = 2_000
const NAME_UNITS = 512
/** Rooms; with more, the one that was written to longest ago is forgotten. */
const ROOMS = 256

class Missed {
  #rooms = new Map()
  /** Each line has a number, so that those that a turn has heard are known when others came since. */
  #last = 0

  add(room, ...lines) {
    const kept = this.#rooms.get(room) ?? []
    for (const { speaker = '', text, ...line } of lines) {
      const bounded = { speaker: cut(speaker, NAME_UNITS), text: cut(text, UNITS) }
      kept.push({ number: ++this.#last, line: { ...line, ...bounded } })
    }
    this.#rooms.delete(room)
    this.#rooms.set(room, kept.slice(-LINES))
    if (this.#rooms.size > ROOMS) this.#rooms.delete(this.#rooms.keys().next().value)
  }

  /** The lines of a room, oldest first, and the number of the last of them. */
  of(room) {
    const kept = this.#rooms.get(room) ?? []
    return { lines: kept.map(({ line }) => line), last: kept.at(-1)?.number ?? 0 }
  }

  /** The room's session has heard all lines up to this number. */
  heard(room, last) {
    const kept = this.#rooms.get(room)?.filter(({ number }) => number > last) ?? []
    if (kept.length === 0) this.#rooms.delete(room)
    else this.#rooms.set(room, kept)
  }
}

module.exports = { Missed }
