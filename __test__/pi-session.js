'use strict'
// What the tests of the Pi adapter have in common: a session, what is asked in it, and who answers.

const { SpokenQuestion } = require('..')
const { FACTS } = require('./asking.js')
const { SESSION, asked, piSide } = require('./pi-side.js')

const WHICH = asked('Which?', ['a', 'b'])

/** A process and everything that is told of its session. */
async function session(options) {
  const side = await piSide(options)
  const events = []
  side.host.watch(SESSION, (event) => events.push(event))
  return { ...side, side, events }
}

/** Asks by our extension or by a plain dialog, and waits until that is open. */
async function open(world, how = 'ask', ...rest) {
  const args = rest.length > 0 ? rest : how === 'ask' ? [[WHICH]] : ['Which?', ['a', 'b']]
  const one = world[how](...args)
  await world.quiet()
  const input = world.events.findLast(({ type }) => type === 'input.requested')?.input
  return { ...one, input, inputId: input?.inputId }
}

async function resolve({ host }, inputId, optionIndexes, signal = new AbortController().signal) {
  const input = (await host.openInputs(SESSION)).find((one) => one.inputId === inputId)
  const resolution = {
    inputId,
    sessionId: SESSION,
    expectDigest: input?.questions ? new SpokenQuestion(input).digest : '1:none',
    answers: [],
    optionIndexes,
    resolvedBy: FACTS,
  }
  return host.resolveInput(resolution, { signal })
}

const brief = (events) => events.map(({ type, reason }) => (reason ? `${type}: ${reason}` : type))
const CODE = (code) => ({ status: 'rejected', code })

module.exports = { CODE, WHICH, brief, open, resolve, session }
