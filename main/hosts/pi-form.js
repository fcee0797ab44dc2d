'use strict'
// What our extension for Pi asks, and what it takes for an answer. Pure, and for both ends: the extension,
// which runs inside of Pi and loads nothing else of this package, and the adapter.

const { isArray, isObject } = require('../own.js')

/** Before the id of a tool call: the status under this key is set while its question is open. */
const STATUS = 'spoken-answer:'
/** By this a reply of the adapter's is told from what somebody typed. */
const VERSION = 1

/** Who answered, as far as a session keeps it: no text of anybody. */
const FACTS = ['callId', 'operationId', 'requestId', 'readOut', 'basis', 'provider', 'digest']
const FACT_CHARS = 256

/** Why there is no answer. None of these is a decision of the user, and each says so. */
const NOT_ANSWERED = {
  aborted: 'the turn was stopped while the question was open',
  dismissed: 'the question was closed without an answer',
  malformed: 'what came back is no choice among the options',
  nobody: 'there is nobody here who could be asked',
}

const isText = (value) => typeof value === 'string'
const isShort = (value) => isText(value) && value !== '' && value.length <= FACT_CHARS
const isOption = (option) =>
  isObject(option) &&
  isText(option.label) &&
  option.label.trim() !== '' &&
  (option.description === undefined || isText(option.description))
const isQuestion = (question) =>
  isObject(question) &&
  isText(question.question) &&
  isArray(question.options) &&
  question.options.length > 0 &&
  Array.from(question.options).every(isOption) &&
  new Set(question.options.map(({ label }) => label)).size === question.options.length &&
  (question.multiSelect === undefined || typeof question.multiSelect === 'boolean')

/** Whether the arguments of the tool can be asked: the model knows options apart by their labels. */
function areQuestions(args) {
  const questions = isObject(args) ? args.questions : undefined
  return isArray(questions) && questions.length > 0 && Array.from(questions).every(isQuestion)
}

/** The questions as a client shows them that knows nothing of this: to be answered by typing numbers. */
function toTitle(questions) {
  const blocks = questions.map(({ question, options, multiSelect }, n) => {
    const which = questions.length === 1 ? '' : `Question ${n + 1} of ${questions.length}: `
    const lines = options.map(({ label, description }, at) => {
      const why = isText(description) && description !== '' ? ` — ${description}` : ''
      return `${at + 1}. ${label}${why}`
    })
    return [`${which}${question}${multiSelect ? ' (one or more)' : ''}`, ...lines].join('\n')
  })
  const isOne = questions.length === 1 && !questions[0].multiSelect
  const how = `Reply with the number${isOne ? '' : 's'}, like: ${toPlaceholder(questions)}`
  return [...blocks, how].join('\n\n')
}

/** The first options, as one would type them. */
const toPlaceholder = (questions) =>
  questions
    .map(({ options, multiSelect }) => (multiSelect && options.length > 1 ? '1, 2' : '1'))
    .join('; ')

// ---- an answer ----

/** Labels as positions; what is no label is free text, and `null` was skipped. */
const toEntries = (questions, answers) =>
  answers.map((answer, n) => {
    if (answer === null) return null
    const at = (text) => questions[n].options.findIndex(({ label }) => label === text)
    return answer.map((text) => (at(text) === -1 ? text : at(text)))
  })

/** The positions in such entries; `undefined` where there is free text or something was skipped. */
const toPositions = (entries) =>
  entries.every((entry) => entry?.every(Number.isInteger)) ? entries : undefined

/** The reply of the adapter: positions by question, or that there will be none. */
function toReply({ entries, declined = false, resolvedBy }) {
  const answer = declined ? { declined } : { answers: entries }
  return JSON.stringify({ 'spoken-answer': VERSION, ...answer, resolvedBy })
}

