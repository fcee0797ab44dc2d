'use strict'
// The journal of the local host: JSON lines of ids, digests and positions, never of text. A line is
// on the disk before anyone is told what it says.

const fs = require('node:fs')
const path = require('node:path')

/** Above this size (bytes) it is rewritten when the host starts. */
const COMPACT_BYTES = 1_048_576
/** Answers that a compacted journal keeps, the newest. */
const KEPT = 1_000

/** Opens a journal: the answers it holds by input id, and `append`. */
function openJournal(file) {
  const lines = recover(file)
  const answers = new Map()
  const open = new Map()
  for (const line of lines) {
    if (line.type === 'input.requested') open.set(line.inputId, line)
    else open.delete(line.inputId)
    // Asked again: a new opening, whose answer is still to come.
    if (line.type === 'input.requested') answers.delete(line.inputId)
    if (line.type === 'input.resolved') answers.set(line.inputId, line)
  }
  if (fs.existsSync(file) && fs.statSync(file).size > COMPACT_BYTES) {
    replace(file, [...answers.values()].slice(-KEPT))
  }
  const fd = fs.openSync(file, 'a')
  let size = fs.fstatSync(fd).size
  const append = (line) => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at)
      fs.fsyncSync(fd)
    } catch (error) {
      // What is said not to be written is not there, and half a line would spoil the next one.
      fs.truncateSync(file, size)
      throw error
    }
    size += bytes.length
  }
  // Whoever asked is gone with the process that died.
  for (const { inputId } of open.values()) {
    append({ type: 'input.canceled', inputId, reason: 'host-restarted' })
  }
  return { answers, append, close: () => fs.closeSync(fd) }
}

/** Every whole line; a last one that a crash cut off is taken away, with a notice. */
function recover(file) {
  fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
  if (!fs.existsSync(file)) return []
  const bytes = fs.readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) {
    process.emitWarning(`the last line of ${file} was cut off and has been removed`)
    fs.truncateSync(file, end)
  }
  return bytes.subarray(0, end).toString('utf8').split('\n').flatMap(parse)
}

function parse(line) {
  try {
    const value = JSON.parse(line)
    return typeof value?.inputId === 'string' ? [value] : []
  } catch {
    return []
  }
}

/** Writes the file anew beside itself and puts it in its place, so that no moment is without one. */
function replace(file, lines) {
  const next = `${file}.next`
  const fd = fs.openSync(next, 'w')
  fs.writeSync(fd, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  fs.fsyncSync(fd)
  fs.closeSync(fd)
  fs.renameSync(next, file)
}

module.exports = { openJournal }
