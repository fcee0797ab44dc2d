'use strict'
// What a Codex app-server asks by `item/tool/requestUserInput`, and what it takes for an answer. Pure. The
// host checks nothing of it: whatever is in an answer reaches the model, and what is malformed reaches it
// as no answer at all.

const { isId, isObject } = require('./arguments.js')
const { kindOf: kindOfForm } = require('./mcp-form.js')

const QUESTION = 'item/tool/requestUserInput'
const FORM = 'mcpServer/elicitation/request'

/** Requests for a decision, of this version and of older ones. */
const APPROVALS = new Set([
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'item/permissions/requestApproval',
  'execCommandApproval',
  'applyPatchApproval',
])

/** Requests that a client answers without anybody. */
const MACHINE = new Set([
  'item/tool/call',
  'account/chatgptAuthTokens/refresh',
  'attestation/generate',
])

/** By this a permission for an MCP tool is known that is asked as a question. */
const APPROVAL_ID = /^mcp_tool_call_approval/

/** Deeper than anybody asks; what is nested like that cannot be copied everywhere. */
const DEEPEST = 100

/** What the vendor's own card says for free text. */
const OTHER = 'None of the above'
const NOTE = 'user_note: '

const isText = (value) => typeof value === 'string'
const isOption = (option) => isObject(option) && isText(option.label)
const isQuestion = ({ id, question, isOther, isSecret, options }) =>
  isText(id) &&
  isText(question) &&
  // The ask tool always takes free text beside its options; what does not is not that tool's.
  isOther === true &&
  (isSecret === undefined || typeof isSecret === 'boolean') &&
  (options === null || (Array.isArray(options) && Array.from(options).every(isOption)))

const isDeep = (value, left = DEEPEST) =>
  isObject(value) && (left === 0 || Object.values(value).some((one) => isDeep(one, left - 1)))

/** A message of the server as what it asks somebody; `null` where it asks nobody, or asks nothing. */
function toRequest({ id, method, params }) {
  if (!isText(method) || !isObject(params)) return null
  if (!isText(id) && typeof id !== 'number') return null
  const sessionId = params.threadId ?? params.conversationId
  if (!isId(sessionId)) return null
  const kind = kindOf(method, params)
  if (kind === null) return null
  const request = { kind, id, method, params, sessionId }
  if (!isDeep(params)) return { ...request, content: JSON.stringify([method, params]) }
  return { ...request, kind: kind === 'question' ? 'other' : kind, content: null }
}

/** What a request of the server waits for; `null` where it waits for nobody. */
function kindOf(method, params) {
  if (APPROVALS.has(method)) return 'permission'
  if (MACHINE.has(method)) return null
  if (method === FORM) return kindOfForm(params)
  return method === QUESTION ? kindOfQuestions(params) : 'other'
}

/** Answers go by the ids of the questions, so two with the same cannot be answered. */
function kindOfQuestions(params) {
  const questions = isObject(params) ? params.questions : null
  if (!Array.isArray(questions) || questions.length === 0) return 'other'
  const all = Array.from(questions)
  if (!all.every(isObject)) return 'other'
  const isApproval = ({ id, isOther }) => (isText(id) && APPROVAL_ID.test(id)) || isOther === false
  if (all.some(isApproval)) return 'permission'
  const areDistinct = new Set(all.map(({ id }) => id)).size === all.length
  return areDistinct && all.every(isQuestion) ? 'question' : 'other'
}

/** Its questions as a live call sees them. Headers are the card's. */
function toQuestions({ questions }) {
  return questions.map(({ question, options }) => ({
    question,
    options: (options ?? []).map(({ label, description }) =>
      isText(description) && description !== '' ? { label, description } : { label },
    ),
    multiSelect: false,
  }))
}

/** Whether one of them is not to be heard by anybody. */
const isSecret = ({ questions }) => questions.some((question) => question.isSecret === true)

/**
 * The answer for the host: for each question the label that was chosen, free text the way the vendor's own
 * card writes it, or nothing where it was left open.
 */
function toResult({ questions }, answers) {
  const entries = questions.map(({ id, options }, n) => {
    if (answers[n] === null) return [id, { answers: [] }]
    const [chosen] = answers[n]
    const isLabel = (options ?? []).some(({ label }) => label === chosen)
    return [id, { answers: isLabel ? [chosen] : [OTHER, `${NOTE}${chosen}`] }]
  })
  // Own properties, whatever a question is called.
  return { answers: Object.fromEntries(entries) }
}

/** Whether the host would take this reply as it is. What it does not take reaches the model as none. */
function isResult(result) {
  if (!isObject(result) || !isObject(result.answers) || Array.isArray(result.answers)) return false
  const isAnswer = (answer) =>
    isObject(answer) && Array.isArray(answer.answers) && Array.from(answer.answers).every(isText)
  return Object.values(result.answers).every(isAnswer)
}

/** Whether a reply says that there will be no answer. */
const isDeclined = ({ answers }) => Object.keys(answers).length === 0

/** The positions of what a reply chose; `undefined` where it is not one option of each question. */
function toPositions({ questions }, { answers }) {
  const positions = questions.map(({ id, options }) => {
    const labels = Object.hasOwn(answers, id) ? answers[id].answers : []
    if (labels.length !== 1) return [-1]
    return [(options ?? []).findIndex(({ label }) => label === labels[0])]
  })
  return positions.flat().includes(-1) ? undefined : positions
}

/**
 * Items that only a model makes, and only where its turn goes on. The user has commands too, and what they
 * say, hooks, reviews and compactions come by themselves.
 */
const MODEL_ITEMS = new Set([
  'agentMessage',
  'collabAgentToolCall',
  'dynamicToolCall',
  'fileChange',
  'imageGeneration',
  'imageView',
  'mcpToolCall',
  'plan',
  'reasoning',
  'sleep',
  'webSearch',
])
const MODEL_COMMANDS = new Set(['agent', 'unifiedExecStartup', 'unifiedExecInteraction'])

const isOfModel = ({ type, source }) =>
  MODEL_ITEMS.has(type) || (type === 'commandExecution' && MODEL_COMMANDS.has(source))

/** The reply that the host says its tool had; `null` where the tool had none. */
function toReceived(output) {
  if (!isText(output)) return null
  try {
    const result = JSON.parse(output)
    return isResult(result) ? result : null
  } catch {
    return null
  }
}

/** Whether the turn was interrupted before its tool had a reply. */
const isAborted = (output) => isText(output) && output.startsWith('aborted')

/** Whether the host had exactly the reply that it was given. */
function areSame({ answers: given }, { answers: had }) {
  const keys = Object.keys(given)
  if (keys.length !== Object.keys(had).length) return false
  const text = (answers, key) => JSON.stringify(answers[key].answers)
  return keys.every((key) => Object.hasOwn(had, key) && text(given, key) === text(had, key))
}

module.exports = {
  FORM,
  QUESTION,
  areSame,
  isAborted,
  isDeclined,
  isOfModel,
  isResult,
  isSecret,
  kindOf,
  toPositions,
  toQuestions,
  toReceived,
  toRequest,
  toResult,
}
