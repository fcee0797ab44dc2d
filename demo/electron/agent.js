'use strict'
// An agent that asks two questions, and says what came of them.

const { app } = require('electron')

const say = (what) => console.log(JSON.stringify(what))

module.exports = {
  async start(ask) {
    const questions = [
      { question: 'Which version should ship?', options: ['0.16.0-beta.1', 'local only'] },
      { question: 'And tell everybody?', options: ['Yes', 'No'] },
    ]
    for (const [index, question] of questions.entries()) {
      const { answers, resolvedBy } = await ask({
        inputId: `input-${index}`,
        questions: [question],
      })
      say({ answers, by: resolvedBy.kind })
    }
    app.quit()
  },
  instruct: (instruction) => say({ instruction }),
}
