'use strict'
// What Codex asks without waiting, in a message of the agent (`request_user_input_async`), and what it
// takes for an answer: a message of the user in an envelope. Pure.

const { isObject } = require('./arguments.js')

const TOOL = 'request_user_input_async'
const TAG = 'send_user_message_question_reply'
const ENVELOPE = new RegExp(`^<${TAG}>\n([^]*)\n</${TAG}>$`)

const isText = (value) => typeof value === 'string'
const isQuestion = (question) =>
  isObject(question) &&
  isText(question.title) &&
  (question.options === null ||
    (Array.isArray(question.options) && Array.from(question.options).every(isText)))

/** Whether an item of a turn is certainly such a message. */
function isAsked(item) {
  if (item.type !== 'agentMessage' || item.delivery !== 'async' || !isText(item.id)) return false
  const { questions } = item
  return Array.isArray(questions) && questions.length > 0 && Array.from(questions).every(isQuestion)
}

/** Its questions as a live call sees them; one for free text has no options. */
function toQuestions({ questions }) {
  return questions.map(({ title, options }) => ({
    question: title,
    options: (options ?? []).map((label) => ({ label })),
    multiSelect: false,
  }))
}

/** Where a question was in its item: others may have answered those before it. */
const placeOf = ({ places }, n) => places?.[n] ?? n

/** The text of the user's message; what is `null` was left open, and is not in it. */
function toText(item, answers) {
  const entries = item.questions.flatMap(({ title }, n) => {
    if (answers[n] === null) return []
    const questionItemId = JSON.stringify([TOOL, item.id, placeOf(item, n)])
    return [{ answer: answers[n][0], question: title, questionItemId }]
  })
  return `<${TAG}>\n${JSON.stringify(entries)}\n</${TAG}>`
}

/** The text of a user's message; `null` where the item is none, or more than text. */
function textOf({ type, content }) {
  if (type !== 'userMessage' || !Array.isArray(content) || content.length !== 1) return null
  return isObject(content[0]) && isText(content[0].text) ? content[0].text : null
}

/** The answers in a user's message: of which item, to which of its questions, and what. */
function toReplies(text) {
  const found = ENVELOPE.exec(text)
  if (found === null) return []
  try {
    const replies = []
    for (const { answer, questionItemId } of JSON.parse(found[1])) {
      const [tool, id, question] = JSON.parse(questionItemId)
      if (tool === TOOL) replies.push({ id, question, answer })
    }
    return replies
  } catch {
    // Somebody wrote something that looks like one.
    return []
  }
}

/** What others answered to the question of an item; `undefined` where they did not. */
const replyTo = (item, n, replies) =>
  replies.find(({ id, question }) => id === item.id && question === placeOf(item, n))

/** The positions of what others answered; `undefined` where that is not one option of each question. */
function toPositions(item, replies) {
  const positions = item.questions.map(({ options }, n) => {
    return [(options ?? []).indexOf(replyTo(item, n, replies)?.answer)]
  })
  return positions.flat().includes(-1) ? undefined : positions
}

/**
 * The item with the questions that others left open, and their places in it; `null` where there are none,
 * and the item itself where they answered none.
 */
function withoutReplies(item, replies) {
  const left = [...item.questions.keys()].filter((n) => replyTo(item, n, replies) === undefined)
  if (left.length === 0) return null
  if (left.length === item.questions.length) return item
  const questions = left.map((n) => item.questions[n])
  return { ...item, questions, places: left.map((n) => placeOf(item, n)) }
}

module.exports = { isAsked, textOf, toPositions, toQuestions, toReplies, toText, withoutReplies }
