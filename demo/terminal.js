'use strict'
// The terminal demo: an agent asks, the question is read out, somebody answers, and the host hears
// who it was. A live call and the local host in one process; the terminal is the voice.

const { performance } = require('node:perf_hooks')
const readline = require('node:readline')
const { parseArgs } = require('node:util')
const { SpokenQuestion } = require('..')
const { createLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { printer } = require('./print.js')
const { SAMPLE, readQuestion } = require('./question.js')

const USAGE = `usage: npm start --silent -- [--question FILE] [--say TEXT]... [--json]

  --question FILE  a JSON file: { inputId, sessionId, questions: [{ question, options, multiSelect? }] }
  --say TEXT       what the person says, in their own words ("the second one, please", "local, no
                   wait, the beta"). Default: lines of standard input
  --json           one JSON object a line (with npm's own lines off: --silent)
  --help           this text

Ends with 0 when the question was answered, 1 when it is still open, 2 when something is wrong
with the options or the file.`

async function main(args) {
  // A reader that has seen enough (`| head -1`) is no error.
  process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const options = parse(args)
  if (options.help) return console.log(USAGE)
  const question = attempt(() =>
    options.question === undefined ? SAMPLE : readQuestion(options.question),
  )
  const print = printer(options.json)

  const host = await createLocalHost()
  host.voice.watch(question.sessionId, (event) => print.event(event))
  const call = openLiveCall({
    session: { id: question.sessionId },
    host: host.voice,
    voice: terminalVoice(print),
    onOperation: (view) => print.operation(view),
    onForward: ({ instruction }) => print.forward(instruction),
  })
  let answered = false
  const asked = waitsFor(host, question)
  asked.then(
    () => (answered = true),
    () => {},
  )
  await quiet()

  const spoken = new SpokenQuestion(question)
  let requests = 0
  for await (const text of utterances(options.say, print)) {
    if (text.trim() === '') continue
    print.said(text)
    print.match(spoken.match(text))
    const evidence = { utterance: text, speechStartedAt: performance.now() }
    const request = { requestId: `request-${++requests}`, instruction: text }
    await call.instruct(request, evidence).settled
    await quiet()
    if (answered) break
  }
  if (!answered) {
    print.stillOpen()
    process.exitCode = 1
  }
  await call.close()
  await host.close()
}

/** A question waits for its answer; anything else is only held, for voice never decides it. */
function waitsFor(host, question) {
  if (question.kind === undefined || question.kind === 'question') return host.ask(question)
  host.hold(question)
  return new Promise(() => {})
}

/** What is given to it is printed, and counts as said. */
function terminalVoice(print) {
  return {
    name: 'terminal',
    async deliver(feedback) {
      print.delivery(feedback)
      return 'sent'
    },
  }
}

/** Until everything that was set off has happened: in this demo nothing waits for anything else. */
async function quiet() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function* utterances(say, print) {
  if (say) return yield* say
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity })
  print.prompt()
  for await (const line of lines) {
    yield line
    print.prompt()
  }
}

function parse(args) {
  const options = {
    question: { type: 'string' },
    say: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  }
  return attempt(() => parseArgs({ args, options }).values)
}

/** What the user got wrong ends the demo with 2 and says what it was. */
function attempt(step) {
  try {
    return step()
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

module.exports = { main }
