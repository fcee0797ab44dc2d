'use strict'
const { isDeepStrictEqual } = require('node:util')
const { Openings } = require('spoken-answer/hosts/openings')

const isChoice = (choice) => typeof choice?.title === 'string'

/** A slip as a live call sees it; `null` where it is not certainly a question. */
function toQuestion({ type, text, choices, several = false }) {
  if (type !== 'choice' || typeof text !== 'string' || typeof several !== 'boolean') return null
  if (!Array.isArray(choices) || !choices.every(isChoice)) return null
  const options = choices.map(({ title }) => ({ label: title }))
  return { question: text, options, multiSelect: several }
}

/** What the agent reads on a slip: its own codes, by position. */
const toCodes = ({ choices }, [chosen]) => chosen.map((index) => choices[index].code)

function createSlipHost(agent, sessionId) {
  const openings = new Openings({ proof: 'host', feeding: 'keep listening to the agent' })
  const inputsOf = (number) => openings.find((slip) => slip.number === number)

  agent.on('slip', (live) => {
    openings.heard()
    // What is answered is what was asked, whatever becomes of the slip.
    const slip = structuredClone(live)
    const question = toQuestion(slip)
    if (question === null) return openings.open({ kind: 'other', sessionId }, slip)
    const handOver = ({ optionIndexes }) => agent.fill(slip.number, toCodes(slip, optionIndexes))
    openings.open({ kind: 'question', sessionId, questions: [question] }, slip, { handOver })
  })
  agent.on('filled', ({ number, codes }) => {
    openings.heard()
    for (const inputId of inputsOf(number)) {
      const given = openings.given(inputId)
      const slip = openings.original(inputId)
      // Only what the agent says it has proves anything.
      if (given && isDeepStrictEqual(toCodes(slip, given.optionIndexes), codes)) {
        openings.proved(inputId)
      } else {
        openings.answeredElsewhere(inputId)
      }
    }
  })
  agent.on('torn', ({ number }) => {
    openings.heard()
    for (const inputId of inputsOf(number)) openings.cancel(inputId, 'torn')
  })
  return {
    ...openings.handle,
    answerOnDesktop: (inputId, answers) => openings.answerOnDesktop(inputId, answers),
  }
}

module.exports = { createSlipHost }
