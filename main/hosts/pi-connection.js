'use strict'
// A process of Pi's in RPC mode as a connection: one JSON object a line. A line ends with LF and nothing
// else; Node's readline ends it also where a text holds U+2028.

const { StringDecoder } = require('node:string_decoder')
const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')

function createPiConnection(child) {
  const { stdin, stdout } = checkedProcess(child)
  const listeners = new Set()
  const atEnd = new Set()
  let isOver = false
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const hear = (line) => {
    let frame
    try {
      frame = JSON.parse(line)
    } catch (error) {
      return warn('a line of Pi is no frame', error)
    }
    for (const listener of listeners) listener(frame)
  }
  stdout.on('data', (chunk) => {
    const lines = `${rest}${typeof chunk === 'string' ? chunk : decoder.write(chunk)}`.split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.trim() !== '') hear(line)
  })
  // Not at its exit: what it said last may still be on the way then.
  child.once('close', () => {
    isOver = true
    for (const listener of atEnd) listener()
  })
  // A process that is gone takes no frame; what became of it is told by its end.
  stdin.on('error', (error) => warn('Pi took no frame', error))

  return Object.freeze({
    send(frame) {
      if (!stdin.writable) throw new Error('the process of Pi takes nothing any more')
      stdin.write(`${JSON.stringify(frame)}\n`)
    },
    onFrame(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onEnd(listener) {
      if (isOver) listener()
      atEnd.add(listener)
      return () => void atEnd.delete(listener)
    },
  })
}

function checkedProcess(child) {
  const isProcess =
    isObject(child) &&
    typeof child.stdin?.write === 'function' &&
    typeof child.stdout?.on === 'function' &&
    typeof child.once === 'function'
  if (isProcess) return child
  throw mistake('INVALID_PROCESS', 'a process must have a stdin and a stdout of its own')
}

module.exports = { createPiConnection }
