'use strict'
// What an OpenCode server asks, and what it takes for an answer. Pure. The host checks nothing of it:
// whatever is in an answer reaches the model as what the user said.

const { isObject } = require('./arguments.js')
const { isAskedQuestion, toSpokenQuestion } = require('./asked-question.js')

/** The tool whose requests are questions, and those that ask in the same way for a plan to be approved. */
const ASK = 'question'
const PLANS = new Set(['plan_enter', 'plan_exit'])

/** What the host puts between options that were chosen together. */
const BETWEEN = ', '

const isQuestion = (question) => isAskedQuestion(question, 'multiple')

const areQuestions = (questions) =>
  Array.isArray(questions) && questions.length > 0 && Array.from(questions).every(isQuestion)

/**
 * What a request waits for, with the call that the server has by its id. Only what is certainly the ask
 * tool's own, in the words that the tool was called with, is a question: a plan's approval may have the
 * id of a call of the ask tool.
 */
function kindOf(request, call) {
  if (PLANS.has(call?.tool)) return 'plan'
  if (call?.tool !== ASK || !areQuestions(request.questions)) return 'other'
  const { input } = call
  if (!areQuestions(input?.questions)) return 'other'
  return areSame(toQuestions(input), toQuestions(request)) ? 'question' : 'other'
}

/** Its questions as a live call sees them. Headers are the card's. */
function toQuestions({ questions }) {
  return questions.map((question) => toSpokenQuestion(question, 'multiple'))
}

/** The answer for the host: for each question what was chosen. What is `null` was skipped. */
const toAnswers = (answers) => answers.map((answer) => answer ?? [])

/** The position of a label; -1 where there is none, or where two options have it. */
function positionOf(options, text) {
  const labels = options.map(({ label }) => label)
  const position = labels.indexOf(text)
  return position === labels.lastIndexOf(text) ? position : -1
}

/** The positions of what the host says was chosen; `undefined` where it is not among the options. */
function toPositions({ questions }, answers) {
  if (!Array.isArray(answers)) return undefined
  const positions = questions.map(({ options, multiple }, n) => {
    const chosen = answers[n]
    if (!Array.isArray(chosen) || chosen.length === 0) return [-1]
    if (multiple !== true && chosen.length > 1) return [-1]
    return chosen.map((label) => positionOf(options, label))
  })
  return positions.flat().includes(-1) ? undefined : positions
}

/**
 * Whether the model can tell what was chosen: the host joins the labels, and quotes none. `x, y` is one
 * option, or two.
 */
function fits({ questions }, optionIndexes) {
  return questions.every(({ options, multiple }, n) => {
    if (multiple !== true) return true
    const labels = options.map(({ label }) => `${label}${BETWEEN}`)
    return isClear(labels, optionIndexes[n].map((index) => labels[index]).join(''))
  })
}

/** Whether a text can be put together of these in one way only. */
function isClear(pieces, text) {
  /** In how many ways the text before each position can be. More than one is all the same. */
  const ways = new Map([[0, 1]])
  for (let at = 0; at < text.length; at++) {
    const before = ways.get(at)
    if (before === undefined) continue
    ways.delete(at)
    for (const piece of pieces) {
      if (!text.startsWith(piece, at)) continue
      const next = at + piece.length
      ways.set(next, Math.min(2, before + (ways.get(next) ?? 0)))
    }
  }
  return ways.get(text.length) === 1
}

/** Whether the host has exactly the answers that it was given. */
const areSame = (given, had) => JSON.stringify(given) === JSON.stringify(had)

const areIds = (one, other) =>
  isObject(one) &&
  isObject(other) &&
  one.callID === other.callID &&
  one.messageID === other.messageID

/** Whether a part of a message is the tool call that a request belongs to. */
const isCall = (part, { sessionID, tool }) =>
  areIds(part, tool) && part.type === 'tool' && part.sessionID === sessionID

/** Whether two requests belong to calls of one id. */
const areOfOneCall = (one, other) => areIds(one.tool, other.tool)

/**
 * What a part says of its tool call: the only proof of what became of an answer. An error is that there
 * was none, and never will be.
 */
function toCall({ tool, state }) {
  const { status, input, metadata } = Object(state)
  return { tool, status, input, answers: metadata?.answers }
}

/** The tool call of a request, in its message; `null` where it is not there. */
function findCall(message, request) {
  const parts = Array.isArray(message?.parts) ? message.parts : []
  const part = parts.find((one) => isCall(one, request))
  return part === undefined ? null : toCall(part)
}

module.exports = {
  ASK,
  areOfOneCall,
  areSame,
  findCall,
  fits,
  isCall,
  kindOf,
  toAnswers,
  toCall,
  toPositions,
  toQuestions,
}
