'use strict'
// How long a match takes, through the addon; and beside another package where it is installed.

const { performance } = require('node:perf_hooks')
const { SpokenQuestion, matchUtterance } = require('../..')

const ROUNDS = 2_000
const DATABASES = ['PostgreSQL', 'SQLite', 'MySQL', 'MongoDB']

function compareSpeed(withPeers) {
  const one = question([{ question: 'Which database?', options: DATABASES }])
  const all = question(
    Array.from({ length: 8 }, (_, at) => ({
      question: `Question number ${at} about something of the project?`,
      options: ['fast', 'slow', 'red', 'blue', 'new', 'old', 'small', 'large'].map(
        (word) => `use the ${word} approach with module ${at} and every part of it`,
      ),
    })),
  )
  const words =
    'use the approach with every part of the module and the fast one of everything large '
  const long = words.repeat(8).slice(0, 500)
  const rows = [
    ['a position', one, "let's go with the second one please"],
    ['a label', one, 'postgres'],
    ['something else', one, 'what is the weather like in the city tomorrow morning'],
    ['8 × 8, one of them', all, 'the red one for question two'],
    ['8 × 8, 250 characters', all, long.slice(0, 250)],
    ['8 × 8, 500 characters', all, long],
  ].map(([what, asked, utterance]) => {
    const spoken = new SpokenQuestion(asked)
    return {
      what,
      'prepared, median µs': time(() => spoken.match(utterance)).median,
      'prepared, 99 % µs': time(() => spoken.match(utterance)).most,
      'not prepared, median µs': time(() => matchUtterance(asked, utterance)).median,
    }
  })
  if (!withPeers) return rows
  const { recognizeChoices } = require('botbuilder-dialogs')
  const asks = { 'a position': "let's go with the second one please", 'a label': 'PostgreSQL' }
  for (const row of rows) {
    const utterance = asks[row.what]
    if (utterance === undefined) continue
    row['botbuilder-dialogs, median µs'] = time(() => recognizeChoices(utterance, DATABASES)).median
  }
  return rows
}

function question(questions) {
  return { inputId: 'input-1', sessionId: 'session-1', questions }
}

function time(run) {
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    run()
    times.push((performance.now() - start) * 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  return { median: at(0.5), most: at(0.99) }
}

module.exports = { compareSpeed }
