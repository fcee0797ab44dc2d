'use strict'
// The host lives in another process, and the channel to it is slow, doubles what it carries, or is
// dead in one direction. Whatever it does, an input is answered once, nothing is accepted that is
// not in the journal, and nothing is lost.

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { connectLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { answersIn, eventually, killHost, startHost } = require('./host-child.js')
const { outcome } = require('./rig.js')

/** All times of one answer together: the hand-over, four look-ups and the last one's own time. */
const ALL_EVIDENCE = 20_000

/** A channel to a process that does to what it carries, each way, what it is told. */
class Relay extends EventEmitter {
  out = 'pass'
  back = 'pass'
  held = []
  /** The methods that got to the other side. */
  arrived = []
  /** Called before something is sent, with its method. */
  sending = () => {}
  #child

  constructor(child) {
    super()
    this.#child = child
    child.on('message', (message) => {
      if (message.spokenAnswer) this.#carry(this.back, () => this.emit('message', message))
    })
  }

  send(message) {
    this.sending(message.method)
    this.#carry(this.out, () => {
      this.arrived.push(message.method)
      this.#child.send(message, () => {})
    })
  }

  #carry(how, pass) {
    if (how === 'hold') this.held.push(pass)
    if (how === 'pass' || how === 'double') pass()
    if (how === 'double') pass()
  }

  /** Lets through what was held back, in its order, and whatever follows. */
  release() {
    this.back = 'pass'
    for (const pass of this.held.splice(0)) pass()
  }
}

/** A call that has read the question of a host behind a relay out. */
async function connected(t, faults = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-channel-'))
  const journal = path.join(folder, 'journal.jsonl')
  const told = []
  const child = startHost(journal, 'input-1', (what) => told.push(what))
  const relay = Object.assign(new Relay(child), faults)
  const clock = createManualClock()
  const finals = []
  const voice = createFakeVoice()
  const call = openLiveCall({
    callId: 'call-1',
    session: { id: 'session-1' },
    host: connectLocalHost(relay),
    voice,
    clock,
    onOperation: (view) => view.final && finals.push(outcome(view)),
  })
  t.after(async () => {
    await killHost(child)
    fs.rmSync(folder, { recursive: true })
  })
  const until = (holds, what) => eventually(holds, () => clock.advance(0), what)
  await until(() => call.pending()?.text === 'Shall I?', 'the question is open')
  await clock.advance(10)
  let requests = 0
  const say = (instruction) => {
    const request = { requestId: `request-${++requests}`, instruction }
    void call.instruct(request, { speechStartedAt: clock.now() })
  }
  /** What is written and told by the end of the test, each answer with who gave it. */
  const close = async () => {
    await until(() => told.length >= answersIn(journal).length, 'the agent is told')
    const closed = call.close()
    await clock.advance(1_000)
    await closed
    const by = ({ resolvedBy }) => resolvedBy.operationId ?? resolvedBy.kind
    const written = answersIn(journal)
    assert.deepEqual(told.map(by), written.map(by), 'what is written is told')
    return written.map(by)
  }
  const answered = () => answersIn(journal).length > 0
  const card = (answers) => child.send({ card: answers })
  return { call, clock, relay, finals, voice, until, say, card, answered, close }
}

/** Does this to the channel in the moment in which something is sent. */
const when = (relay, method, change) => {
  relay.sending = (sent) => sent === method && Object.assign(relay, change)
}

test('slow: what comes after the time of the hand-over still settles the answer', async (t) => {
  const { call, clock, relay, finals, until, say, answered, close } = await connected(t)
  when(relay, 'resolveInput', { back: 'hold' })
  say('No')
  await until(() => answered() && relay.held.length > 0, 'the host has it')
  await clock.advance(3_000)
  assert.deepEqual([call.operations()[0].state, finals], ['dispatching', []])
  relay.release()
  await until(() => finals.length > 0, 'it is settled')
  assert.deepEqual([finals, await close()], [['accepted'], ['call-1:1']])
})

test('slow: an answer whose question could not be confirmed in time is refused, and the next is taken', async (t) => {
  const { clock, relay, finals, until, say, close } = await connected(t)
  when(relay, 'openInputs', { back: 'hold' })
  say('Yes')
  await until(() => relay.held.length > 0, 'the list is on its way')
  await clock.advance(2_000)
  assert.deepEqual(finals, ['refused: host-unavailable'])
  relay.sending = () => {}
  relay.release()
  await clock.advance(10)
  say('No')
  await until(() => finals.length > 1, 'the next')
  assert.deepEqual(
    [finals, await close()],
    [['refused: host-unavailable', 'accepted'], ['call-1:2']],
  )
})

test('late: what comes after all evidence was spent changes nothing, and the answer is not given again', async (t) => {
  const { call, clock, relay, finals, until, say, answered, close } = await connected(t)
  when(relay, 'resolveInput', { back: 'hold' })
  say('No')
  await until(() => answered() && relay.held.length > 0, 'the host has it')
  await clock.advance(ALL_EVIDENCE)
  assert.deepEqual(finals, ['unknown'])
  relay.release()
  await until(() => call.pending() === null, 'the host is heard again')
  await clock.advance(ALL_EVIDENCE)
  assert.deepEqual([finals, await close()], [['unknown'], ['call-1:1']])
})

test('doubled: everything both ways, and yet one answer, accepted once, read back once', async (t) => {
  const faults = { out: 'double', back: 'double' }
  const { clock, relay, finals, voice, until, say, close } = await connected(t, faults)
  say('No')
  await until(() => finals.length > 0, 'it is settled')
  await clock.advance(ALL_EVIDENCE)
  assert.equal(relay.arrived.filter((method) => method === 'resolveInput').length, 2)
  assert.equal(voice.texts().filter((text) => text.includes('was accepted')).length, 1)
  assert.deepEqual([finals, await close()], [['accepted'], ['call-1:1']])
})

test('half closed, nothing comes back: unknown in the end, and no second answer goes out', async (t) => {
  const { clock, relay, finals, until, say, answered, close } = await connected(t)
  when(relay, 'resolveInput', { back: 'drop' })
  say('No')
  await until(answered, 'the host has it')
  await clock.advance(ALL_EVIDENCE)
  say('Yes')
  await clock.advance(ALL_EVIDENCE)
  assert.deepEqual([finals, await close()], [['unknown', 'refused: question-closed'], ['call-1:1']])
})

test('half closed, nothing gets there: what did not go out is refused, what may have is unknown, and the card answers', async (t) => {
  const table = [
    ['before the list is read', 'openInputs', 'refused: host-unavailable'],
    ['at the hand-over', 'resolveInput', 'unknown'],
  ]
  for (const [label, method, end] of table) {
    const { call, clock, relay, finals, until, say, card, close } = await connected(t)
    when(relay, method, { out: 'drop' })
    say('No')
    await until(() => relay.out === 'drop', label)
    await clock.advance(ALL_EVIDENCE)
    assert.deepEqual(finals, [end], label)
    card([['Yes']])
    await until(() => call.pending() === null, label)
    assert.deepEqual([finals, await close()], [[end], ['desktop']], label)
  }
})
