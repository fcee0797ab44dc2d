'use strict'
// What every host must do, with the real Claude Agent SDK and its binary: a model asks while it is still
// speaking, as often as a check wants. Run with `npm run test:hosts`.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { createClaudeHost } = require('../../../main/hosts/claude.js')
const { hostChecks } = require('../../../main/testing.js')
const { startModel } = require('./model.js')
const { environment, until } = require('./rig.js')

/** Values that are pushed while somebody waits for the next one. */
class Queue {
  #values = []
  #wake = () => {}
  isEnded = false
  push(value) {
    this.#values.push(value)
    this.#wake()
  }
  end() {
    this.isEnded = true
    this.#wake()
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift()
      if (this.isEnded) return
      await new Promise((resolve) => (this.#wake = resolve))
    }
  }
}

const user = (content) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
})

async function makeHost() {
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-claude-'))
  /** What the model is saying, until its turn ends. */
  let speech = null
  const model = await startModel(() => (speech = new Queue()))
  const host = createClaudeHost()
  const prompts = new Queue()
  const inputs = new Map()
  let sessionId
  let child
  const running = query({
    prompt: prompts,
    options: {
      cwd: folder,
      env: environment(model.url, folder),
      model: 'claude-sonnet-4-5',
      settingSources: [],
      spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) =>
        (child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] })),
      canUseTool: host.canUseTool(() => new Promise(() => {})),
    },
  })
  const over = (async () => {
    for await (const message of running) {
      sessionId ??= message.session_id
      host.onMessage(message)
      if (message.type === 'user') hear(message)
    }
  })().catch(() => {})

  /** What the binary made of an answer, which is what the model is told. */
  function hear({ message, tool_use_result: result }) {
    for (const { tool_use_id: id, is_error: isError } of message.content) {
      for (const input of inputs.values()) {
        if (input.toolUseID === id && !isError) input.received.push(result.answers)
      }
    }
  }

  let last = 0
  /** The model uses a tool; returns the input that opens with it. */
  async function use(name, input) {
    if (speech === null) {
      prompts.push(user('go on'))
      await until(() => speech)
    }
    const toolUseID = `toolu_${++last}`
    speech.push({ type: 'tool_use', id: toolUseID, name, input })
    const isNew = ({ inputId }) => !inputs.has(inputId)
    const opened = await until(async () => (await host.openInputs(sessionId)).find(isNew))
    inputs.set(opened.inputId, { toolUseID, questions: input.questions, received: [] })
    return opened.inputId
  }

  // The session is known before a check begins.
  prompts.push(user('start'))
  await until(() => speech && sessionId)

  return {
    host,
    sessionId,
    ask: (questions) =>
      use('AskUserQuestion', {
        questions: questions.map(({ options, ...question }) => ({
          header: 'Choice',
          multiSelect: false,
          ...question,
          options: options.map(({ label }) => ({ label, description: label })),
        })),
      }),
    received: (inputId) =>
      (inputs.get(inputId)?.received ?? []).map((answers) =>
        inputs.get(inputId).questions.map((question) => decode(question, answers)),
      ),
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.get(inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => questions[n].options[index].label),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    // Nothing less than the whole turn can be interrupted.
    async withdraw() {
      speech.end()
      speech = null
      await running.interrupt()
    },
    hold: () => use('Bash', { command: 'touch made', description: 'Makes it' }),
    async close() {
      running.close()
      child.kill('SIGKILL')
      await over
      speech?.end()
      await model.close()
      fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** The labels in an answer of the host, read with nothing of the adapter's own. */
function decode({ question, multiSelect }, answers) {
  if (!multiSelect) return [answers[question]]
  const labels = answers[question].matchAll(/("(?:[^"\\]|\\.)*"|(?:(?!, ).)+)(?:, |$)/g)
  return Array.from(labels, ([, one]) => (one.startsWith('"') ? JSON.parse(one) : one))
}

for (const { name, run } of hostChecks(makeHost)) test(`Claude Agent SDK: ${name}`, run)
