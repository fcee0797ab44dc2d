'use strict'
// A process of Pi's in RPC mode as a connection: one JSON object a line. A line ends with LF and nothing
// else; Node's readline ends it also where a text holds U+2028.

const { StringDecoder } = require('node:string_decoder')
const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')

/**
 * How long after its exit a process may still be heard (milliseconds): what it said last may be on the way,
 * but what it started may hold its pipe for as long as it likes.
 */
const EXIT_MS = 500

function createPiConnection(child) {
  const { stdin, stdout } = checkedProcess(child)
  const listeners = new Set()
  const atEnd = new Set()
  let isOver = false
  let timer

  const hear = (line) => {
    let frame
    try {
      frame = JSON.parse(line)
    } catch (error) {
      return warn('a line of Pi is no frame', error)
    }
    for (const listener of listeners) {
      tell('a listener to the frames of Pi failed', listener, frame)
    }
  }
  const read = lineReader(hear)
  const end = () => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    stdout.off('data', read)
    // Whoever holds the pipe keeps nobody here running.
    stdout.unref?.()
    for (const listener of atEnd) tell('a listener to the end of Pi failed', listener)
  }
  stdout.on('data', read)
  child.once('close', end)
  child.once('exit', () => (timer = setTimeout(end, EXIT_MS)))
  // One that never began closes all the same.
  child.on('error', (error) => warn('the process of Pi failed', error))
  // A process that is gone takes no frame; what became of it is told by its end.
  stdin.on('error', (error) => warn('Pi took no frame', error))

  return Object.freeze({
    send(frame) {
      if (isOver || !stdin.writable) throw new Error('the process of Pi takes nothing any more')
      stdin.write(`${JSON.stringify(frame)}\n`)
    },
    onFrame(listener) {
      listeners.add(checkedListener(listener))
      return () => void listeners.delete(listener)
    },
    onEnd(listener) {
      atEnd.add(checkedListener(listener))
      if (isOver) tell('a listener to the end of Pi failed', listener)
      return () => void atEnd.delete(listener)
    },
  })
}

/** Takes chunks, and calls `hear` with every line that is not empty. */
function lineReader(hear) {
  const decoder = new StringDecoder('utf8')
  // Of a line that has not ended, as they came: joined once.
  let begun = []
  return (chunk) => {
    const [first, ...more] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    begun.push(first)
    for (const next of more) {
      const line = begun.join('')
      begun = [next]
      if (line.trim() !== '') hear(line)
    }
  }
}

/** One that fails is its own affair: the others are told all the same. */
function tell(what, listener, ...args) {
  const failed = (error) => warn(what, error)
  try {
    Promise.resolve(listener(...args)).catch(failed)
  } catch (error) {
    failed(error)
  }
}

function checkedListener(listener) {
  if (typeof listener === 'function') return listener
  throw mistake('INVALID_LISTENER', 'a listener must be a function')
}

function checkedProcess(child) {
  const has = (value, ...names) => names.every((name) => typeof value?.[name] === 'function')
  const isProcess =
    isObject(child) &&
    has(child.stdin, 'write', 'on') &&
    has(child.stdout, 'on', 'off') &&
    has(child, 'on', 'once')
  if (isProcess) return child
  throw mistake('INVALID_PROCESS', 'a process must have a stdin and a stdout of its own')
}

module.exports = { createPiConnection }
