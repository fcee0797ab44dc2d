'use strict'
// Sessions of Pi over a stand-in for its SDK: what they are made of, and what is read of them. The real
// SDK runs in e2e/pi.

const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { createPiSessions } = require('../main/sessions/pi.js')

/** An SDK whose sessions answer with these messages, one list for each prompt. */
function fakeSdk(...turns) {
  const made = []
  const createAgentSession = async (options) => {
    let tools = [...options.tools]
    const listeners = new Set()
    const session = {
      options,
      log: [],
      getAllTools: () => options.tools.map((name) => ({ name })),
      getActiveToolNames: () => tools,
      getCallableToolNames: () => tools,
      setActiveToolsByName: (names) => (tools = names),
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      async prompt(text, given) {
        session.log.push(['prompt', text, given])
        for (const message of turns.shift() ?? []) {
          for (const listener of listeners) listener({ type: 'message_end', message })
        }
      },
      abort: async () => void session.log.push(['abort']),
      dispose: () => session.log.push(['dispose', listeners.size]),
    }
    made.push(session)
    return { session }
  }
  const SessionManager = {
    inMemory: (cwd) => ({ in: 'memory', cwd }),
    continueRecent: (cwd, folder) => ({ in: folder, cwd }),
  }
  return { made, sdk: { createAgentSession, SessionManager } }
}

const says = (text, more) => ({ role: 'assistant', content: [{ type: 'text', text }], ...more })
const session = { cwd: '/work', model: 'm' }
const folder = 'rooms'

test('a room has one durable session without tools; a turn of its own leaves no file', async () => {
  const { made, sdk } = fakeSdk()
  const pi = createPiSessions({ sdk, folder, session })
  const lounge = await pi.shared('lounge')
  assert.equal(await pi.shared('lounge'), lounge)
  const other = await pi.shared('../lounge')
  const [own, detached] = [await pi.oneShot('machine'), await pi.oneShot('none')]
  const seen = made.map(({ options }) => options)
  const folders = seen.slice(0, 2).map(({ sessionManager }) => sessionManager.in)
  // Two rooms, two folders, neither outside of the one that was named.
  assert.equal(new Set(folders).size, 2)
  for (const name of folders) assert.match(name.split(path.sep).join('/'), /^rooms\/[0-9a-f]{32}$/)
  const machine = ['read', 'bash', 'edit', 'write']
  assert.deepEqual(
    seen.map(({ tools, noTools, model }) => [tools, noTools, model]),
    [
      [[], 'all', 'm'],
      [[], 'all', 'm'],
      [machine, 'all', 'm'],
      [[], 'all', 'm'],
    ],
  )
  // MCP's tools would stay registered beside a list of names, and a room tool could call them.
  const excluded = seen.map(({ excludeTools }) => excludeTools?.includes('mcp__*'))
  assert.deepEqual(excluded, [true, true, undefined, true])
  for (const name of ['bash', 'tool_search', 'codemode', 'read_mcp_resource']) {
    assert.ok(seen[0].excludeTools.includes(name), name)
  }
  assert.deepEqual(seen[2].sessionManager, { in: 'memory', cwd: '/work' })
  const holds = [lounge, other, own, detached].map((one) => one.machineTools())
  assert.deepEqual(holds, [[], [], machine, []])
  own.dispose()
  own.dispose()
  assert.deepEqual([own.machineTools(), made[2].log], [[], [['dispose', 0]]])
  // One that was disposed of is made anew, from its file.
  lounge.dispose()
  assert.notEqual(await pi.shared('lounge'), lounge)
  await pi.close()
  assert.deepEqual(made.at(-1).log, [['dispose', 0]])
})

test('a room that could not be opened can be opened again', async () => {
  const { sdk } = fakeSdk()
  let fails = true
  const createAgentSession = (options) =>
    fails ? Promise.reject(new Error('no')) : sdk.createAgentSession(options)
  const pi = createPiSessions({ sdk: { ...sdk, createAgentSession }, folder, session })
  await assert.rejects(pi.shared('lounge'), /no/)
  fails = false
  assert.deepEqual((await pi.shared('lounge')).machineTools(), [])
})

