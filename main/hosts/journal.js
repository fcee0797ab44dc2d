'use strict'
// The journal of the local host: JSON lines of ids, digests and positions, never of text. A line is
// on the disk before anyone is told what it says.

const fs = require('node:fs')
const path = require('node:path')
const { warn } = require('../warn.js')
const { failure } = require('./failure.js')
const { lock } = require('./lock.js')

/** Above this size (bytes) it is rewritten when the host starts. */
const COMPACT_BYTES = 1_048_576
/** Answers that a compacted journal keeps, the newest; one whose asker was not told stays as well. */
const KEPT = 1_000

/** Opens a journal for this host alone. `answers`: by input id, the line and whether it was told. */
function openJournal(name) {
  fs.mkdirSync(path.dirname(path.resolve(name)), { recursive: true })
  fs.closeSync(fs.openSync(name, 'a'))
  // A link stays one: what it points to is locked, repaired and replaced.
  const file = fs.realpathSync(name)
  const release = lock(file)
  let journal
  try {
    const { answers, open, size } = recover(file)
    if (size > COMPACT_BYTES) replace(file, compacted(answers))
    journal = new Journal(file, release)
    // Whoever asked is gone with the process that died.
    for (const inputId of open) {
      journal.append({ type: 'input.canceled', inputId, reason: 'host-restarted', at: Date.now() })
    }
    return { answers, journal }
  } catch (error) {
    if (journal === undefined) release()
    else journal.close()
    throw error
  }
}

class Journal {
  #file
  #fd
  /** A line that failed is taken away through it: where appending is all that `#fd` may do. */
  #repair
  #release
  /** Up to here every line is whole. */
  #size
  #broken = false

  constructor(file, release) {
    this.#file = file
    this.#release = release
    this.#fd = fs.openSync(file, 'a')
    this.#repair = fs.openSync(file, 'r+')
    this.#size = fs.fstatSync(this.#fd).size
    syncFolder(file)
  }

  /**
   * Adds a line, whole or not at all. Throws `JOURNAL_FAILED` where it is not there, and
   * `JOURNAL_BROKEN` from when on a part of one could not be taken away again: a line after it would
   * be lost with it. `sync: false`: it may come to the disk with the next line.
   */
  append(line, { sync = true } = {}) {
    if (this.#broken) {
      throw failure('JOURNAL_BROKEN', `${this.#file} could not be repaired; nothing is added to it`)
    }
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      writeAll(this.#fd, bytes)
      if (sync) fs.fsyncSync(this.#fd)
    } catch (error) {
      this.#takeBack()
      throw failure('JOURNAL_FAILED', `a line could not be added to ${this.#file}`, error)
    }
    this.#size += bytes.length
  }

  #takeBack() {
    try {
      fs.ftruncateSync(this.#repair, this.#size)
      fs.fsyncSync(this.#repair)
    } catch (error) {
      this.#broken = true
      warn(`${this.#file} could not be repaired; no answers are taken any more`, error)
    }
  }

  /** Everything is let go of, whatever fails. */
  close() {
    for (const fd of [this.#fd, this.#repair]) {
      try {
        fs.closeSync(fd)
      } catch (error) {
        warn(`${this.#file} could not be closed`, error)
      }
    }
    this.#release()
  }
}

/** A write may take only a part of what it is given. */
function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length;) {
    const written = fs.writeSync(fd, bytes, done, bytes.length - done)
    if (!(written > 0)) throw new Error('nothing could be written')
    done += written
  }
}

/** What the whole lines say; a last one that a crash cut off is taken away, with a notice. */
function recover(file) {
  const bytes = fs.readFileSync(file)
  const size = bytes.lastIndexOf('\n') + 1
  if (size < bytes.length) {
    notice(`the last line of ${file} was cut off and has been removed`)
    fs.truncateSync(file, size)
  }
  const texts = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1)
  const lines = texts.flatMap(parse)
  if (lines.length < texts.length) {
    const unread = texts.length - lines.length
    notice(`${unread} of ${texts.length} lines of ${file} cannot be read`)
  }
  const answers = new Map()
  const open = new Set()
  for (const line of lines) {
    const { type, inputId } = line
    if (type === 'input.told') {
      const answer = answers.get(inputId)
      if (answer) answer.told = true
      continue
    }
    open.delete(inputId)
    if (type === 'input.requested') {
      open.add(inputId)
      // Asked again: a new opening, whose answer is still to come.
      answers.delete(inputId)
    }
    if (type === 'input.resolved') answers.set(inputId, { line, told: false })
  }
  return { answers, open, size }
}

const notice = (text) => process.emitWarning(text, 'SpokenAnswerWarning')

function parse(line) {
  try {
    const value = JSON.parse(line)
    return typeof value?.inputId === 'string' ? [value] : []
  } catch {
    return []
  }
}

function compacted(answers) {
  const last = answers.size - KEPT
  return [...answers].flatMap(([inputId, { line, told }], index) => {
    if (!told) return [line]
    return index >= last ? [line, { type: 'input.told', inputId }] : []
  })
}

/** Writes the file anew beside itself and puts it in its place, so that no moment is without one. */
function replace(file, lines) {
  const next = `${file}.next`
  fs.rmSync(next, { force: true })
  const fd = fs.openSync(next, 'wx', fs.statSync(file).mode)
  try {
    writeAll(fd, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  fs.renameSync(next, file)
}

/** That the file is there at all is on the disk as well, where the system can say so. */
function syncFolder(file) {
  if (process.platform === 'win32') return
  let fd
  try {
    fd = fs.openSync(path.dirname(file), 'r')
    fs.fsyncSync(fd)
  } catch {
    // Not every file system can.
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

module.exports = { openJournal }
