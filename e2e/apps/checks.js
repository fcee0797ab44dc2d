'use strict'
// What is checked wherever the addon is loaded: read out, refuse, accept, and no exception.

const { SpokenQuestion, formatQuestionFeedback, validateAnswer } = require('spoken-answer')

const question = {
  inputId: 'input-1',
  sessionId: 'session-1',
  questions: [{ question: '选哪个版本?', options: ['0.16.0-beta.1', 'local only'] }],
}

function throwing() {
  throw new Error('a getter of a hostile object')
}

module.exports = () => {
  const { text, digest } = formatQuestionFeedback(question)
  const answer = (label) => JSON.stringify([{ questionIndex: 0, options: [label] }])
  const accepted = validateAnswer([question], answer('local only'), digest)
  return {
    readOut: text.includes('1. "0.16.0-beta.1"\n2. "local only"'),
    accepted: accepted.status === 'accepted' && accepted.answers[0][0] === 'local only',
    refused: new SpokenQuestion(question).validate(answer('0.99.0')).reason,
    hostile: validateAnswer(question, {
      get answers() {
        return throwing()
      },
    }).reason,
  }
}
