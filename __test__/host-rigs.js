'use strict'
// The hosts of this package as the checks of spoken-answer/testing know them.

const { randomUUID } = require('node:crypto')
const { MessageChannel } = require('node:worker_threads')
const {
  connectAgent,
  connectDesktop,
  connectLocalHost,
  createLocalHost,
  serveLocalHost,
} = require('../main/hosts/local.js')
const { createMcpHost } = require('../main/hosts/mcp.js')
const { INIT, SESSION, claudeSide } = require('./claude-side.js')
const { THREAD, asked: codexAsked, codexSide } = require('./codex-side.js')
const { SESSION: PI_SESSION, piSide } = require('./pi-side.js')
const { SESSION: OPENCODE, asked: openCodeAsked, openCodeSide } = require('./opencode-side.js')

/** The answers that reached an agent, by input. */
class Received {
  #answers = new Map()
  add(inputId, answer) {
    this.#answers.set(inputId, [...this.of(inputId), answer])
  }
  of = (inputId) => this.#answers.get(inputId) ?? []
}

/** The labels at these positions. */
const labelsAt = (questions, optionIndexes) =>
  optionIndexes.map((chosen, n) => chosen.map((index) => questions[n].options[index].label))

/** An agent, a card and a voice on a local host, wherever it is. */
function local({ agent, desktop, voice, close }) {
  const received = new Received()
  const asked = new Map()
  return {
    host: voice,
    sessionId: 'session-1',
    ask(questions) {
      const inputId = randomUUID()
      asked.set(inputId, questions)
      agent.ask({ inputId, sessionId: 'session-1', questions }).then(
        ({ answers }) => received.add(inputId, answers),
        () => {},
      )
      return inputId
    },
    received: received.of,
    answerOnCard: (inputId, optionIndexes) =>
      desktop.resolveInput(inputId, labelsAt(asked.get(inputId), optionIndexes)),
    withdraw: (inputId) => agent.cancel(inputId),
    hold() {
      const inputId = randomUUID()
      agent.hold({ kind: 'permission', inputId, sessionId: 'session-1' })
      return inputId
    },
    close,
  }
}

async function localInProcess() {
  const host = await createLocalHost()
  const { desktop, voice } = host
  return local({ agent: host, desktop, voice, close: () => host.close() })
}

async function localBehindPorts() {
  const host = await createLocalHost()
  const [agent, desktop, voice] = ['agent', 'desktop', 'voice'].map((principal) => {
    const { port1, port2 } = new MessageChannel()
    serveLocalHost(host, port1, principal)
    return port2
  })
  return local({
    agent: connectAgent(agent),
    desktop: connectDesktop(desktop),
    voice: connectLocalHost(voice),
    async close() {
      for (const port of [agent, desktop, voice]) port.close()
      await host.close()
    },
  })
}

function claude() {
  const received = new Received()
  const aborts = new Map()
  const asked = new Map()
  const side = claudeSide({ fallback: () => new Promise(() => {}) })
  side.host.onMessage(INIT)
  const remember = ({ inputId, abort }) => (aborts.set(inputId, abort), inputId)
  return {
    host: side.host,
    sessionId: SESSION,
    ask(questions) {
      const opened = side.ask(questions.map((one) => ({ header: 'Choice', ...one })))
      asked.set(opened.inputId, questions)
      opened.over.then((reply) => {
        if (reply !== null)
          received.add(opened.inputId, decode(questions, reply.updatedInput.answers))
      })
      return remember(opened)
    },
    received: received.of,
    answerOnCard: (inputId, optionIndexes) =>
      side.host.answerOnDesktop(inputId, labelsAt(asked.get(inputId), optionIndexes)),
    withdraw: (inputId) => aborts.get(inputId)(),
    hold: () => remember(side.use('Bash', { command: 'ls' })),
  }
}