/** What a reply says: `answers` as entries or `declined`, and who; `null` where it is none to these. */
function readReply(questions, value) {
  if (!isText(value)) return null
  if (!value.startsWith('{')) return readTyped(questions, value)
  const reply = parsed(value)
  if (!isObject(reply) || reply['spoken-answer'] !== VERSION) return null
  const resolvedBy = toResolvedBy(reply.resolvedBy)
  if (resolvedBy === null) return null
  if (reply.declined === true) {
    return resolvedBy.kind === 'desktop' ? { declined: true, resolvedBy } : null
  }
  const { answers } = reply
  if (!areEntries(questions, answers)) return null
  // By voice nothing is answered but what was offered.
  if (resolvedBy.kind === 'voice' && toPositions(answers) === undefined) return null
  return { answers, resolvedBy }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Numbers that somebody typed: `2`, `1, 3`, or `2; 1, 3` for two questions. */
function readTyped(questions, text) {
  const answers = text
    .split(';')
    .map((part) =>
      part.split(',').map((one) => (/^\s*[1-9]\d{0,3}\s*$/.test(one) ? Number(one) - 1 : -1)),
    )
  if (!areEntries(questions, answers) || !answers.every((some, n) => areClear(some, questions[n])))
    return null
  return { answers, resolvedBy: { kind: 'client' } }
}

/** A number that is also the label of another option may mean either. */
const areClear = (positions, { options }) =>
  positions.every((at) =>
    options.every(({ label }, n) => n === at || label.trim() !== String(at + 1)),
  )

function areEntries(questions, answers) {
  if (!isArray(answers) || answers.length !== questions.length) return false
  return Array.from(answers).every((entry, n) => {
    if (entry === null) return true
    const { options, multiSelect } = questions[n]
    const isOne = (one) =>
      isText(one) ? one.trim() !== '' : Number.isInteger(one) && one >= 0 && one < options.length
    if (!isArray(entry) || entry.length === 0 || !Array.from(entry).every(isOne)) return false
    return (multiSelect || entry.length === 1) && new Set(entry).size === entry.length
  })
}

/** Who answered, made anew of what is known. */
function toResolvedBy(claimed) {
  if (!isObject(claimed) || !['voice', 'desktop'].includes(claimed.kind)) return null
  const resolvedBy = { kind: claimed.kind }
  for (const name of FACTS) if (isShort(claimed[name])) resolvedBy[name] = claimed[name]
  if (Number.isFinite(claimed.at)) resolvedBy.at = claimed.at
  if (typeof claimed.shortened === 'boolean') resolvedBy.shortened = claimed.shortened
  const { speaker } = claimed
  if (isShort(speaker?.id) && isText(speaker.attribution)) {
    resolvedBy.speaker = { id: speaker.id, attribution: speaker.attribution.slice(0, FACT_CHARS) }
  }
  return resolvedBy
}

// ---- what the model is told ----

/** The result of the tool: `outcome` has `answers`, or `declined`, or why there is neither. */
function toResult(questions, { answers, declined, reason }) {
  if (answers) return result(toText(questions, answers), { status: 'answered', answers })
  if (declined) return result('The user declined to answer.', { status: 'declined' })
  const text = `Not answered: ${NOT_ANSWERED[reason]}. Nobody has decided anything.`
  return { ...result(text, { status: 'not-answered', reason }), isError: true }
}

const result = (text, details) => ({ content: [{ type: 'text', text }], details })

/** Each label in quotation marks, so that one with a comma is one. */
function toText(questions, answers) {
  const lines = questions.map(({ question, options }, n) => {
    const chosen = (answers[n] ?? []).map((one) =>
      isText(one)
        ? `in their own words ${JSON.stringify(one)}`
        : JSON.stringify(options[one].label),
    )
    return `${JSON.stringify(question)}: ${chosen.join(', ') || 'skipped'}`
  })
  return ['The user answered.', ...lines].join('\n')
}

/**
 * What the tool told the model, of its result: `answers` as entries, `declined`, or `null` where it is no
 * answer. `undefined` where somebody has changed the result since.
 */
function readResult(questions, had, isError) {
  const details = isObject(had) ? had.details : undefined
  if (!isObject(details)) return isError ? null : undefined
  if (isError || details.status === 'not-answered') return null
  const isAnswer = details.status === 'answered' && areEntries(questions, details.answers)
  if (!isAnswer && details.status !== 'declined') return undefined
  const outcome = isAnswer ? { answers: details.answers } : { declined: true }
  const { content } = toResult(questions, outcome)
  return JSON.stringify(had.content) === JSON.stringify(content) ? outcome : undefined
}

module.exports = {
  STATUS,
  areQuestions,
  readReply,
  readResult,
  toEntries,
  toPlaceholder,
  toPositions,
  toReply,
  toResult,
  toTitle,
}
