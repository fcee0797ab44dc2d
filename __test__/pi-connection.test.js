'use strict'
// A process of Pi's as a connection: what is a frame, and when it is over.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
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

test('a listener that fails is said, and the others are told all the same', async () => {
  const { process, onFrame, onEnd, frames } = listening()
  const fails = (how) => () => {
    if (how === 'late') return Promise.reject(new Error(how))
    throw new Error(how)
  }
  // Before and after the one that does not.
  for (const how of ['now', 'late']) onFrame(fails(how))
  const also = []
  onFrame((frame) => also.push(frame))
  onEnd(fails('at the end'))
  const ends = []
  onEnd(() => ends.push('end'))
  const seen = await warnings(async () => {
    process.stdout.write('{"n":1}\n{"n":2}\n')
    await pause()
    process.emit('close')
    onEnd(fails('after it'))
  })
  assert.deepEqual([frames, also, ends], [[{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 2 }], ['end']])
  assert.deepEqual(seen.sort(), [
    ...Array(2)
      .fill('a listener to the end of Pi failed')
      .map((what, n) => `${what}: ${['after it', 'at the end'][n]}`),
    ...['late', 'late', 'now', 'now'].map((how) => `a listener to the frames of Pi failed: ${how}`),
  ])
})

test('a listener that stops another one: that is told nothing any more', async () => {
  const { process, onFrame } = listening()
  const told = []
  let stop = () => {}
  onFrame(() => stop())
  stop = onFrame((frame) => told.push(frame))
  process.stdout.write('{"n":1}\n')
  await pause()
  assert.deepEqual(told, [])
})

test('a long line costs what its length is, and not the square of that', () => {
  const cost = (chunks) => {
    const process = child()
    process.stdout = new EventEmitter()
    const { frames } = listening(process)
    const chunk = Buffer.alloc(4_096, 'x')
    const begin = performance.now()
    process.stdout.emit('data', Buffer.from('{"text":"'))
    for (let n = 0; n < chunks; n++) process.stdout.emit('data', chunk)
    process.stdout.emit('data', Buffer.from('"}\n'))
    assert.equal(frames[0].text.length, chunks * chunk.length)
    return performance.now() - begin
  }
  cost(100)
  // 32 MB: a search of each chunk in all of them takes ten times as long.
  assert.ok(cost(8_000) < 2_000)
})

test('a process that is gone while something else holds its pipe: over a moment later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { process, frames, onEnd, send } = listening()
  const ends = []
  onEnd(() => ends.push('end'))
  process.stdout.unref = () => ends.push('let go')
  process.emit('exit', 0, null)
  // What it said last was on the way.
  process.stdout.write('{"n":1}\n')
  await new Promise(setImmediate)
  t.mock.timers.tick(499)
  assert.deepEqual([frames, ends], [[{ n: 1 }], []])
  t.mock.timers.tick(1)
  // Nor does the pipe keep anything running here.
  assert.deepEqual(ends, ['let go', 'end'])
  process.stdout.write('{"n":2}\n')
  process.emit('close')
  await new Promise(setImmediate)
  assert.deepEqual([frames.length, ends.length], [1, 2])
  assert.throws(() => send({}), { message: 'the process of Pi takes nothing any more' })
})

test('the real thing: what Pi started and lives on holds nobody up, and what is not there is over', async (t) => {
  const program = `
    const { spawn } = require('node:child_process')
    const { pid } = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' })
    console.log(JSON.stringify({ pid }))
    setTimeout(() => process.exit(1), 50)`
  const parent = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] })
  const { frames, onEnd } = listening(parent)
  const begin = performance.now()
  await new Promise((resolve) => onEnd(resolve))
  assert.equal(frames.length, 1)
  t.after(() => process.kill(frames[0].pid))
  assert.ok(performance.now() - begin < 30_000)
  const seen = await warnings(async () => {
    const none = listening(spawn('there-is-no-such-program-as-this'))
    await new Promise((resolve) => none.onEnd(resolve))
    assert.throws(() => none.send({}), /takes nothing any more/)
  })
  assert.equal(seen.length, 1)
  assert.match(seen[0], /^the process of Pi failed: .*ENOENT/)
})

test('a process that could not be signalled goes on', async () => {
  const process = child()
  const { frames } = listening(process)
  const seen = await warnings(() => process.emit('error', new Error('EPERM')))
  assert.deepEqual(seen, ['the process of Pi failed: EPERM'])
  process.stdout.write('{"n":1}\n')
  await pause()
  assert.deepEqual(frames, [{ n: 1 }])
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
    { ...child(), stdin: null },
    { ...child(), stdout: null },
  ]) {
    assert.throws(() => createPiConnection(wrong), { name: 'TypeError', code: 'INVALID_PROCESS' })
  }
})

test('what is no listener', () => {
  const { onFrame, onEnd } = listening()
  for (const register of [onFrame, onEnd]) {
    assert.throws(() => register(7), { name: 'TypeError', code: 'INVALID_LISTENER' })
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
