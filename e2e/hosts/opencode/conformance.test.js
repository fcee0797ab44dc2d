'use strict'
// What every host must do, with a real OpenCode server: a model asks while it is still speaking, as often as
// a check wants. Run with `npm run test:hosts`.

const path = require('node:path')
const { test } = require('node:test')
const { createOpenCodeHost } = require('../../../main/hosts/opencode.js')
const { hostChecks } = require('../../../main/testing.js')
const { startModel } = require('./model.js')
const {
  asks,
  calls,
  clientOf,
  newFolder,
  question,
  remove,
  sharedServer,
  until,
} = require('./rig.js')
const { configure } = require('./server.js')

/** What a model says, as it comes, until it ends. */
class Speech {
  #items = []
  #wake = () => {}
  #isEnded = false
  push(item) {
    this.#items.push(item)
    this.#wake()
  }
  end() {
    this.#isEnded = true
    this.#wake()
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()
      if (this.#isEnded) return
      await new Promise((resolve) => (this.#wake = resolve))
    }
  }
}

async function makeHost() {
  const folder = newFolder()
  const directory = path.join(folder, 'project')
  /** What the model is saying, until its turn ends. */
  let speech = null
  const model = await startModel(() => (speech = new Speech()))
  configure(directory, model.url, { permission: { bash: 'ask' } })
  const { server } = await sharedServer()
  const { baseUrl } = server
  const request = clientOf(baseUrl, directory)
  const host = createOpenCodeHost()
  const received = new Map()
  // What the tool made of an answer, which is what the model is told.
  const hear = ({ type, properties }) => {
    const { callID, state } = properties?.part ?? {}
    if (type !== 'message.part.updated' || state?.status !== 'completed') return
    received.set(callID, [...(received.get(callID) ?? []), state.metadata.answers])
  }
  const disconnect = host.connect({ baseUrl, directory })
  const stop = await listen(baseUrl, directory, hear)
  const { id: sessionId } = (await request('POST', '/session', {})).data
  const inputs = new Map()

  let last = 0
  /** The model uses a tool; returns the input that opens with it. */
  async function use(make) {
    if (speech === null) {
      await request('POST', `/session/${sessionId}/prompt_async`, {
        parts: [{ type: 'text', text: 'Go on.' }],
      })
      await until(() => speech)
    }
    const callId = `call_${++last}`
    speech.push(make(callId))
    const isNew = ({ inputId }) => !inputs.has(inputId)
    const { inputId } = await until(async () => (await host.openInputs(sessionId)).find(isNew))
    inputs.set(inputId, { callId })
    return inputId
  }

  return {
    host,
    sessionId,
    async ask(questions) {
      const asked = questions.map(({ question: text, options, multiSelect }) =>
        question(
          text,
          options.map(({ label }) => label),
          multiSelect ? { multiple: true } : {},
        ),
      )
      const inputId = await use((callId) => asks(callId, ...asked))
      inputs.get(inputId).questions = asked
      return inputId
    },
    received: (inputId) => received.get(inputs.get(inputId)?.callId) ?? [],
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.get(inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => questions[n].options[index].label),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    // Nothing less than the whole turn can be aborted.
    async withdraw() {
      await request('POST', `/session/${sessionId}/abort`)
      speech.end()
      speech = null
    },
    hold: () =>
      use((callId) => calls(callId, 'bash', { command: 'touch made', description: 'Makes it' })),
    async close() {
      disconnect()
      stop()
      await request('POST', `/session/${sessionId}/abort`)
      speech?.end()
      await model.close()
      remove(folder)
    },
  }
}

/** The events of a directory, with nothing of the adapter's own. */
async function listen(baseUrl, directory, onEvent) {
  const abort = new AbortController()
  const url = `${baseUrl}/event?directory=${encodeURIComponent(directory)}`
  const { body } = await fetch(url, { signal: abort.signal })
  const follow = async () => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = `${text}${chunk}`.split('\n')
      text = lines.pop()
      for (const line of lines) if (line !== '') onEvent(JSON.parse(line.replace('data: ', '')))
    }
  }
  follow().catch(() => {})
  return () => abort.abort()
}

for (const { name, run } of hostChecks(makeHost)) test(`OpenCode: ${name}`, run)
