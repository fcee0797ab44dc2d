'use strict'
// What the tests with a real Pi say and look for.

const { until } = require('./rig.js')

/** What our extension tells the model: for each question its text and the labels. */
const answered = (...lines) => ['The user answered.', ...lines].join('\n')

/** What became of an operation, in short. */
const brief = ({ state, reason }) => (reason ? `${state}: ${reason}` : state)

/** What is said too late is the app's ordinary work, or refused; it depends on which comes first. */
const CLOSED = /^(forwarded|refused: (question-closed|answered-elsewhere))$/

/** A classifier that is told what to say. */
const scripted = { classify: async ({ instruction }) => JSON.parse(instruction) }
const respond = (...chosen) =>
  JSON.stringify({
    kind: 'respond-input',
    answers: chosen.map((options, questionIndex) => ({ questionIndex, options })),
  })

/** The model has been asked so often, and so was told of everything before. */
const nextRequest = (app, count = 2) => until(() => app.model.requests.length >= count)

module.exports = { CLOSED, answered, brief, nextRequest, respond, scripted }
