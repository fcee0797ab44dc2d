'use strict'
// An agent that asks two questions, and says what came of them.

const { randomUUID } = require('node:crypto')
const { app } = require('electron')

const say = (what) => console.log(JSON.stringify(what))

module.exports = {
  async start(ask) {
    const questions = [
      { question: 'Which version should ship?', options: ['0.16.0-beta.1', 'local only'] },
      { question: 'And tell everybody?', options: ['Yes', 'No'] },
    ]
    for (const question of questions) {
      // A new id for every asking: one that was used before is the same input, and an answer to it
      // that did not arrive is given again.
      const inputId = randomUUID()
      const { answers, resolvedBy } = await ask({
        inputId,
        questions: [question],
      })
      say({ answers, by: resolvedBy.kind })
    }
    app.quit()
  },
  instruct: (instruction) => say({ instruction }),
}
