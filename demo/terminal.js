'use strict'
// The terminal demo: a question is read out, somebody answers, the host hears who.

const { randomUUID } = require('node:crypto')
const readline = require('node:readline')
const { parseArgs } = require('node:util')
const { REFUSALS, SpokenQuestion } = require('..')
const { toAnswers } = require('./choice.js')
const { openHost } = require('./host.js')
const { printer } = require('./print.js')
const { SAMPLE, readQuestion } = require('./question.js')

const USAGE = `usage: npm start --silent -- [--question FILE] [--say TEXT]... [--json]

  --question FILE  a JSON file: { inputId, sessionId, questions: [{ question, options, multiSelect? }] }
  --say TEXT       what the person says: an option or its number; several options of one question
                   with commas, several questions with semicolons. Default: lines of standard input
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

  const host = openHost(question, (event) => print.event(event))
  const spoken = new SpokenQuestion(question)
  const { reason: unanswerable } = readOut(spoken, print)

  const call = { callId: randomUUID(), operations: 0 }
  for await (const text of utterances(options.say, print)) {
    if (text.trim() === '') continue
    print.said(text)
    // What was not read out is not answered, though its labels are known.
    if (unanswerable) print.verdict(refused(unanswerable))
    else answer(host, spoken, text, call, print)
    if (host.openInputs().length === 0) return
  }
  print.stillOpen()
  process.exitCode = 1
}

/** Every page in turn; returns the last. */
function readOut(spoken, print) {
  let page = spoken.feedback()
  print.page(page)
  while (page.next !== null) {
    page = spoken.feedback(undefined, page.next)
    print.page(page)
  }
  return page
}

/** One utterance: checked, then handed to the host once; the host tells who answered. */
function answer(host, spoken, text, call, print) {
  const verdict = spoken.validate(toAnswers(text, spoken.questions))
  print.verdict(verdict, spoken.questions)
  if (verdict.status !== 'accepted') return
  call.operations += 1
  const { inputId, digest, answers, optionIndexes, shortened } = verdict
  const resolvedBy = {
    kind: 'voice',
    callId: call.callId,
    operationId: `operation-${call.operations}`,
    requestId: `request-${call.operations}`,
    digest,
    readOut: 'sent',
    shortened,
    basis: 'utterance',
    at: Date.now(),
  }
  const reply = host.resolveInput({
    inputId,
    expectDigest: digest,
    answers,
    optionIndexes,
    resolvedBy,
  })
  if (reply.status !== 'resolved') throw new Error(`the host says ${JSON.stringify(reply)}`)
}

const refused = (reason) => ({ status: 'refused', reason, ...REFUSALS[reason] })

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
