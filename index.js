'use strict'
// The entry of the package. What the addon says of an accepted answer, a few bits, is made the verdict
// that TypeScript knows.

const addon = require('./addon.js')

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
module.exports.matchUtterance = addon.matchUtterance
module.exports.SpokenQuestion = SpokenQuestion
module.exports.REFUSALS = addon.REFUSALS
module.exports.LiveCallMachine = LiveCallMachine
module.exports.LIMITS = addon.LIMITS
