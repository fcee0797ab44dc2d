'use strict'
// What the tests of the local host ask and answer.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { MessageChannel } = require('node:worker_threads')
const { SpokenQuestion } = require('..')
const { serveLocalHost } = require('../main/hosts/local.js')

const question = (inputId = 'input-1') => ({
  inputId,
  sessionId: 'session-1',
  questions: [{ question: 'secret words', options: ['secret yes', { label: 'secret no' }] }],
})

/** What a live call says of who answered. */
const FACTS = {
  kind: 'voice',
  callId: 'c',
  operationId: 'c:1',
  requestId: 'r',
  readOut: 'sent',
  basis: 'instruction',
  at: 1,
}

const byVoice = (asked, optionIndexes, more) => ({
  inputId: asked.inputId,
  sessionId: asked.sessionId,
  expectDigest: new SpokenQuestion(asked).digest,
  answers: [['whatever the message says']],
  optionIndexes,
  resolvedBy: FACTS,
  ...more,
})

/** The name of a journal in a folder that is not there yet. */
function journalFile(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-journal-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  return path.join(folder, 'deeper', 'journal.jsonl')
}

/** The same journal as a process that is killed now would leave it. */
function crashed(file) {
  const copy = `${file}.crashed`
  fs.copyFileSync(file, copy)
  return copy
}

/** Every whole line of a journal. */
function read(file) {
  const text = fs.readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** What each line says, in short. */
const brief = (lines) =>
  lines.map(({ type, inputId, reason }) => [type, inputId, reason].filter(Boolean).join(' '))

/** The other end of a port of the host; closed with the test, so that nothing keeps it alive. */
function end(t, host, principal) {
  const { port1, port2 } = new MessageChannel()
  serveLocalHost(host, port1, principal)
  t.after(() => port1.close())
  return port2
}

/** The process warnings while `during` runs. */
async function warnings(during) {
  const seen = []
  const listener = ({ message }) => seen.push(message)
  process.on('warning', listener)
  try {
    await during()
    await pause()
  } finally {
    process.off('warning', listener)
  }
  return seen
}

const pause = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms))

/** What became of a promise: its error's code, or what it gave. */
const outcome = (promise) =>
  promise.then(
    (value) => value,
    (error) => (error instanceof TypeError ? `TypeError ${error.code}` : error.code),
  )

module.exports = {
  FACTS,
  brief,
  byVoice,
  crashed,
  end,
  journalFile,
  outcome,
  pause,
  question,
  read,
  warnings,
}
