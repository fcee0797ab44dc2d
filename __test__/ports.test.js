'use strict'
// The local host behind ports: who may do what, whose reply is whose, and what is left behind when an
// end is gone.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const path = require('node:path')
const { test } = require('node:test')
const { MessageChannel } = require('node:worker_threads')
const {
  connectAgent,
  connectDesktop,
  connectLocalHost,
  createLocalHost,
  serveLocalHost,
} = require('../main/hosts/local.js')
const {
  byVoice,
  brief,
  crashed,
  end,
  journalFile,
  outcome,
  pause,
  question,
  read,
  warnings,
} = require('./asking.js')

/** Ports are not in step with each other: each step is seen before the next is taken. */
async function until(holds) {
  for (let turn = 0; turn < 1_000 && !(await holds()); turn++) await pause(2)
  assert.ok(await holds())
}

test('each principal does its own part', async (t) => {
  const host = await createLocalHost()
  const agent = connectAgent(end(t, host, 'agent'))
  const voice = connectLocalHost(end(t, host, 'voice'))
  const desktop = connectDesktop(end(t, host, 'desktop'))
  const events = { voice: [], desktop: [] }
  voice.watch('session-1', (event) => events.voice.push(event))
  desktop.watch('session-1', (event) => events.desktop.push(event))
  assert.deepEqual(await voice.openInputs('session-1'), [])
  assert.deepEqual(await desktop.openInputs('session-1'), [])

  const answered = agent.ask(question(), { askedOf: 'alice' })
  await until(() => events.voice.length === 1)
  const plan = { kind: 'plan', inputId: 'plan', sessionId: 'session-1' }
  const held = agent.hold(plan)
  await until(() => events.voice.length === 2)
  const input = {
    ...question(),
    kind: 'question',
    private: false,
    expiresAt: undefined,
    askedOf: 'alice',
  }
  assert.deepEqual(await voice.openInputs('session-1'), [input, plan])
  assert.deepEqual(await voice.settlement('input-1'), { status: 'open' })
  held.release()
  await until(() => events.voice.length === 3)
  assert.deepEqual(await desktop.resolveInput('input-1', [['secret yes']]), { status: 'resolved' })
  const resolvedBy = { kind: 'desktop' }
  assert.deepEqual(await answered, { answers: [['secret yes']], resolvedBy })

  const canceled = outcome(agent.ask(question('input-2'), { private: true }))
  agent.cancel('input-2', 'moved on')
  assert.equal(await canceled, 'CANCELED')
  await until(() => events.voice.length === 6 && events.desktop.length === 6)
  const common = [
    { type: 'input.requested', input },
    { type: 'input.requested', input: plan },
    { type: 'input.canceled', inputId: 'plan' },
    { type: 'input.resolved', inputId: 'input-1', optionIndexes: [[0]], resolvedBy },
  ]
  assert.deepEqual(events, {
    voice: [
      ...common,
      {
        type: 'input.requested',
        input: { kind: 'other', inputId: 'input-2', sessionId: 'session-1' },
      },
      { type: 'input.canceled', inputId: 'input-2' },
    ],
    desktop: [
      ...common,
      {
        type: 'input.requested',
        input: { ...input, inputId: 'input-2', private: true, askedOf: undefined },
      },
      { type: 'input.canceled', inputId: 'input-2', reason: 'moved on' },
    ],
  })
  await host.close()
})

test('what is for another principal is refused at once', async (t) => {
  const host = await createLocalHost()
  assert.equal(
    await outcome(connectLocalHost(end(t, host, 'desktop')).openInputs('s')),
    'FORBIDDEN',
  )
  assert.equal(await outcome(connectAgent(end(t, host, 'voice')).ask(question())), 'FORBIDDEN')
  assert.equal(
    await outcome(connectDesktop(end(t, host, 'voice')).resolveInput('input-1', [['secret yes']])),
    'FORBIDDEN',
  )
  const said = await warnings(async () => {
    const onDesktop = connectLocalHost(end(t, host, 'desktop'))
    onDesktop.watch('session-1', () => {})
    await outcome(onDesktop.settlement('input-1'))
  })
  assert.deepEqual(said, ['a host cannot be watched: watch is not for whoever has this port'])

  // Whatever a message claims.
  const port = end(t, host, 'voice')
  const replies = []
  port.on('message', (reply) => replies.push([reply.id, reply.error.code]))
  const messages = [
    { principal: 'agent', method: 'ask', args: [question()] },
    { principal: 'voice', method: 'ask', args: [question()] },
    { principal: 'voice', method: 'constructor', args: [] },
    { principal: 'voice', method: 'openInputs' },
    { method: 'openInputs', args: ['session-1'] },
  ]
  for (const [id, message] of messages.entries()) {
    port.postMessage({ spokenAnswer: 1, client: 'c', id, ...message })
  }
  await until(() => replies.length === messages.length)
  assert.deepEqual(replies, [
    [0, 'FORBIDDEN'],
    [1, 'FORBIDDEN'],
    [2, 'FORBIDDEN'],
    [3, 'INVALID_ARGUMENTS'],
    [4, 'FORBIDDEN'],
  ])
  assert.deepEqual(await host.voice.openInputs('session-1'), [])

  // A host of somebody's own that says what cannot be sent.
  const odd = { ...host, ask: async () => () => {}, voice: host.voice, desktop: host.desktop }
  const failed = outcome(connectAgent(end(t, odd, 'agent')).ask(question()))
  assert.equal(await failed, '25')
  await host.close()
})

