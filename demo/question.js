'use strict'
// Where the demo's question comes from: the sample, or a file of the user.

const fs = require('node:fs')
const path = require('node:path')
const { LIMITS } = require('..')

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
    // npm runs scripts in the folder of the package; the user is where npm was started.
    text = fs.readFileSync(path.resolve(process.env.INIT_CWD ?? '', file), 'utf8')
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
const isId = (value) => isText(value) && value !== '' && Buffer.byteLength(value) <= LIMITS.idBytes
const isAbsent = (value) => value === undefined || value === null

/** What keeps `value` from being an open question, if anything. */
function problemOf(value) {
  if (!isObject(value)) return 'a question is an object with inputId, sessionId and questions'
  const id = `a text of 1 to ${LIMITS.idBytes} bytes`
  if (!isId(value.inputId)) return `inputId must be ${id}`
  if (!isId(value.sessionId)) return `sessionId must be ${id}`
  if (!isAbsent(value.turnId) && !isId(value.turnId)) return `turnId must be ${id}, or left out`
  if (!Array.isArray(value.questions)) return 'questions must be a list'
  if (value.questions.length === 0) return 'questions must hold at least one question'
  for (const [index, one] of value.questions.entries()) {
    const problem = problemOfQuestion(one)
    if (problem) return `questions[${index}]${problem}`
  }
}

function problemOfQuestion(one) {
  if (!isObject(one)) return ' must be an object with question and options'
  if (!isText(one.question)) return '.question must be a text'
  if (!isAbsent(one.multiSelect) && typeof one.multiSelect !== 'boolean')
    return '.multiSelect must be true or false'
  if (!Array.isArray(one.options)) return '.options must be a list'
  for (const [index, option] of one.options.entries()) {
    if (!isText(isObject(option) ? option.label : option)) {
      return `.options[${index}] must be a text or an object with a label`
    }
    if (isObject(option) && !isAbsent(option.description) && !isText(option.description)) {
      return `.options[${index}].description must be a text`
    }
  }
}

module.exports = { SAMPLE, readQuestion }