test("tools of the app's own are no machine tools; anything else that turns up is", async () => {
  const { made, sdk } = fakeSdk()
  const roomTools = [{ name: 'weather' }]
  const pi = createPiSessions({ sdk, folder, session, roomTools, machineTools: ['bash'] })
  const lounge = await pi.shared('lounge')
  assert.deepEqual([made[0].options.tools, lounge.machineTools()], [['weather'], []])
  assert.deepEqual((await pi.oneShot('machine')).machineTools(), ['bash'])
  made[0].getAllTools = () => [{ name: 'weather' }, { name: 'mcp__shell' }]
  assert.deepEqual(lounge.machineTools(), ['mcp__shell'])
  made[0].getAllTools = () => []
  made[0].setActiveToolsByName(['bash'])
  assert.deepEqual(lounge.machineTools(), ['bash'])
})

test('the answer is of this very turn, and a turn that broke off has none', async () => {
  const tool = { type: 'toolCall', name: 'bash' }
  const table = [
    ['the last of several', [says('one'), says('two')], 'two'],
    ['text among other parts', [says('', { content: [tool, { type: 'text', text: 'a' }] })], 'a'],
    ['nothing new', [{ role: 'user', content: [] }], ''],
    [
      'an error after a try',
      [says('one'), says('', { stopReason: 'error' })],
      /ended the turn: error/,
    ],
    ['an error with a cause', [says('', { stopReason: 'error', errorMessage: 'quota' })], /quota/],
    ['an abort', [says('half', { stopReason: 'aborted' })], /ended the turn: aborted/],
  ]
  const { made, sdk } = fakeSdk(...table.map(([, messages]) => messages))
  const lounge = await createPiSessions({ sdk, folder, session }).shared('lounge')
  for (const [name, , expected] of table) {
    if (typeof expected === 'string') assert.equal(await lounge.prompt('/x'), expected, name)
    else await assert.rejects(lounge.prompt('/x'), expected, name)
  }
  // Nothing in a prompt is a command of Pi's.
  const [, text, { expandPromptTemplates }] = made[0].log[0]
  assert.deepEqual([text, expandPromptTemplates], ['/x', false])
  await lounge.abort()
  lounge.dispose()
  assert.deepEqual(made[0].log.slice(-2), [['abort'], ['dispose', 0]])
})

test('nothing that an app passes can give a room tools', () => {
  const { sdk } = fakeSdk()
  const fine = { sdk, folder, session }
  const OWN = [
    'tools',
    'noTools',
    'excludeTools',
    'customTools',
    'sessionManager',
    'resourceLoader',
  ]
  const given = (name) => ({ ...fine, session: { ...session, [name]: undefined } })
  const table = [
    undefined,
    { ...fine, sdk: undefined },
    { ...fine, sdk: { createAgentSession() {} } },
    { ...fine, folder: '' },
    { ...fine, session: undefined },
    { ...fine, session: {} },
    ...OWN.map((name) => given(name)),
    { ...fine, machineTools: 'bash' },
    { ...fine, machineTools: ['*'] },
    { ...fine, machineTools: ['+bash'] },
    { ...fine, roomTools: ['weather'] },
    { ...fine, roomTools: [{ name: 'bash' }] },
    { ...fine, roomTools: [{ name: 'mcp__*' }] },
    { ...fine, roomTools: [{ name: 'mcp__a__b' }] },
    { ...fine, roomTools: [{ name: 'tool_search' }] },
    { ...fine, roomTools: [{ name: 'read_mcp_resource' }] },
    { ...fine, resourceLoader: {} },
    { ...fine, roomTools: [{ name: 'deploy' }], machineTools: ['deploy'] },
  ]
  for (const options of table) {
    assert.throws(() => createPiSessions(options), { name: 'TypeError', code: 'INVALID_OPTION' })
  }
})

test('a resource loader is made for each session, and none has two', async () => {
  const { made, sdk } = fakeSdk()
  const loaders = [{}, {}]
  let calls = 0
  const resourceLoader = async () => loaders[Math.min(calls++, 1)]
  const pi = createPiSessions({ sdk, folder, session, resourceLoader })
  await pi.shared('lounge')
  await pi.oneShot('machine')
  const seen = made.map(({ options }) => options.resourceLoader)
  assert.ok(seen[0] === loaders[0] && seen[1] === loaders[1])
  // What an extension sends goes to the session that its loader was bound to last.
  await assert.rejects(pi.oneShot('machine'), /a resource loader is for one session/)
  await assert.rejects(pi.shared('kitchen'), /a resource loader is for one session/)
  const others = createPiSessions({ sdk, folder, session, resourceLoader })
  await assert.rejects(others.shared('lounge'), /a resource loader is for one session/)
  assert.equal(made.length, 2)
})

