'use strict'
// What the tests with any real host say and look for.

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

/** Waits for something that happens elsewhere; how long the suite may take is for who runs it. */
async function until(isSo) {
  for (;;) {
    const found = await isSo()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The model has been asked so often, and so was told of everything before. */
const nextRequest = (app, count = 2) => until(() => app.model.requests.length >= count)

module.exports = { CLOSED, brief, nextRequest, respond, scripted, until }
