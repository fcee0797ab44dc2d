'use strict'
// A process of Pi's as a connection: what is a frame, and when it is over.

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { PassThrough } = require('node:stream')
const { test } = require('node:test')
const { createPiConnection, createPiHost } = require('../main/hosts/pi.js')
const { pause, warnings } = require('./asking.js')
const { SESSION } = require('./pi-side.js')

/** A process without one. */
function child() {
  const process = new EventEmitter()
  return Object.assign(process, { stdin: new PassThrough(), stdout: new PassThrough() })
}

function listening(process = child()) {
  const connection = createPiConnection(process)
  const frames = []
  const stop = connection.onFrame((frame) => frames.push(frame))
  return { process, ...connection, frames, stop }
}

test('a line ends with LF and nothing else, wherever the chunks end', async () => {
  const text = 'one\u2028two\u2029three\u0085four\r🎉é'
  const lines = Buffer.from(`${JSON.stringify({ text })}\n\n${JSON.stringify({ n: 2 })}\r\n{"n":3}`)
  for (const size of [1, 2, 3, 7, lines.length]) {
    const { process, frames } = listening()
    for (let at = 0; at < lines.length; at += size)
      process.stdout.write(lines.subarray(at, at + size))
    await pause()
    assert.deepEqual(frames, [{ text }, { n: 2 }])
    process.stdout.write('\n')
    await pause()
    assert.deepEqual(frames.at(-1), { n: 3 })
  }
})

test('a stream of texts as well', async () => {
  const { process, frames } = listening()
  process.stdout.setEncoding('utf8')
  process.stdout.write('{"text":"é')
  process.stdout.write('"}\n')
  await pause()
  assert.deepEqual(frames, [{ text: 'é' }])
})

test('a line that is no frame is said, and the rest goes on', async () => {
  const { process, frames } = listening()
  const seen = await warnings(async () => {
    process.stdout.write('warning: none\n{"n":1}\n')
    await pause()
  })
  assert.equal(seen.length, 1)
  assert.match(seen[0], /^a line of Pi is no frame: /)
  assert.deepEqual(frames, [{ n: 1 }])
})

test('a frame is one line', async () => {
  const { process, send } = listening()
  send({ value: 'a\nb\u2028' })
  assert.equal(`${process.stdin.read()}`, '{"value":"a\\nb\u2028"}\n')
})

test('nobody listens any more: nothing is told', async () => {
  const { process, frames, stop } = listening()
  stop()
  process.stdout.write('{"n":1}\n')
  await pause()
  assert.deepEqual(frames, [])
})

test('a process that is over: told once, and to who asks later; it takes nothing', async () => {
  const { process, onEnd, send } = listening()
  const ends = []
  const stop = onEnd(() => ends.push('unheard'))
  stop()
  onEnd(() => ends.push('first'))
  process.stdin.destroy()
  process.emit('close')
  onEnd(() => ends.push('late'))
  assert.deepEqual(ends, ['first', 'late'])
  assert.throws(() => send({}), { message: 'the process of Pi takes nothing any more' })
})

test('a pipe that breaks is said, and ends nothing by itself', async () => {
  const { process } = listening()
  const seen = await warnings(() => process.stdin.emit('error', new Error('EPIPE')))
  assert.deepEqual(seen, ['Pi took no frame: EPIPE'])
})

test('what is no process', () => {
  for (const wrong of [
    undefined,
    null,
    7,
    {},
    { stdin: {}, stdout: {} },
    { stdin: null, stdout: null },
  ]) {
    assert.throws(() => createPiConnection(wrong), { name: 'TypeError', code: 'INVALID_PROCESS' })
  }
})

test('a host takes the process itself, and ends with it', async () => {
  const process = child()
  const sessions = []
  const host = createPiHost({ askTools: ['ask'], onSession: (id) => sessions.push(id) })
  host.connect(process)
  const { type } = JSON.parse(`${process.stdin.read()}`)
  assert.equal(type, 'get_state')
  const say = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`)
  say({ type: 'response', command: 'get_state', success: true, data: { sessionId: SESSION } })
  const args = { question: 'Which?', options: ['a', 'b\u2028'] }
  say({ type: 'tool_execution_start', toolCallId: 'c', toolName: 'ask', args })
  say({
    type: 'extension_ui_request',
    id: 'd',
    method: 'select',
    title: 'Which?',
    options: args.options,
  })
  await pause()
  assert.deepEqual(sessions, [SESSION])
  host.answerOnDesktop('d', [['b\u2028']])
  const sent = { type: 'extension_ui_response', id: 'd', value: 'b\u2028' }
  assert.deepEqual(JSON.parse(`${process.stdin.read()}`), sent)
  process.emit('close')
  assert.deepEqual(await host.settlement('d'), { status: 'unknown' })
})