test('a port is served or connected once, and a reply is for whoever called', async (t) => {
  const host = await createLocalHost()
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  serveLocalHost(host, port1, 'voice')
  const voice = connectLocalHost(port2)
  const inUse = { name: 'TypeError', code: 'PORT_IN_USE' }
  assert.throws(() => serveLocalHost(host, port1, 'agent'), inUse)
  assert.throws(() => connectAgent(port2), inUse)
  assert.throws(() => voice.attach(port2), inUse)
  for (const [call, code] of [
    [() => serveLocalHost(host, end(t, host, 'voice'), 'admin'), 'INVALID_PRINCIPAL'],
    [() => serveLocalHost({}, end(t, host, 'voice'), 'voice'), 'INVALID_HOST'],
    [() => connectLocalHost({}), 'INVALID_PORT'],
    [() => connectLocalHost(null), 'INVALID_PORT'],
  ]) {
    assert.throws(call, { name: 'TypeError', code })
  }
  // Another copy of this package on the same port has calls of the same numbers.
  const other = { spokenAnswer: 1, client: 'other', principal: 'voice' }
  let replied = 0
  port2.on('message', ({ to }) => (replied += Number(to === 'other')))
  for (let id = 1; id <= 3; id++) {
    port2.postMessage({ ...other, id, method: 'settlement', args: ['nothing'] })
  }
  assert.deepEqual(await voice.openInputs('session-1'), [])
  assert.deepEqual(await voice.settlement('x'), { status: 'unknown' })
  await until(() => replied === 3)
  await host.close()
})

test('mistakes are told with their code, and what cannot be sent hangs nobody', async (t) => {
  const host = await createLocalHost()
  const agent = connectAgent(end(t, host, 'agent'))
  const voice = connectLocalHost(end(t, host, 'voice'))
  const desktop = connectDesktop(end(t, host, 'desktop'))
  const f = () => {}
  for (const [call, code] of [
    [() => agent.ask({}), 'INVALID_QUESTION'],
    [() => agent.ask({ ...question(), f }), 'INVALID_QUESTION'],
    [() => agent.ask(question(), null), 'INVALID_OPTIONS'],
    [() => agent.ask(question(), { signal: 5 }), 'INVALID_SIGNAL'],
    [() => agent.ask(question(), { expiresAt: Infinity }), 'INVALID_EXPIRES_AT'],
    [() => voice.resolveInput({ f }), 'INVALID_RESOLUTION'],
    [() => voice.resolveInput(5), 'INVALID_RESOLUTION'],
    [() => voice.openInputs(f), 'INVALID_SESSION_ID'],
    [() => voice.settlement(f), 'INVALID_INPUT_ID'],
    [() => desktop.resolveInput('input-1', [[f]]), 'INVALID_ANSWERS'],
  ]) {
    assert.equal(await outcome(call()), `TypeError ${code}`)
  }
  for (const [call, code] of [
    [() => agent.hold(), 'INVALID_INPUT'],
    [() => agent.cancel(5), 'INVALID_INPUT_ID'],
    [() => agent.cancel('input-1', 5n), 'INVALID_REASON'],
    [() => voice.watch(5, f), 'INVALID_SESSION_ID'],
    [() => voice.watch('session-1'), 'INVALID_ON_EVENT'],
  ]) {
    assert.throws(call, { name: 'TypeError', code })
  }
  await host.close()
})

test('an abort signal of whoever asks reaches the host', async (t) => {
  const host = await createLocalHost()
  const agent = connectAgent(end(t, host, 'agent'))
  const controller = new AbortController()
  const code = outcome(agent.ask(question(), { signal: controller.signal }))
  const open = async () => (await host.desktop.openInputs('session-1')).length
  await until(async () => (await open()) === 1)
  controller.abort()
  assert.equal(await code, 'CANCELED')
  assert.equal(await open(), 0)
  assert.equal(await outcome(agent.ask(question(), { signal: controller.signal })), 'CANCELED')
  await host.close()
})

