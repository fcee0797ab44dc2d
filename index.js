'use strict'
// Loads the addon: the file built beside this one, else the one package for this platform. No
// environment variable is read and no process is started to find it. Then what the addon says of an
// accepted answer, a few bits, is made the verdict that TypeScript knows.

/** One literal `require` per target, so that bundlers and packagers see what may be loaded. */
const TARGETS = {
  'darwin-arm64': {
    name: 'spoken-answer-darwin-arm64',
    beside: () => require('./spoken-answer.darwin-arm64.node'),
    packaged: () => require('spoken-answer-darwin-arm64'),
  },
  'darwin-x64': {
    name: 'spoken-answer-darwin-x64',
    beside: () => require('./spoken-answer.darwin-x64.node'),
    packaged: () => require('spoken-answer-darwin-x64'),
  },
  'linux-arm64': {
    name: 'spoken-answer-linux-arm64-gnu',
    beside: () => require('./spoken-answer.linux-arm64-gnu.node'),
    packaged: () => require('spoken-answer-linux-arm64-gnu'),
  },
  'linux-x64': {
    name: 'spoken-answer-linux-x64-gnu',
    beside: () => require('./spoken-answer.linux-x64-gnu.node'),
    packaged: () => require('spoken-answer-linux-x64-gnu'),
  },
  'win32-arm64': {
    name: 'spoken-answer-win32-arm64-msvc',
    beside: () => require('./spoken-answer.win32-arm64-msvc.node'),
    packaged: () => require('spoken-answer-win32-arm64-msvc'),
  },
  'win32-x64': {
    name: 'spoken-answer-win32-x64-msvc',
    beside: () => require('./spoken-answer.win32-x64-msvc.node'),
    packaged: () => require('spoken-answer-win32-x64-msvc'),
  },
}

function load() {
  const platform = `${process.platform}-${process.arch}`
  const target = Object.hasOwn(TARGETS, platform) ? TARGETS[platform] : undefined
  if (target === undefined) {
    throw new Error(
      `spoken-answer has no build for ${platform}; it runs on ${Object.keys(TARGETS).join(', ')}`,
    )
  }
  try {
    return target.beside()
  } catch (cause) {
    if (cause?.code !== 'MODULE_NOT_FOUND') throw notLoaded(platform, target.name, cause)
  }
  try {
    return target.packaged()
  } catch (cause) {
    throw notLoaded(platform, target.name, cause)
  }
}

function notLoaded(platform, name, cause) {
  const [first] = `${cause?.message}`.split('\n')
  const why =
    cause?.code === 'MODULE_NOT_FOUND'
      ? `its package ${name} is not installed, or its file was not packed with the app (${first}). Install spoken-answer on this platform, with optional dependencies`
      : `${name}: ${first}`
  return new Error(`spoken-answer could not be loaded on ${platform}: ${why}`, { cause })
}

const addon = load()

/** Taken and hidden: it is for this file only. */
const { acceptedParts } = addon.SpokenQuestion.prototype
delete addon.SpokenQuestion.prototype.acceptedParts

/** What the accepted verdicts on a question have in common. */
const parts = new WeakMap()

/** A class of the language, so that it cannot be called without `new`. */
class SpokenQuestion extends addon.SpokenQuestion {
  validate(answers) {
    const verdict = super.validate(answers)
    return typeof verdict === 'string' ? accepted(this, verdict) : verdict
  }
}

/** The verdict on an accepted answer: a character for each question, a bit for each option. */
function accepted(spoken, chosen) {
  if (!parts.has(spoken)) parts.set(spoken, acceptedParts.call(spoken))
  const { inputId, digest, shortened, labels } = parts.get(spoken)
  const answers = []
  const optionIndexes = []
  for (let question = 0; question < labels.length; question++) {
    const chosenLabels = []
    const indexes = []
    for (let bits = chosen.charCodeAt(question), option = 0; bits !== 0; bits >>= 1, option++) {
      if ((bits & 1) === 0) continue
      chosenLabels.push(labels[question][option])
      indexes.push(option)
    }
    answers.push(chosenLabels)
    optionIndexes.push(indexes)
  }
  return { status: 'accepted', inputId, digest, answers, optionIndexes, shortened }
}

/** The machine of the live call; what it shows a classifier is a question like any other. */
class LiveCallMachine extends addon.LiveCallMachine {
  question(operation) {
    const spoken = super.question(operation)
    return spoken === null ? null : Object.setPrototypeOf(spoken, SpokenQuestion.prototype)
  }
}

module.exports.validateAnswer = addon.validateAnswer
module.exports.formatQuestionFeedback = addon.formatQuestionFeedback
module.exports.SpokenQuestion = SpokenQuestion
module.exports.REFUSALS = addon.REFUSALS
module.exports.LiveCallMachine = LiveCallMachine
module.exports.LIMITS = addon.LIMITS
