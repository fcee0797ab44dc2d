'use strict'
// What the Claude Agent SDK asks, and what it takes for an answer. Pure. The host checks nothing of it:
// whatever is in an answer reaches the model as what the user said.

const { isObject } = require('./arguments.js')
const { isAskedQuestion, toSpokenQuestion } = require('./asked-question.js')

/** The tool whose requests are questions, and the one that asks for a plan to be approved. */
const ASK = 'AskUserQuestion'
const PLAN = 'ExitPlanMode'

const isText = (value) => typeof value === 'string'
const isQuestion = (question) => isAskedQuestion(question, 'multiSelect')

/** Whether each of these can be answered: the host knows them apart by their text alone. */
function areQuestions(questions) {
  if (!Array.isArray(questions) || questions.length === 0) return false
  if (!Array.from(questions).every(isQuestion)) return false
  return new Set(questions.map(({ question }) => question)).size === questions.length
}

/**
 * What a request for a tool waits for. Only what is certainly the ask tool's own is a question; an MCP
 * server may call its tools what it likes.
 */
function kindOf(toolName, input, options) {
  if (options?.mcpServer !== undefined) return 'permission'
  if (toolName === PLAN) return 'plan'
  if (toolName !== ASK) return 'permission'
  return isObject(input) && areQuestions(input.questions) ? 'question' : 'other'
}

/** Its questions as a live call sees them. Header and preview are the card's. */
function toQuestions({ questions }) {
  return questions.map((question) => toSpokenQuestion(question, 'multiSelect'))
}

/** The host joins what was chosen with a comma; a label that has one, or a quote, is quoted. */
const quoted = (label) =>
  label.includes(', ') || label.includes('"') ? JSON.stringify(label) : label
const joined = (labels) => labels.map(quoted).join(', ')

/** The labels of a joined answer; `undefined` where it is not one. */
function split(text) {
  const labels = []
  const part = /("(?:[^"\\]|\\.)*"|[^"]*?)(, |$)/sy
  for (;;) {
    const found = part.exec(text)
    if (found === null) return undefined
    try {
      labels.push(found[1].startsWith('"') ? JSON.parse(found[1]) : found[1])
    } catch {
      return undefined
    }
    if (found[2] === '') return labels
  }
}

/**
 * The answer for the host: everything it asked, whole, and for each full text of a question what was
 * chosen; nothing of what a model wrote. What is `null` was skipped.
 */
function toReply({ questions }, answers) {
  const chosen = questions.flatMap(({ question, multiSelect }, n) => {
    if (answers[n] === null) return []
    return [[question, multiSelect === true ? joined(answers[n]) : answers[n][0]]]
  })
  // Own properties, whatever a question is called.
  const updatedInput = { questions, answers: Object.fromEntries(chosen) }
  return { behavior: 'allow', updatedInput }
}

/** The positions of what the host says was chosen; `undefined` where it is not among the options. */
function toPositions({ questions }, answers) {
  if (!isObject(answers)) return undefined
  const positions = questions.map(({ question, options, multiSelect }) => {
    const text = Object.hasOwn(answers, question) ? answers[question] : undefined
    if (!isText(text)) return [-1]
    const labels = multiSelect === true ? (split(text) ?? [text]) : [text]
    return labels.map((one) => options.findIndex(({ label }) => label === one))
  })
  return positions.flat().includes(-1) ? undefined : positions
}

/** Whether the host has exactly the answers that it was given. */
function areSame(given, had) {
  if (!isObject(given) || !isObject(had)) return false
  const keys = Object.keys(given)
  if (keys.length !== Object.keys(had).length) return false
  return keys.every((key) => Object.hasOwn(had, key) && had[key] === given[key])
}

/**
 * The results of tools in a message of the host's stream: the only proof of what became of an answer.
 * What is told again of an earlier run is none.
 */
function toResults(message) {
  if (message.type !== 'user' || message.isReplay === true) return []
  const content = message.message?.content
  if (!Array.isArray(content)) return []
  const results = content.filter(
    (block) => isObject(block) && block.type === 'tool_result' && isText(block.tool_use_id),
  )
  return results.map(({ tool_use_id: toolUseID, is_error: isError }) => ({
    toolUseID,
    isError: isError === true,
    // It belongs to the message, so it says something only where there is one result in it.
    answers: results.length === 1 ? message.tool_use_result?.answers : undefined,
  }))
}

/** The calls of the ask tool in a message of the model. */
function toCalls(message) {
  const content = message.type === 'assistant' ? message.message?.content : undefined
  if (!Array.isArray(content)) return []
  const calls = content.filter(
    (block) =>
      isObject(block) && block.type === 'tool_use' && block.name === ASK && isText(block.id),
  )
  return calls.map(({ id }) => id)
}

/** Whether a turn is over with a message, or a new one begins: of a process that died nothing else is heard. */
const isTurnEnd = ({ type, subtype }) =>
  type === 'result' || (type === 'system' && subtype === 'init')

module.exports = {
  areSame,
  isTurnEnd,
  kindOf,
  toPositions,
  toQuestions,
  toCalls,
  toReply,
  toResults,
}
