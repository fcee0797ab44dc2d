'use strict'
// Voice authority with the real Pi SDK against a scripted model on loopback: who is on the list has
// machine tools for one turn, and nobody else ever has. Run with `npm run test:pi`.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, test } = require('node:test')
const { SpeakerBindings, parseGrants, planTurn, runTurn } = require('../../main/authority.js')
const { createPiSessions } = require('../../main/sessions/pi.js')
const { startModel, textOf } = require('./model.js')

const ADA = '100000000000000001'
const BOB = '200000000000000002'
const NAMES = { [ADA]: 'Ada', [BOB]: 'Bob' }
const MACHINE = ['read', 'bash', 'edit', 'write']

let folder, cwd, model, sdk, session
/** What is printed at the end. */
const transcript = []

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-pi-'))
  cwd = path.join(folder, 'work')
  fs.mkdirSync(cwd)
  model = await startModel()
  const provider = { baseUrl: model.url, api: 'openai-completions', apiKey: 'none' }
  const models = { providers: { scripted: { ...provider, models: [{ id: 'scripted-1' }] } } }
  // Settings and an extension that would give every session tools.
  const settings = { defaultTools: ['bash', 'read'], defaultProjectTrust: 'always' }
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings))
  fs.mkdirSync(path.join(folder, 'extensions'))
  fs.copyFileSync(
    path.join(__dirname, 'extension.js'),
    path.join(folder, 'extensions', 'extension.js'),
  )
  const modelsPath = path.join(folder, 'models.json')
  fs.writeFileSync(modelsPath, JSON.stringify(models))
  sdk = await import('@earendil-works/pi-coding-agent')
  const authPath = path.join(folder, 'auth.json')
  const modelRuntime = await sdk.ModelRuntime.create({ authPath, modelsPath })
  session = {
    cwd,
    agentDir: folder,
    modelRuntime,
    model: modelRuntime.getModel('scripted', 'scripted-1'),
    thinkingLevel: 'off',
  }
})

after(() => {
  model.close()
  fs.rmSync(folder, { recursive: true })
  console.log(`Node ${process.version}. Tools listed per request:`)
  for (const line of transcript) console.log(`  ${line}`)
})

/** An app: its sessions, its list, a room. */
function app(name, clock, options = {}) {
  const pi = createPiSessions({
    sdk,
    folder: path.join(folder, 'rooms', name),
    session,
    ...options,
  })
  const made = []
  const sessions = {
    shared: async (...args) => pi.shared(...args),
    oneShot: async (...args) => {
      const one = await pi.oneShot(...args)
      made.push(one)
      return one
    },
  }
  const bindings = new SpeakerBindings()
  let list = [ADA]
  let responses = 0
  /** Somebody says that something is to be run, by voice or in text. */
  async function say(lane, actorId, request, { signal, ...more } = {}) {
    const { grants } = parseGrants(list)
    let binding = null
    if (lane === 'voice') {
      const id = bindings.reserve({ id: actorId, utterance: request })
      const response = `response-${++responses}`
      bindings.attach(id, response)
      binding = bindings.take(response)
    }
    const plan = planTurn({ lane, actorId, binding, ...more }, grants)
    const from = model.requests.length
    const heard = []
    const message = { speaker: NAMES[actorId], request, utterance: request, context: [] }
    const receipt = await runTurn({
      plan,
      room: 'lounge',
      message,
      sessions,
      clock,
      signal,
      say: (text, { code }) => heard.push([code, text]),
    })
    const requests = model.requests
      .slice(from)
      .filter(({ messages }) =>
        messages.some((one) => textOf(one).includes(JSON.stringify(request))),
      )
    for (const [index, { tools }] of requests.entries()) {
      const who = `${NAMES[actorId]} by ${lane}, ${plan.plan}`.padEnd(26)
      transcript.push(`${who} request ${index + 1}: ${tools.join(', ') || 'none'}`)
    }
    const tools = [...new Set(requests.map((one) => one.tools.join()))]
    return { plan, receipt, heard, requests, tools }
  }
  const only = (...ids) => (list = ids)
  return { say, only, made, pi, close: () => pi.close() }
}

