'use strict'
// What the tests of the Codex adapter have in common: a thread, what is asked in it, and who answers.

const { SpokenQuestion } = require('..')
const { FACTS } = require('./asking.js')
const { THREAD, asked, codexSide } = require('./codex-side.js')

const WHICH = asked('q', 'Which?', ['a', 'b'])
const db = { type: 'string', enum: ['pg', 'sqlite'], enumNames: ['PostgreSQL', 'SQLite'] }
const form = (properties, more) => ({
  message: 'Which database?',
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...more,
})
const FORM = form({ db })
const BACKEND = { title: 'Which backend?', options: ['SQLite', 'Postgres'] }

/** A process and everything that is told of its thread. */
function session(options) {
  const side = codexSide(options)
  const events = []
  side.host.watch(THREAD, (event) => events.push(event))
  return { ...side, side, events }
}

/** Asks, and waits until that is open. */
async function open(world, how, ...rest) {
  const one = world[how](...rest)
  await world.quiet()
  return one
}

async function resolve({ host }, inputId, optionIndexes, signal = new AbortController().signal) {
  const input = (await host.openInputs(THREAD)).find((one) => one.inputId === inputId)
  const resolution = {
    inputId,
    sessionId: THREAD,
    expectDigest: input?.questions ? new SpokenQuestion(input).digest : '1:none',
    answers: [],
    optionIndexes,
    resolvedBy: FACTS,
  }
  return host.resolveInput(resolution, { signal })
}

const brief = (events) => events.map(({ type, reason }) => (reason ? `${type}: ${reason}` : type))
const CODE = (code) => ({ status: 'rejected', code })
const answer = (...chosen) => ({ answers: { q: { answers: chosen } } })

/** Looks until there is something. */
async function until(look) {
  for (;;) {
    const found = await look()
    if (found.length > 0) return found
    await new Promise((done) => setTimeout(done, 5))
  }
}

module.exports = {
  BACKEND,
  CODE,
  FORM,
  WHICH,
  answer,
  brief,
  db,
  form,
  open,
  resolve,
  session,
  until,
}
