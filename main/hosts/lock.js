'use strict'
// One host for one journal: a file `<journal>.lock` names the process that has it. A process that was
// killed leaves its lock behind, and whoever comes next takes it over.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const { warn } = require('../warn.js')
const { failure } = require('./failure.js')

/** How far apart two readings of when one process began may be (milliseconds). */
const TOLERANCE_MS = 1_000
/** Writing a lock is a matter of milliseconds: one that is older and not whole was left behind. */
const WRITING_MS = 10_000

/** Takes the lock and returns how to release it; throws `JOURNAL_IN_USE` where another host has it. */
function lock(journal) {
  const file = `${journal}.lock`
  const own = { pid: process.pid, began: beganAt(process.pid) ?? undefined, token: randomUUID() }
  const text = JSON.stringify(own)
  // Twice: a lock may be released between the look and the taking.
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(file, text)) return () => release(file, text)
    const found = read(file)
    if (found === null) continue
    const owner = parse(found)
    const held = owner === null ? isFresh(file) : isAlive(owner)
    if (held || !takeOver(file, found, text)) throw inUse(journal, file, found)
    return () => release(file, text)
  }
  throw inUse(journal, file, read(file))
}

/** Writes a file that must not be there yet. */
function create(file, text) {
  let fd
  try {
    fd = fs.openSync(file, 'wx')
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  try {
    fs.writeFileSync(fd, text)
    return true
  } catch (error) {
    fs.rmSync(file, { force: true })
    throw error
  } finally {
    fs.closeSync(fd)
  }
}

/** Whether somebody may be writing it at this moment. */
function isFresh(file) {
  const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Date.now() - written < WRITING_MS
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Puts our lock in the place of one whose process is gone. Two that find the same dead lock must not
 * both succeed, nor one of them replace the other's fresh lock: so the lock is looked at again and
 * replaced under a mark that only one can set.
 */
function takeOver(file, found, text) {
  const mark = `${file}.takeover`
  if (!create(mark, text)) {
    if (isFresh(mark)) return false
    fs.rmSync(mark, { force: true })
    if (!create(mark, text)) return false
  }
  try {
    if (read(file) !== found) return false
    const next = `${mark}.${process.pid}`
    fs.writeFileSync(next, text)
    fs.renameSync(next, file)
    return true
  } finally {
    fs.rmSync(mark, { force: true })
  }
}

function release(file, text) {
  try {
    if (read(file) === text) fs.unlinkSync(file)
  } catch (error) {
    warn(`the lock ${file} could not be released`, error)
  }
}

function parse(text) {
  try {
    const { pid, began } = JSON.parse(text)
    // Process 0 and negative numbers are groups of processes.
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, began } : null
  } catch {
    // Cut off by a crash of the machine while it was written.
    return null
  }
}

/** Whether the process that wrote a lock is still there, and not another one with its number. */
function isAlive({ pid, began }) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  const now = beganAt(pid)
  if (typeof began !== 'number' || now === undefined) return true
  return now !== null && Math.abs(now - began) < TOLERANCE_MS
}

/**
 * When a process began, in milliseconds since the machine did; `null` where it has ended, `undefined`
 * where that cannot be known: only Linux says it of other processes.
 */
function beganAt(pid) {
  if (process.platform === 'linux') {
    let stat
    try {
      stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    } catch {
      return undefined
    }
    // The name, in parentheses, may hold anything. A process that ended and was not waited for is
    // listed as Z.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : Number(fields[19]) * 10
  }
  if (pid !== process.pid) return undefined
  return Number(process.hrtime.bigint() / 1_000_000n) - process.uptime() * 1_000
}

function inUse(journal, file, found) {
  const who = parse(found ?? '')?.pid
  const by = who === undefined ? 'another host' : `a host of process ${who}`
  const message = `the journal ${journal} is in use by ${by}; if no such process uses it, delete ${file}`
  return failure('JOURNAL_IN_USE', message)
}

module.exports = { lock }