const file = (name) => path.join(cwd, name)
const exists = (name) => fs.existsSync(file(name))

/** Waits until something is so, for ten seconds. */
async function until(what) {
  for (let n = 0; !what(); n++) {
    assert.ok(n < 500, `${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

for (const lane of ['voice', 'text']) {
  test(`${lane}: on the list, bash is listed and runs; the next speaker has nothing`, async () => {
    const { say, only, made, close } = app(lane)
    const ada = await say(lane, ADA, `RUN echo really > ada-${lane}; cat ada-${lane}`)
    assert.deepEqual(ada.tools, [MACHINE.join()])
    assert.equal(fs.readFileSync(file(`ada-${lane}`), 'utf8'), 'really\n')
    assert.match(ada.heard[0][1], /^The tool said: really/)
    assert.equal(ada.requests.length, 2)
    const { code, plan, actorId, responseId, left } = ada.receipt
    const response = lane === 'voice' ? 'response-1' : null
    assert.deepEqual(
      [code, plan, actorId, responseId, left],
      ['answered', 'one-shot', ADA, response, []],
    )
    // The model calls bash all the same; there is none to be called.
    const bob = await say(lane, BOB, `RUN echo really > bob-${lane}`)
    assert.deepEqual(bob.tools, [''])
    assert.ok(!exists(`bob-${lane}`))
    assert.deepEqual([bob.receipt.code, bob.receipt.plan], ['answered', 'shared'])
    assert.match(bob.heard[0][1], /bash not found/i)
    // What Ada had been told is quoted for the room, as what was said there.
    const [{ messages }] = bob.requests
    assert.match(textOf(messages.at(-1)), /- agent, in a turn of its own: "The tool said: really/)
    assert.equal(messages.filter(({ role }) => role === 'user').length, 1)
    // Again on the room's session, which is the same; and a turn of one's own begins with nothing.
    const again = await say(lane, BOB, 'RUN ls')
    assert.equal(again.requests[0].messages.filter(({ role }) => role === 'user').length, 2)
    const alone = await say(lane, ADA, `RUN rm ada-${lane}`)
    assert.equal(alone.requests[0].messages.filter(({ role }) => role === 'user').length, 1)
    assert.ok(!exists(`ada-${lane}`))
    // Taken off the list: nothing from the next turn on.
    only()
    const later = await say(lane, ADA, `RUN echo really > ada-${lane}`)
    assert.deepEqual([later.plan.plan, later.tools, exists(`ada-${lane}`)], ['shared', [''], false])
    // A room without a durable session.
    const detached = await say(lane, BOB, `RUN echo really > bob-${lane}`, { durable: false })
    assert.deepEqual([detached.plan.plan, detached.tools], ['detached', ['']])
    assert.ok(!exists(`bob-${lane}`))
    assert.ok(globalThis.extensionSeen, 'the extension was there')
    // Nothing of the turns of their own is left: no tool, and no file but the room's one.
    assert.deepEqual(
      made.map((one) => one.machineTools()),
      [[], [], []],
    )
    const rooms = fs.readdirSync(path.join(folder, 'rooms', lane), { recursive: true })
    assert.equal(rooms.filter((name) => name.endsWith('.jsonl')).length, 1)
    await close()
  })
}

test('a hung tool ends at the deadline, its process is gone, and nobody waited for it', async () => {
  let slept = 0
  const clock = {
    now: () => performance.now(),
    wall: () => Date.now() + slept,
    setTimeout: (fn, ms) => setTimeout(fn, Math.min(ms, 50)),
    clearTimeout,
  }
  const { say, made, close } = app('hung', clock)
  const hung = say('voice', ADA, 'RUN echo $$ > pid; sleep 1000 & echo $! > child; wait')
  await until(() => exists('child') && fs.readFileSync(file('child'), 'utf8').endsWith('\n'))
  const pids = ['pid', 'child'].map((name) => Number(fs.readFileSync(file(name), 'utf8')))
  assert.deepEqual(pids.map(isAlive), [true, true])
  const other = await say('voice', BOB, 'What time is it?')
  assert.deepEqual(other.heard, [['answered', 'Understood.']])
  assert.deepEqual(pids.map(isAlive), [true, true])
  // Ten minutes pass, by the wall clock alone.
  slept = 600_000
  const { receipt, heard, tools } = await hung
  assert.deepEqual(heard, [['turn-timeout', 'That took too long, so I stopped it.']])
  assert.deepEqual([receipt.code, receipt.left], ['turn-timeout', []])
  assert.ok(receipt.settledMs >= 600_000)
  assert.deepEqual(tools, [MACHINE.join()])
  await until(() => !pids.some(isAlive))
  assert.deepEqual(made[0].machineTools(), [])
  transcript.push(
    'Ada by voice, hung: stopped at the deadline, both its processes gone, nothing left',
  )
  await close()
})

/** Sessions whose only extension is this one, loaded for each. */
function extended(extension) {
  const resourceLoader = async () => {
    const noExtensions = { noExtensions: true, extensionFactories: [extension] }
    const loader = new sdk.DefaultResourceLoader({ cwd, agentDir: folder, ...noExtensions })
    await loader.reload()
    return loader
  }
  return { resourceLoader }
}

test("what an extension sends later stays out of a listed speaker's session", async () => {
  /** "Remind me": it answers in its session a little later. */
  const reminds = (pi) =>
    pi.on('input', ({ text }) => {
      const later = /LATER (.*?)"/.exec(text)?.[1]
      if (later === undefined) return
      const send = () =>
        pi.sendUserMessage(`request: ${JSON.stringify(later)}`, { deliverAs: 'followUp' })
      setTimeout(send, 300)
    })
  const { say, close } = app('reminder', undefined, extended(reminds))
  await say('text', BOB, 'LATER RUN echo owned > owned')
  const ada = await say('text', ADA, 'RUN sleep 1; echo mine > mine')
  assert.deepEqual([ada.receipt.code, exists('mine'), exists('owned')], ['answered', true, false])
  transcript.push("what was sent later for Bob: no command of it ran in Ada's session")
  await close()
})

test("a tool of an MCP server's that turns up during a turn is nobody's in a room", async () => {
  const parameters = { type: 'object', properties: {} }
  const execute = async () => ({ content: [] })
  const tool = (name) => ({ name, label: name, description: name, parameters, execute })
  const connects = (pi) =>
    pi.on('before_agent_start', () => {
      pi.registerTool({ ...tool('mcp__box__shell'), exposure: 'deferred' })
      pi.registerTool(tool('read_mcp_resource'))
    })
  const roomTools = [tool('lookup')]
  const { say, made, pi, close } = app('mcp', undefined, { ...extended(connects), roomTools })
  for (let n = 0; n < 2; n++) {
    const bob = await say('text', BOB, `hello ${n}`)
    assert.deepEqual([bob.receipt.code, bob.tools], ['answered', ['lookup']])
  }
  assert.deepEqual((await pi.shared('lounge')).machineTools(), [])
  const detached = await say('text', BOB, 'hello', { durable: false })
  assert.deepEqual([detached.receipt.code, detached.tools], ['answered', ['lookup']])
  assert.deepEqual(made[0].machineTools(), [])
  await close()
})

for (const hook of ['input', 'before_agent_start']) {
  test(`a turn that is cancelled while Pi prepares it (${hook}) never begins`, async () => {
    const waits = (pi) =>
      pi.on(hook, async ({ text, prompt }) => {
        if ((text ?? prompt).includes('slow'))
          await new Promise((resolve) => setTimeout(resolve, 400))
      })
    const { say, close } = app(`prepared-${hook}`, undefined, extended(waits))
    for (const actor of [ADA, BOB]) {
      const signal = AbortSignal.timeout(150)
      const turn = await say('text', actor, `RUN echo slow > ${hook}-${actor}`, { signal })
      assert.deepEqual([turn.receipt.code, turn.receipt.left], ['turn-cancelled', []])
      assert.ok(turn.receipt.totalMs >= 390, 'it was waited for')
      assert.deepEqual(turn.requests, [])
    }
    const next = await say('text', BOB, 'next')
    assert.deepEqual([next.receipt.code, next.heard], ['answered', [['answered', 'Understood.']]])
    assert.ok(![ADA, BOB].some((actor) => exists(`${hook}-${actor}`)))
    await close()
  })
}