test('when the agent is gone, nothing of it stays open, and another one may ask', async (t) => {
  const host = await createLocalHost()
  const port = end(t, host, 'agent')
  const agent = connectAgent(port)
  const codes = ['one', 'two'].map((id) => outcome(agent.ask(question(id))))
  agent.hold({ kind: 'plan', inputId: 'plan', sessionId: 'session-1' })
  const open = async () =>
    (await host.desktop.openInputs('session-1')).map(({ inputId }) => inputId)
  await until(async () => (await open()).length === 3)
  port.close()
  assert.deepEqual(await Promise.all(codes), ['HOST_GONE', 'HOST_GONE'])
  await until(async () => (await open()).length === 0)
  const next = connectAgent(end(t, host, 'agent'))
  const answered = next.ask(question('one'))
  await until(async () => (await open()).length === 1)
  host.desktop.resolveInput('one', [['secret no']])
  assert.deepEqual((await answered).answers, [['secret no']])
  await host.close()
})

test('an answer counts as told once the agent has it; else the next one who asks gets it', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const open = async () => (await host.desktop.openInputs('session-1')).length
  // An agent that dies with the answer on its way: it never says that it has it.
  const port = end(t, host, 'agent')
  const message = { spokenAnswer: 1, client: 'c', principal: 'agent', id: 1 }
  port.postMessage({ ...message, method: 'ask', args: [question()] })
  await until(async () => (await open()) === 1)
  host.desktop.resolveInput('input-1', [['free text']])
  await pause(20)
  assert.deepEqual(brief(read(file)), ['input.requested input-1', 'input.resolved input-1'])
  port.close()
  await pause(20)
  const agent = connectAgent(end(t, host, 'agent'))
  const given = { answers: [['free text']], resolvedBy: { kind: 'desktop' } }
  assert.deepEqual(await agent.ask(question()), given)
  await until(() => read(file).length === 3)
  assert.equal(brief(read(crashed(file)))[2], 'input.told input-1')
  await host.close()
})

test('that an answer arrived says nothing about a later asking', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const port = end(t, host, 'agent')
  const message = { spokenAnswer: 1, client: 'c', principal: 'agent' }
  for (const id of [1, 2]) {
    port.postMessage({ ...message, id, method: 'ask', args: [question()] })
    await until(async () => (await host.desktop.openInputs('session-1')).length === 1)
    host.desktop.resolveInput('input-1', [['secret yes']])
  }
  const told = () => brief(read(file)).filter((line) => line === 'input.told input-1').length
  port.postMessage({ ...message, id: 3, method: 'received', args: [1] })
  await pause(20)
  assert.equal(told(), 0)
  port.postMessage({ ...message, id: 4, method: 'received', args: [2] })
  await until(() => told() === 1)
  await host.close()
})

test('another port: the old one tells nothing more', async (t) => {
  const hosts = [await createLocalHost(), await createLocalHost()]
  const [before, after] = hosts
  const voice = connectLocalHost(end(t, before, 'voice'))
  const seen = []
  const stop = voice.watch('session-1', (event) => seen.push(event))
  await voice.openInputs('session-1')
  const plan = { kind: 'plan', inputId: 'old', sessionId: 'session-1' }
  // On its way when the port is replaced.
  before.hold({ ...plan, inputId: 'late' })
  voice.attach(end(t, after, 'voice'))
  await voice.openInputs('session-1')
  before.hold(plan)
  after.hold({ ...plan, inputId: 'new' })
  await voice.openInputs('session-1')
  await pause(20)
  assert.deepEqual(seen, [
    { type: 'gap' },
    { type: 'input.requested', input: { ...plan, inputId: 'new' } },
  ])
  stop()
  await voice.openInputs('session-1')
  for (const host of hosts) host.hold({ ...plan, inputId: 'later' })
  await pause(20)
  assert.equal(seen.length, 2)
  for (const host of hosts) await host.close()
})

test('a listener behind a port that fails is a warning', async (t) => {
  const host = await createLocalHost()
  const voice = connectLocalHost(end(t, host, 'voice'))
  const seen = []
  voice.watch('session-1', () => {
    throw new Error('mine')
  })
  voice.watch('session-1', ({ type }) => seen.push(type))
  await voice.openInputs('session-1')
  const said = await warnings(async () => {
    host.hold({ kind: 'plan', inputId: 'plan', sessionId: 'session-1' })
    await until(() => seen.length === 1)
    voice.attach(end(t, host, 'voice'))
  })
  const what = 'a listener to the events of a host failed: mine'
  assert.deepEqual(said, [what, what])
  await host.close()
})

test('a host that is gone: nothing was sent', async (t) => {
  const host = await createLocalHost()
  const port = end(t, host, 'voice')
  const voice = connectLocalHost(port)
  const under = outcome(voice.settlement('x'))
  port.close()
  assert.equal(await under, 'HOST_GONE')
  assert.deepEqual(await voice.resolveInput(byVoice(question(), [[0]])), { status: 'not-sent' })
  assert.equal(await outcome(voice.openInputs('session-1')), 'HOST_GONE')

  const child = fork(path.join(__dirname, 'fixtures', 'host-process.js'), [journalFile(t), 'i'])
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
  const late = connectLocalHost(child)
  await pause(1)
  assert.deepEqual(await late.resolveInput(byVoice(question(), [[0]])), { status: 'not-sent' })
  await host.close()
})
