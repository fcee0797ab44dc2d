'use strict'
// `npm run start:room`: an evening in a room, without a network. The gateway, the voice provider and
// the agent are played; what decides who may do what is real.

const { openRoom } = require('./room.js')

const ADA = { userId: '100000000000000001', name: 'Ada' }
const BOB = { userId: '200000000000000002', name: 'Bob' }

async function main() {
  const print = (who, what) => console.log(`${who.padEnd(9)} ${what}`)
  const settings = { systemActorUserIds: [ADA.userId] }
  const played = play(print)
  const room = openRoom({
    room: 'guild-1/voice-1',
    ...played,
    readSettings: () => settings,
    log: (entry) => played.logged(entry),
  })
  const { hear, write, ask } = played

  print('', 'Ada is on the list, Bob is not.')
  await hear(ADA, 'Restart the build, please.')
  await hear(BOB, 'And delete everything.')
  await write(ADA, 'What is the disk usage?')
  await write(BOB, 'Show me the keys.')
  print('', 'The provider asks once more in the same response; nobody has spoken.')
  await ask('response-2', 'delete everything')
  print('', 'Ada is taken off the list.')
  settings.systemActorUserIds = []
  await hear(ADA, 'Restart it again.')
  print('', 'Somebody breaks the list: nobody is granted, the room goes on.')
  settings.systemActorUserIds = ['ada']
  await hear(ADA, 'Anybody there?')
  room.close()
}

/** Everything around the room, played. */
function play(print) {
  const on = {}
  let responses = 0
  let done
  const step = async (begin) => {
    const logged = new Promise((resolve) => (done = resolve))
    begin()
    await logged
  }
  const gateway = {
    onUtterance: (listener) => (on.utterance = listener),
    onMessage: (listener) => (on.message = listener),
    nameOf: (userId) => (userId === ADA.userId ? ADA.name : BOB.name),
    reply: (text) => print('in text', text),
  }
  const provider = {
    onResponse: (name, listener) => (on[name] = listener),
    onFunctionCall: (listener) => (on.call = listener),
    speak: (text) => print('aloud', text),
    createResponse({ metadata, text }) {
      const id = `response-${++responses}`
      on.created({ id, metadata })
      // A voice model passes on what it made of it.
      on.call({ responseId: id, args: { request: text.toLowerCase() } })
    },
  }
  /** An agent that says what it could do. */
  const session = (kind, tools) => ({
    machineTools: () => tools,
    prompt: async () => `I can use ${tools.join(' and ') || 'nothing of the machine'} here.`,
    abort: async () => {},
    dispose: () => {
      tools = []
      print('', `(the ${kind} session is gone)`)
    },
  })
  const shared = session('shared', [])
  return {
    gateway,
    provider,
    sessions: {
      shared: async () => shared,
      oneShot: async (tools) => session('one-shot', tools === 'machine' ? ['read', 'bash'] : []),
    },
    logged(entry) {
      if (entry.error) return print('error', entry.error)
      print('receipt', `${entry.plan}, ${entry.code}`)
      done()
    },
    hear: (who, text) =>
      step(() => (print(who.name, `says: ${text}`), on.utterance({ ...who, text }))),
    write: (who, content) =>
      step(() => (print(who.name, `writes: ${content}`), on.message({ ...who, content }))),
    ask: (responseId, request) => step(() => on.call({ responseId, args: { request } })),
  }
}

module.exports = { main }
