'use strict'
// What every host must do, with a real Codex: in its questions, and in its messages that ask. Each check has
// a thread of its own; those of one way share a process. Run with `npm run test:hosts`.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, test } = require('node:test')
const { createCodexHost } = require('../../../main/hosts/codex.js')
const { hostChecks } = require('../../../main/testing.js')
const { until } = require('../said.js')
const { calls, startModel } = require('./model.js')
const { PLAN, asks, outputs, posts, texts } = require('./rig.js')
const { asApp, configure, startProcess } = require('./server.js')

const labelsOf = ({ options }) => options.map(({ label }) => label)

const ways = {
  'its ask tool': {
    settings: {},
    mode: { collaborationMode: PLAN },
    toCall: (id, questions) =>
      asks(
        id,
        ...questions.map(({ question, options }, n) => ({
          id: `q${n}`,
          header: 'Choice',
          question,
          options: options.map(({ label }) => ({ label, description: label })),
        })),
      ),
    read(request, id, questions) {
      const told = outputs(request)[id]
      if (!told?.startsWith('{')) return []
      return [questions.map((_, n) => JSON.parse(told).answers[`q${n}`].answers)]
    },
    // Its turn waits for an answer, so nothing less than that can be withdrawn.
    withdraw: ({ interrupt }) => interrupt(),
    // Two of one thread are asked one after the other.
    isLeftOut: (name) => name.startsWith('of two open questions'),
  },
  'its messages': {
    settings: { model: 'gpt-6.2-astra' },
    mode: {},
    toCall: (id, questions) =>
      posts(
        id,
        ...questions.map((one) => ({
          title: one.question,
          options: labelsOf(one),
        })),
      ),
    read: (request, id) =>
      texts(request)
        .filter((text) => text.startsWith('<send_user_message_question_reply>'))
        .map((text) => JSON.parse(text.split('\n')[1]))
        .filter(([{ questionItemId }]) => JSON.parse(questionItemId)[1] === id)
        .map((entries) => entries.map(({ answer }) => [answer])),
    // Nobody waits for a message: that it is not wanted any more is for the card to say.
    withdraw: ({ host }, inputId, questions) =>
      host.answerOnDesktop(
        inputId,
        questions.map(() => null),
      ),
    isLeftOut: () => false,
  },
}

const SHELL = {
  cmd: 'touch made',
  sandbox_permissions: 'require_escalated',
  justification: 'May I?',
}

let last = 0

async function makeHost({ server, model, folder }, { mode, toCall, read, withdraw }) {
  const host = createCodexHost()
  const disconnect = host.connect(server)
  const started = await server.request('thread/start', {
    cwd: folder,
    approvalPolicy: 'on-request',
    experimentalRawEvents: true,
  })
  const sessionId = started.thread.id
  const inputs = new Map()

  /** The model does what it is told; returns the input that opens with it. */
  async function use(toItem, questions) {
    const id = `call_${(last += 1)}`
    const input = [{ type: 'text', text: JSON.stringify([toItem(id)]), text_elements: [] }]
    await server.request('turn/start', { threadId: sessionId, input, ...mode })
    const isNew = ({ inputId }) => !inputs.has(inputId)
    const { inputId } = await until(async () => (await host.openInputs(sessionId)).find(isNew))
    inputs.set(inputId, { id, questions })
    return inputId
  }
  const isOfThread = ({ params }) => params?.threadId === sessionId
  async function interrupt() {
    const turns = server.messages.filter(isOfThread)
    const { params } = turns.findLast(({ method }) => method === 'turn/started')
    await server.request('turn/interrupt', { threadId: sessionId, turnId: params.turn.id })
  }

  return {
    host,
    sessionId,
    asks: { multiSelect: false },
    ask: (questions) => use((id) => toCall(id, questions), questions),
    received(inputId) {
      const { id, questions } = inputs.get(inputId) ?? {}
      if (questions === undefined) return []
      // A request holds all that its thread was told so far.
      const told = model.requests.map((request) => read(request, id, questions))
      return told.reduce((most, one) => (one.length > most.length ? one : most), [])
    },
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.get(inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => labelsOf(questions[n])[index]),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    withdraw: (inputId) => withdraw({ host, interrupt }, inputId, inputs.get(inputId).questions),
    hold: () => use((id) => calls(id, 'exec_command', SHELL)),
    close: disconnect,
  }
}

for (const [name, way] of Object.entries(ways)) {
  describe(`Codex, ${name}`, () => {
    const world = {}

    before(async () => {
      world.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-codex-'))
      const done = new Set()
      // It calls what it is told to call, once.
      world.model = await startModel((request) => {
        const isNew = (text) => text.startsWith('[{') && !done.has(text)
        const order = texts(request).find(isNew)
        done.add(order)
        return order === undefined ? ['Done.'] : JSON.parse(order)
      })
      configure(world.folder, world.model.url, way.settings)
      world.server = await asApp(startProcess(world.folder))
      await world.server.begin()
    })

    after(async () => {
      await world.server?.close()
      await world.model?.close()
      fs.rmSync(world.folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
    })

    for (const check of hostChecks(() => makeHost(world, way))) {
      if (!way.isLeftOut(check.name)) test(check.name, check.run)
    }
  })
}
