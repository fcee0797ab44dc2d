'use strict'
// How long a match takes, through the addon; and beside another package, which is installed for it.

const fs = require('node:fs')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { SpokenQuestion, matchUtterance } = require('../..')
const { ROOT, run } = require('../run.js')

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
  // Nothing but words of the labels: every one of them could begin any of 64.
  const label = 'use the fast approach with module 1 and every part of it '.repeat(10).slice(0, 500)
  const recognizeChoices = withPeers && peer()
  return [
    ['a position', one, "let's go with the second one please"],
    ['a label', one, 'postgres'],
    ['something else', one, 'what is the weather like in the city tomorrow morning'],
    ['8 × 8, one of them', all, 'the red one for question two'],
    ['8 × 8, 250 characters', all, long.slice(0, 250)],
    ['8 × 8, 500 characters', all, long],
    ['8 × 8, a label, 500 characters', all, label],
  ].map(([what, asked, utterance]) => {
    const spoken = new SpokenQuestion(asked)
    const row = {
      what,
      'prepared, median µs': time(() => spoken.match(utterance)).median,
      'prepared, 99 % µs': time(() => spoken.match(utterance)).most,
      'not prepared, median µs': time(() => matchUtterance(asked, utterance)).median,
    }
    // It takes one question.
    if (!recognizeChoices || asked !== one) return row
    const recognize = () => recognizeChoices(utterance, DATABASES)
    row['botbuilder-dialogs, median µs'] = time(recognize).median
    row['botbuilder-dialogs, found'] = recognize().map(({ resolution }) => resolution.value)
    return row
  })
}

/** `recognizeChoices` of botbuilder-dialogs: the nearest to this matcher that people use. */
function peer() {
  const cwd = path.join(ROOT, 'e2e', 'peers')
  const installed = path.join(cwd, 'node_modules', 'botbuilder-dialogs')
  // Its own install script fails, and is not needed.
  const install = ['ci', '--ignore-scripts', '--silent', '--no-audit', '--no-fund']
  if (!fs.existsSync(installed)) run('npm', install, { cwd, stdio: ['ignore', 2, 2] })
  return require(installed).recognizeChoices
}

function question(questions) {
  return { inputId: 'input-1', sessionId: 'session-1', questions }
}

function time(call) {
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    call()
    times.push((performance.now() - start) * 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  return { median: at(0.5), most: at(0.99) }
}

module.exports = { compareSpeed }
