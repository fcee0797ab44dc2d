'use strict'
// What the tests of the OpenCode adapter have in common: a session, what is asked in it, and who answers.

const { byVoice, pause } = require('./asking.js')
const { SESSION, asked: question, openCodeSide } = require('./opencode-side.js')

const WHICH = question('Which?', ['a', 'b'])

/** A server and everything that is told of its session. */
async function session(t, options) {
  const side = await openCodeSide(options)
  t.after(() => side.close())
  const events = []
  side.host.watch(SESSION, (event) => events.push(event))
  await until(side.isHeard)
  return Object.assign(side, { events })
}

/** Asks, and waits until that is open. */
async function open(world, how = 'ask', ...rest) {
  const one = world[how](...(rest.length > 0 ? rest : [[WHICH]]))
  return { ...one, input: await until(() => listed(world, one.id, one.request.sessionID)) }
}

const listed = async ({ host }, inputId, sessionId = SESSION) =>
  (await host.openInputs(sessionId)).find((input) => input.inputId === inputId)

/** An answer by voice. */
async function resolve(world, { id, input }, optionIndexes) {
  const asked = input ?? (await listed(world, id))
  const { signal } = new AbortController()
  return world.host.resolveInput(byVoice(asked, optionIndexes), { signal })
}

/** Waits for the event that ends an input; everything that was told. */
async function over(world, count = 2) {
  await until(() => world.events.length >= count)
  return brief(world.events)
}

const brief = (events) => events.map(({ type, reason }) => (reason ? `${type}: ${reason}` : type))
const CODE = (code) => ({ status: 'rejected', code })
const RESOLVED = { status: 'resolved' }

async function until(look) {
  for (;;) {
    const found = await look()
    if (found) return found
    await pause()
  }
}

/** Acts once before the first request of such a kind goes on; what it gives is replied instead. */
const before = (what, act) => {
  let isDone = false
  return (request) => {
    if (isDone || !request.startsWith(what)) return undefined
    isDone = true
    return act()
  }
}

module.exports = {
  CODE,
  RESOLVED,
  WHICH,
  before,
  brief,
  listed,
  open,
  over,
  resolve,
  session,
  until,
}