test('what the app does to its own objects later changes nothing', async () => {
  const { made, sdk } = fakeSdk()
  const machineTools = ['read']
  const roomTools = [{ name: 'weather' }]
  const pi = createPiSessions({ sdk, folder, session, machineTools, roomTools })
  machineTools.push('bash')
  roomTools.push({ name: 'bash' })
  await pi.shared('lounge')
  await pi.oneShot('machine')
  const tools = made.map(({ options }) => options.tools)
  assert.deepEqual(tools, [['weather'], ['read', 'weather']])
})

/** An SDK whose sessions are there when the test says so. */
function slowSdk() {
  const { made, sdk } = fakeSdk()
  const opening = []
  const createAgentSession = async (options) => {
    const { session: one } = await sdk.createAgentSession(options)
    return new Promise((resolve) => opening.push(() => resolve({ session: one })))
  }
  return { made, opening, sdk: { ...sdk, createAgentSession } }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a session that nobody waits for any more blocks no room, and is disposed of', async () => {
  const { made, opening, sdk } = slowSdk()
  const pi = createPiSessions({ sdk, folder, session })
  const controller = new AbortController()
  const hung = [
    pi.shared('lounge', { signal: controller.signal }),
    pi.oneShot('machine', { signal: controller.signal }),
  ]
  await settle()
  controller.abort()
  // Nor one that nobody waits for to begin with.
  await assert.rejects(pi.shared('lounge', { signal: controller.signal }), /nobody waits/)
  const next = pi.shared('lounge')
  await settle()
  assert.equal(made.length, 3)
  opening[2]()
  assert.deepEqual((await next).machineTools(), [])
  for (const open of opening) open()
  for (const one of hung) await assert.rejects(one, /made too late/)
  assert.deepEqual(
    made.map(({ log }) => log),
    [[['dispose', 0]], [['dispose', 0]], []],
  )
  assert.equal(await pi.shared('lounge'), await next)
})

test('closing waits for nothing and disposes of everything', async () => {
  const { made, opening, sdk } = slowSdk()
  const pi = createPiSessions({ sdk, folder, session })
  const ready = [pi.shared('lounge'), pi.oneShot('machine')]
  await settle()
  for (const open of opening.splice(0)) open()
  await Promise.all(ready)
  const late = pi.shared('kitchen')
  await settle()
  await pi.close()
  const ends = () => made.map(({ log }) => log.length)
  assert.deepEqual(ends(), [1, 1, 0])
  opening[0]()
  await assert.rejects(late, /made too late/)
  assert.deepEqual(ends(), [1, 1, 1])
  await assert.rejects(pi.shared('lounge'), /closed/)
  await assert.rejects(pi.oneShot('none'), /closed/)
})

test('a prompt that Pi still prepares is no stopped one: it is awaited, and stopped as it begins', async () => {
  const { made, sdk } = fakeSdk()
  const lounge = await createPiSessions({ sdk, folder, session }).shared('lounge')
  let begin
  made[0].prompt = (_, { preflightResult }) =>
    new Promise((resolve) => (begin = () => resolve(preflightResult('started'))))
  const turn = lounge.prompt('x')
  const stopped = lounge.abort().then(() => made[0].log.push(['stopped']))
  await settle()
  assert.deepEqual(made[0].log, [['abort']])
  // Nobody else's words go in meanwhile.
  await assert.rejects(lounge.prompt('y'), /at work/)
  begin()
  await assert.rejects(turn, /stopped/)
  await stopped
  assert.deepEqual(made[0].log, [['abort'], ['abort'], ['stopped']])
  // The next turn is not a stopped one.
  made[0].prompt = async () => {}
  assert.equal(await lounge.prompt('y'), '')
  // Tools that a hook chose after the end are let go of.
  const own = await createPiSessions({ sdk, folder, session }).oneShot('machine')
  made[1].prompt = () => new Promise((resolve) => (begin = resolve))
  const hung = own.prompt('x')
  own.dispose()
  made[1].setActiveToolsByName(['bash'])
  begin()
  await assert.rejects(hung, /stopped/)
  assert.deepEqual(own.machineTools(), [])
})