function mcp() {
  const received = new Received()
  const aborts = new Map()
  const host = createMcpHost({ sessionId: 'session-1' })
  const elicit = host.onElicit(() => new Promise(() => {}))
  let last = -1
  /** What the server asks; returns the input's id. */
  async function request(message, requestedSchema, read) {
    const abort = new AbortController()
    const extra = { signal: abort.signal, requestId: (last += 1) }
    const over = elicit({ params: { message, requestedSchema } }, extra)
    const isNew = ({ inputId }) => !aborts.has(inputId)
    let input
    while (input === undefined) {
      input = (await host.openInputs('session-1')).find(isNew)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { inputId } = input
    aborts.set(inputId, abort)
    over.then(({ action, content }) => action === 'accept' && received.add(inputId, read(content)))
    return inputId
  }
  return {
    host,
    sessionId: 'session-1',
    /** Values that are not the labels, so that one is not taken for the other. */
    ask(questions) {
      const properties = questions.map(({ question, options, multiSelect }, n) => {
        const titled = options.map(({ label }, at) => ({ const: `v${at}`, title: label }))
        return multiSelect
          ? [`q${n}`, { type: 'array', title: question, items: { anyOf: titled } }]
          : [`q${n}`, { type: 'string', title: question, oneOf: titled }]
      })
      const schema = { type: 'object', properties: Object.fromEntries(properties) }
      const read = (content) =>
        questions.map(({ options }, n) =>
          [content[`q${n}`]].flat().map((value) => options[Number(value.slice(1))].label),
        )
      // With one field the message is its text.
      return request(questions[0].question, schema, read)
    },
    received: received.of,
    async answerOnCard(inputId, optionIndexes) {
      const input = (await host.openInputs('session-1')).find((one) => one.inputId === inputId)
      return host.answerOnDesktop(inputId, labelsAt(input.questions, optionIndexes))
    },
    withdraw: (inputId) => aborts.get(inputId).abort(),
    hold: () => request('Proceed?', { type: 'object', properties: {} }, () => []),
  }
}

/** Codex; `ask` asks in one of its ways, and `read` reads what it was answered. */
function codex({ ask, read, withdraw, asks, proof }) {
  const side = codexSide()
  const opened = new Map()
  const inputs = []
  side.host.watch(THREAD, ({ type, input }) => type === 'input.requested' && inputs.push(input))
  return {
    host: side.host,
    sessionId: THREAD,
    asks,
    proof,
    async ask(questions) {
      const one = ask(side, questions)
      opened.set(one.inputId, { ...one, questions })
      await side.quiet()
      return one.inputId
    },
    received(inputId) {
      const one = opened.get(inputId)
      return one === undefined ? [] : read(side, one)
    },
    answerOnCard: (inputId, optionIndexes) =>
      side.host.answerOnDesktop(inputId, labelsAt(opened.get(inputId).questions, optionIndexes)),
    withdraw: (inputId) => withdraw(side, opened.get(inputId)),
    async hold() {
      side.request('item/commandExecution/requestApproval', { command: 'ls' })
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        const input = inputs.find(({ kind }) => kind === 'permission')
        if (input !== undefined) return input.inputId
      }
    },
    close: () => side.disconnect(),
  }
}

const codexQuestions = () =>
  codex({
    asks: { multiSelect: false },
    ask: (side, questions) =>
      side.ask(
        questions.map(({ question, options }, n) =>
          codexAsked(
            `q${n}`,
            question,
            options.map(({ label }) => label),
          ),
        ),
      ),
    read: ({ received }, { params, questions }) =>
      (received.get(params.itemId) ?? []).map(({ answers }) =>
        questions.map((_, n) => answers[`q${n}`].answers),
      ),
    withdraw: (side, one) => side.interrupt(one),
  })

/** Values that are not the labels, so that one is not taken for the other. */
const codexForms = () =>
  codex({
    proof: 'none',
    ask(side, questions) {
      const properties = questions.map(({ question, options, multiSelect }, n) => {
        const titled = options.map(({ label }, at) => ({ const: `v${at}`, title: label }))
        const choice = multiSelect
          ? { type: 'array', items: { anyOf: titled } }
          : { type: 'string', oneOf: titled }
        return [`q${n}`, { ...choice, title: question }]
      })
      const requestedSchema = { type: 'object', properties: Object.fromEntries(properties) }
      return side.elicit({ message: questions[0].question, requestedSchema })
    },
    read: ({ received }, { params, questions }) =>
      (received.get(params.itemId) ?? []).map(({ content }) =>
        questions.map(({ options }, n) =>
          [content[`q${n}`]].flat().map((value) => options[Number(value.slice(1))].label),
        ),
      ),
    withdraw: (side, one) => side.interrupt(one),
  })

