'use strict'
// What every host must do, with a real MCP client and a server in a process of its own. Run with
// `npm run test:hosts`.

const { test } = require('node:test')
const { hostChecks } = require('../../../main/testing.js')
const { connect } = require('./rig.js')
const { createMcpHost } = require('../../../main/hosts/mcp.js')

const SESSION = 'session-1'

/** The server asks; what its tool was answered is read as the server reads it. */
async function makeHost() {
  const host = createMcpHost({ sessionId: SESSION })
  const pending = () => new Promise(() => {})
  const connections = []
  const inputs = new Map()

  /** Each input has a connection of its own, which ends where the agent gives up. */
  async function ask(form) {
    const connection = await connect(host.onElicit(pending))
    connections.push(connection)
    const input = { received: [], close: connection.close }
    const known = new Set(inputs.keys())
    connection.ask(form).then(
      ({ action, content }) => action === 'accept' && input.received.push(content),
      () => {},
    )
    for (;;) {
      const opened = (await host.openInputs(SESSION)).find(({ inputId }) => !known.has(inputId))
      if (opened !== undefined) {
        inputs.set(opened.inputId, input)
        return { ...opened, input }
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  return {
    host,
    sessionId: SESSION,
    async ask(questions) {
      // Values that are not the labels, so that one is not taken for the other.
      const fields = questions.map(({ question, options, multiSelect }, n) => {
        const titled = options.map(({ label }, at) => ({ const: `v${at}`, title: label }))
        const choice = multiSelect
          ? { type: 'array', items: { anyOf: titled } }
          : { type: 'string', oneOf: titled }
        return [`q${n}`, { ...choice, title: question }]
      })
      const properties = Object.fromEntries(fields)
      const requestedSchema = { type: 'object', properties }
      const { inputId, input } = await ask({ message: questions[0].question, requestedSchema })
      input.questions = questions
      return inputId
    },
    received: (inputId) => {
      const { received = [], questions } = inputs.get(inputId) ?? {}
      return received.map((content) =>
        questions.map(({ options }, n) =>
          [content[`q${n}`]].flat().map((value) => options[Number(value.slice(1))].label),
        ),
      )
    },
    answerOnCard(inputId, optionIndexes) {
      const { questions } = inputs.get(inputId)
      const labels = optionIndexes.map((chosen, n) =>
        chosen.map((index) => questions[n].options[index].label),
      )
      return host.answerOnDesktop(inputId, labels)
    },
    withdraw: (inputId) => inputs.get(inputId).close(),
    async hold() {
      const requestedSchema = { type: 'object', properties: {} }
      return (await ask({ message: 'Proceed?', requestedSchema })).inputId
    },
    close: () => Promise.all(connections.map(({ close }) => close())),
  }
}

for (const { name, run } of hostChecks(makeHost)) test(`MCP: ${name}`, run)
