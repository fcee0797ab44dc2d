'use strict'
// What an answer chose. By voice it is the addon that says so; the card may do more than the voice:
// free text, skipped questions, and options that are not read out.

const { LIMITS } = require('../..')
const { checkedAnswer } = require('./arguments.js')
const { byVoice } = require('./provenance.js')

const isPosition = (value) => Number.isSafeInteger(value) && value >= 0
const isChoice = (chosen) =>
  Array.isArray(chosen) &&
  chosen.length <= LIMITS.hostOptions &&
  Array.from(chosen).every(isPosition)
const isPositions = (optionIndexes, length) =>
  Array.isArray(optionIndexes) &&
  optionIndexes.length === length &&
  Array.from(optionIndexes).every(isChoice)

const labelOf = (option) => option.label ?? option

/** An answer by voice, and who gave it; `null` where it is none to this question. */
function answerByVoice({ spoken, input }, optionIndexes, claimed) {
  const { questions } = spoken
  if (input.private || !isPositions(optionIndexes, questions.length)) return null
  // Whatever was checked before is checked again, against what is open now.
  const verdict = spoken.validate(
    questions.map(({ options }, n) => ({
      questionIndex: n,
      options: optionIndexes[n].map((option) => options[option]),
    })),
  )
  if (verdict.status !== 'accepted') return null
  const resolvedBy = byVoice(claimed, verdict)
  if (resolvedBy === null) return null
  if (input.askedOf !== undefined && resolvedBy.speaker?.id !== input.askedOf) return null
  return { answers: verdict.answers, optionIndexes: verdict.optionIndexes, resolvedBy }
}

/** An answer of the card; `null` where it is none to this question. */
function answerOnCard({ input: { questions } }, answers) {
  if (!Array.isArray(answers) || answers.length !== questions.length) return null
  const copy = Array.from(answers, (answer) => (Array.isArray(answer) ? [...answer] : answer))
  const fits = (answer, { multiSelect }) =>
    answer === null ||
    (Array.isArray(answer) &&
      answer.length > 0 &&
      (multiSelect || answer.length === 1) &&
      answer.every((value) => typeof value === 'string') &&
      new Set(answer).size === answer.length)
  if (!copy.every((answer, n) => fits(answer, questions[n]))) return null
  const position = (question, label) =>
    question.options.findIndex((option) => labelOf(option) === label)
  const optionIndexes = copy.map((answer, n) =>
    (answer ?? []).map((label) => position(questions[n], label)),
  )
  // Free text and skipped questions have no positions, and text is never written down.
  const known = copy.every((answer) => answer !== null) && !optionIndexes.flat().includes(-1)
  return {
    answers: copy,
    optionIndexes: known ? optionIndexes : undefined,
    resolvedBy: { kind: 'desktop' },
  }
}

/** An answer of the card, or of a function that makes one of the host's request. */
function answerOfCard(opening, answers) {
  if (typeof answers === 'function') return checkedAnswer(answers(opening.original))
  return answerOnCard(opening, answers)
}

/**
 * An answer that was given before and that nobody was told of, for the question as it is asked now;
 * `null` where it does not fit. `answers` are there where the process has not died since.
 */
function answerAgain(asked, { fingerprint, answers, optionIndexes, resolvedBy }) {
  if (fingerprint !== asked.fingerprint) return null
  if (resolvedBy?.kind === 'voice') return answerByVoice(asked, optionIndexes, resolvedBy)
  if (resolvedBy?.kind !== 'desktop') return null
  if (answers !== undefined) return answerOnCard(asked, answers)
  const { questions } = asked.input
  if (!isPositions(optionIndexes, questions.length)) return null
  const labels = optionIndexes.map((chosen, n) =>
    chosen.map((index) => {
      const option = questions[n].options[index]
      return option === undefined ? undefined : labelOf(option)
    }),
  )
  return answerOnCard(asked, labels)
}

module.exports = { answerAgain, answerByVoice, answerOfCard, answerOnCard }