const codexMessages = () => {
  let last = 0
  return codex({
    asks: { multiSelect: false },
    ask: (side, questions) =>
      side.post(
        questions.map(({ question, options }) => ({
          title: question,
          options: options.map(({ label }) => label),
        })),
        `call-${(last += 1)}`,
      ),
    read: ({ received }, { item }) =>
      (received.get('message') ?? [])
        .map((text) => JSON.parse(text.split('\n')[1]))
        .filter(([{ questionItemId }]) => JSON.parse(questionItemId)[1] === item.id)
        .map((entries) => entries.map(({ answer }) => [answer])),
    // Nobody waits for a message: that it is not wanted any more is for the card to say.
    withdraw: ({ host }, { inputId, questions }) =>
      host.answerOnDesktop(
        inputId,
        questions.map(() => null),
      ),
  })
}

/** Pi; `ask` makes its model ask in one of its ways, and `read` reads what the model was told. */
async function pi({ ask, read, asks }) {
  const side = await piSide()
  const opened = new Map()
  const inputs = []
  side.host.watch(PI_SESSION, ({ type, input }) => type === 'input.requested' && inputs.push(input))
  const held = async () => {
    for (;;) {
      const input = inputs.find(({ kind }) => kind === 'permission')
      if (input !== undefined) return input.inputId
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return {
    host: side.host,
    sessionId: PI_SESSION,
    asks,
    async ask(questions) {
      const { id } = ask(side, questions)
      await side.quiet()
      const { inputId } = inputs.at(-1)
      opened.set(inputId, { id, questions })
      return inputId
    },
    received(inputId) {
      const { id, questions } = opened.get(inputId) ?? {}
      const result = side.results.get(id)
      return result === undefined || result.isError ? [] : read(result, questions)
    },
    answerOnCard: (inputId, optionIndexes) =>
      side.host.answerOnDesktop(inputId, labelsAt(opened.get(inputId).questions, optionIndexes)),
    withdraw: (inputId) => side.abort(opened.get(inputId).id),
    hold() {
      side.run('bash', {}, { execute: () => side.ui.confirm('Run it?', 'ls') })
      return held()
    },
    close: () => side.disconnect(),
  }
}

const piExtension = () =>
  pi({
    ask: (side, questions) => side.ask(questions),
    read: ({ content: [{ text }] }, questions) => [
      questions.map(({ question }, n) => {
        const line = text.split('\n')[n + 1]
        return JSON.parse(`[${line.slice(JSON.stringify(question).length + 2)}]`)
      }),
    ],
  })

const piDialogs = () =>
  pi({
    asks: { several: false, multiSelect: false },
    ask: (side, [{ question, options }]) => side.select(question, options),
    read: ({ details }) => (details.answer === undefined ? [] : [[[details.answer]]]),
  })

async function opencode() {
  const side = await openCodeSide()
  const asked = new Map()
  return {
    host: side.host,
    sessionId: OPENCODE,
    ask(questions) {
      const { id } = side.ask(
        questions.map(({ question, options, multiSelect }) => {
          const labels = options.map(({ label }) => label)
          return openCodeAsked(question, labels, multiSelect ? { multiple: true } : {})
        }),
      )
      asked.set(id, questions)
      return id
    },
    received: (inputId) => side.received.get(inputId) ?? [],
    answerOnCard: (inputId, optionIndexes) =>
      side.host.answerOnDesktop(inputId, labelsAt(asked.get(inputId), optionIndexes)),
    // Nothing less than the whole turn can be aborted.
    withdraw: () => side.abort(),
    hold: () => side.permit().id,
    close: side.close,
  }
}

/** The labels in what the host was given: read back with nothing of the adapter's own. */
const decode = (questions, answers) =>
  questions.map(({ question, multiSelect }) => {
    const text = answers[question]
    if (!multiSelect) return [text]
    const labels = text.matchAll(/("(?:[^"\\]|\\.)*"|(?:(?!, ).)+)(?:, |$)/g)
    return Array.from(labels, ([, one]) => (one.startsWith('"') ? JSON.parse(one) : one))
  })

module.exports = {
  claude,
  codexForms,
  codexMessages,
  codexQuestions,
  localBehindPorts,
  localInProcess,
  mcp,
  piDialogs,
  piExtension,
  opencode,
}
