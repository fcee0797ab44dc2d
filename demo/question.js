'use strict'
// Where the demo's question comes from: the sample, or a file of the user.

const fs = require('node:fs')

const SAMPLE = {
  inputId: 'input-1',
  sessionId: 'demo',
  questions: [
    {
      question: 'Which version should ship?',
      options: [
        {
          label: '0.16.0-beta.1',
          description: 'tagged and pushed to everyone on the beta channel',
        },
        { label: 'local only', description: 'nothing leaves this machine' },
      ],
    },
  ],
}

/** Reads a question file. Throws an Error that names what is wrong with it. */
function readQuestion(file) {
  let text
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error })
  }
  let question
  try {
    question = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error.message}`, { cause: error })
  }
  const problem = problemOf(question)
  if (problem) throw new Error(`${file}: ${problem}`)
  return question
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value) => typeof value === 'string'

/** What keeps `value` from being an open question, if anything. */
function problemOf(value) {
  if (!isObject(value)) return 'a question is an object with inputId, sessionId and questions'
  if (!isText(value.inputId)) return 'inputId must be a text'
  if (!isText(value.sessionId)) return 'sessionId must be a text'
  if (!Array.isArray(value.questions)) return 'questions must be a list'
  for (const [index, one] of value.questions.entries()) {
    const at = `questions[${index}]`
    if (!isObject(one)) return `${at} must be an object with question and options`
    if (!isText(one.question)) return `${at}.question must be a text`
    if (!Array.isArray(one.options)) return `${at}.options must be a list`
    const wrong = one.options.findIndex(
      (option) => !isText(isObject(option) ? option.label : option),
    )
    if (wrong !== -1) return `${at}.options[${wrong}] must be a text or an object with a label`
  }
}

module.exports = { SAMPLE, readQuestion }
