'use strict'
// The events of an OpenCode server, for as long as it takes: it may be started later, or anew.

const { warn } = require('../warn.js')
const { onAbort } = require('./aborted.js')
const { isObject } = require('./arguments.js')
const { REPLY_MS } = require('./opencode-server.js')

/** How long the events may be silent (milliseconds): every 10 seconds one says that the server is there. */
const SILENCE_MS = 35_000

/** How long until it is tried again: at first, and at most. */
const FIRST_MS = 250
const LONGEST_MS = 10_000

/** After so many failures in a row it is said; a server that is started anew takes some. */
const FAILURES = 5

/**
 * Follows the events of a server; returns how to stop. `onOpen` is called whenever they begin: what was
 * before is not told. `feeding` says what the app has to do so that they come.
 */
function followEvents(server, { onOpen, onEvent, feeding }) {
  let isStopped = false
  let failures = 0
  let abort
  let timer

  async function begin() {
    abort = new AbortController()
    try {
      await read(abort)
      throw new Error('the stream of events has ended')
    } catch (error) {
      if (isStopped) return
      failures += 1
      if (failures === FAILURES) warn(`no events of an OpenCode server come; ${feeding}`, error)
      timer = setTimeout(begin, Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS))
      // To wait for a server alone keeps no process running.
      timer.unref?.()
    }
  }

  async function read(current) {
    let silence
    const heard = (ms) => {
      clearTimeout(silence)
      silence = setTimeout(() => current.abort(new Error('the server says nothing')), ms)
      silence.unref?.()
    }
    heard(REPLY_MS)
    try {
      let isFirst = true
      const { signal } = current
      for await (const event of toEvents(await server.events(signal), signal, heard)) {
        signal.throwIfAborted()
        if (isFirst) open(current)
        isFirst = false
        onEvent(event)
      }
    } finally {
      clearTimeout(silence)
    }
  }

  async function open(current) {
    try {
      await onOpen()
      failures = 0
    } catch (error) {
      current.abort(error)
    }
  }

  begin()
  return () => {
    isStopped = true
    clearTimeout(timer)
    abort.abort()
  }
}

/** The events in a stream until it ends, or is to end; what is none is left out. */
async function* toEvents(body, signal, heard) {
  const reader = body.getReader()
  // Whatever the fetch of the app does about the signal.
  onAbort(signal, () => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  /** The beginning of an event, as it comes: one may have many megabytes. */
  let pieces = []
  for (;;) {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done) return
    heard(SILENCE_MS)
    const piece = decoder.decode(value, { stream: true })
    pieces.push(piece)
    // Without the end of a line no event ends.
    if (!piece.includes('\n')) continue
    const blocks = pieces.join('').split(/\r?\n\r?\n/)
    pieces = [blocks.pop()]
    for (const block of blocks) {
      const event = toEvent(block)
      if (isObject(event)) yield event
    }
  }
}

function toEvent(block) {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  try {
    return JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n'))
  } catch {
    return null
  }
}

module.exports = { followEvents }
