'use strict'
// What every host must do, with a real Pi. A question waits in a process of its own, for a model asks
// everything that it asks at once before it hears an answer; all of them are in one session. Run with
// `npm run test:hosts`.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, test } = require('node:test')
const { createPiHost } = require('../../../main/hosts/pi.js')
const { hostChecks } = require('../../../main/testing.js')
const { calls, startModel, textOf, toldIn } = require('./model.js')
const { configure, startPi } = require('./process.js')
const { until } = require('./rig.js')

const SESSION = 'session-of-the-checks'

let folder, model
/** Processes that wait for nothing. */
const idle = []
const all = []

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-pi-'))
  // It calls what it is told to call.
  model = await startModel(({ messages }) => {
    const last = messages.at(-1)
    return last.role === 'user' ? [JSON.parse(textOf(last))] : 'Done.'
  })
  configure(folder, model.url)
})

after(async () => {
  for (const pi of all) await pi.close()
  await model.close()
  fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
})

function takePi() {
  if (idle.length > 0) return idle.pop()
  const pi = startPi(folder, { args: ['--no-session', '--session-id', SESSION] })
  all.push(pi)
  return pi
}

let last = 0

/** `toCall` makes a call of questions, `read` the labels of what the model was told. */
function makeHost({ asks, toCall, read }) {
  const host = createPiHost({ askTools: ['ask'] })
  const used = []
  const inputs = new Map()

  /** The model calls a tool; returns the input that opens with it. */
  async function use(toCallWith, questions) {
    const pi = takePi()
    used.push({ pi, disconnect: host.connect(pi) })
    const id = `call_${(last += 1)}`
    await pi.request('prompt', { message: JSON.stringify(toCallWith(id)) })
    const isNew = ({ inputId }) => !inputs.has(inputId)
    const { inputId } = await until(async () => (await host.openInputs(SESSION)).find(isNew))
    inputs.set(inputId, { id, pi, questions })
    return inputId
  }

  return {
    host,
    sessionId: SESSION,
    asks,
    ask: (questions) => use((id) => toCall(id, questions), questions),
    received(inputId) {
      const { id, questions } = inputs.get(inputId) ?? {}
      const told = model.requests.map((request) => toldIn(request)[id]).find(Boolean)
      return told === undefined || questions === undefined ? [] : read(told, questions)
    },
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.get(inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => questions[n].options[index].label),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    withdraw: (inputId) => inputs.get(inputId).pi.request('abort'),
    hold: () => use((id) => calls(id, 'bash', { command: 'confirm' })),
    async close() {
      for (const { pi, disconnect } of used) {
        disconnect()
        await pi.request('abort')
        idle.push(pi)
      }
    },
  }
}

const ways = {
  'our extension': {
    toCall: (id, questions) => calls(id, 'ask_user', { questions }),
    read(told, questions) {
      if (!told.startsWith('The user answered.')) return []
      const lines = told.split('\n').slice(1)
      const labels = (line, { question }) =>
        JSON.parse(`[${line.slice(JSON.stringify(question).length + 2)}]`)
      return [lines.map((line, n) => labels(line, questions[n]))]
    },
  },
  'a plain dialog': {
    asks: { several: false, multiSelect: false },
    toCall: (id, [{ question, options }]) =>
      calls(id, 'ask', { questions: [{ question, options: options.map(({ label }) => label) }] }),
    read(told) {
      const found = /^The user chose ([^]*)\.$/.exec(told)
      return found === null || found[1] === 'nothing' ? [] : [[[found[1]]]]
    },
  },
}

for (const [way, how] of Object.entries(ways)) {
  for (const { name, run } of hostChecks(() => makeHost(how))) test(`Pi, ${way}: ${name}`, run)
}
