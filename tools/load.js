'use strict'
// `npm run load -- [CALLS] [QUESTIONS]`: so many live calls (default 100) on one host process answer
// so many questions (default 10 000); how long from `instruct` to accepted, beside the bare round
// trip to the same host, and whether memory stays flat. Figures, not a gate.

const { fork } = require('node:child_process')
const { performance } = require('node:perf_hooks')
const { ensureBuilt } = require('./run.js')

const [CALLS = 100, QUESTIONS = 10_000] = process.argv.slice(2).map(Number)
const question = (sessionId, n) => ({
  inputId: `${sessionId}-${n}`,
  sessionId,
  questions: [{ question: `Shall I do number ${n}?`, options: ['Yes', 'No'] }],
})

if (process.argv[2] === 'host') serve()
else drive()

/** The host process: it asks, and serves everybody through one channel. */
async function serve() {
  const { createLocalHost, serveLocalHost } = require('../main/hosts/local.js')
  const host = await createLocalHost()
  serveLocalHost(host, process, 'voice')
  process.on('message', ({ ask }) => ask && host.ask(ask).catch(() => {}))
}

async function drive() {
  ensureBuilt()
  const { connectLocalHost } = require('../main/hosts/local.js')
  const { openLiveCall } = require('../main/live-call.js')
  const { createFakeVoice } = require('../main/testing.js')
  const child = fork(__filename, ['host'])
  const host = connectLocalHost(child)

  const bare = []
  for (let n = 0; n < 2_000; n++) bare.push(await timed(() => host.settlement('nothing')))

  const times = []
  const memory = []
  let requests = 0
  const sessions = Array.from({ length: CALLS }, (_, n) => `session-${n}`)
  const each = Math.ceil(QUESTIONS / CALLS)
  await Promise.all(
    sessions.map(async (id) => {
      let readOut
      const voice = createFakeVoice({
        outcome: ({ kind }) => (
          kind === 'interaction-required' && setImmediate(() => readOut()),
          'sent'
        ),
      })
      const call = openLiveCall({ session: { id }, host, voice })
      for (let n = 0; n < each; n++) {
        const heard = new Promise((resolve) => (readOut = resolve))
        child.send({ ask: question(id, n) })
        await heard
        const request = { requestId: `request-${++requests}`, instruction: 'Yes' }
        const evidence = { speechStartedAt: performance.now() }
        const settle = async () => {
          const { state, reason } = await call.instruct(request, evidence).settled
          if (state !== 'accepted') throw new Error(`${state} ${reason}`)
        }
        times.push(await timed(settle))
        voice.deliveries.length = 0
        if (times.length % Math.ceil(QUESTIONS / 5) === 0) {
          globalThis.gc?.()
          memory.push(Math.round(process.memoryUsage().rss / 2 ** 20))
        }
      }
      await call.close()
    }),
  )
  child.kill()
  const line = (name, values) =>
    console.log(`${name.padEnd(34)} p50 ${at(values, 0.5)} ms  p99 ${at(values, 0.99)} ms`)
  console.log(`${CALLS} calls, ${times.length} questions, all accepted`)
  line('instruct to accepted', times)
  line('bare round trip, nothing else going', bare)
  console.log(`resident memory by fifths: ${memory.join(', ')} MiB`)
}

async function timed(call) {
  const start = performance.now()
  await call()
  return performance.now() - start
}

const at = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)].toFixed(2)
