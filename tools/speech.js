'use strict'
// `npm run eval:speech [-- --keep]`: from a voice to a verdict. What tools/speech/utterances.json says
// is spoken by a text-to-speech package in three voices, recognised by a Whisper model that a package
// brings along, and matched. Exits with 1 on a wrong choice. `--keep` writes what was heard to
// cases/spoken.json, which `npm run eval` and the tests read; without it the file is left alone.
//
// Needs python3 with venv, 1.5 GB and some minutes; so it is not part of CI.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, ensureBuilt, run } = require('./run.js')

const FOLDER = path.join(__dirname, 'speech')

ensureBuilt()
const { judge } = require('./eval/score.js')
const { table } = require('./eval/table.js')

const groups = JSON.parse(fs.readFileSync(path.join(FOLDER, 'utterances.json'), 'utf8'))
const asked = groups.flatMap(({ lang, options, multiSelect = false, said }) =>
  Object.entries(said).map(([text, expect]) => ({
    said: text,
    options,
    multiSelect,
    expect,
    lang,
  })),
)
const rows = hear(asked).map(({ index, voice, heard }) => {
  const one = Object.assign({ utterance: heard }, asked[index])
  return Object.assign(judge(one), { voice, one })
})

console.log(
  table(
    rows.map(({ voice, one, got, kind, reason }) => ({
      voice,
      said: one.said,
      heard: one.utterance,
      chosen: got.map((at) => one.options[at]).join(' + ') || reason,
      verdict: kind,
    })),
  ),
)
console.log(table([...new Set(rows.map(({ voice }) => voice)), 'all'].map(totals)))
if (process.argv.includes('--keep')) keep()
if (rows.some(({ kind }) => kind === 'wrong')) process.exitCode = 1

/** What was heard of each text in each voice: `{ index, voice, heard }`. */
function hear(texts) {
  const environment = path.join(ROOT, 'target', 'speech')
  const python = path.join(
    environment,
    ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']),
  )
  // Messages of these never mix with the tables.
  const quiet = { stdio: ['ignore', 2, 2] }
  const wanted = path.join(FOLDER, 'requirements.txt')
  // Written last: an environment that was not finished is made again.
  const done = path.join(environment, 'requirements.txt')
  const read = (file) => fs.existsSync(file) && fs.readFileSync(file, 'utf8')
  if (read(done) !== read(wanted)) {
    const system = process.platform === 'win32' ? 'python' : 'python3'
    run(system, ['-m', 'venv', '--clear', environment], quiet)
    run(python, ['-m', 'pip', 'install', '--quiet', '-r', wanted], quiet)
    fs.copyFileSync(wanted, done)
  }
  fs.writeFileSync(path.join(environment, 'said.json'), JSON.stringify(texts))
  run(python, ['-B', path.join(FOLDER, 'hear.py'), environment], quiet)
  return JSON.parse(read(path.join(environment, 'heard.json')))
}

function totals(voice) {
  const own = voice === 'all' ? rows : rows.filter((row) => row.voice === voice)
  const answerable = own.filter(({ one }) => one.expect.length > 0)
  const count = (of, kind) => of.filter((row) => row.kind === kind).length
  return {
    voice,
    utterances: own.length,
    answerable: answerable.length,
    right: count(answerable, 'right'),
    missed: count(own, 'missed'),
    wrong: count(own, 'wrong'),
  }
}

/** Every utterance in every voice, as the tables count them. */
function keep() {
  const lines = rows.map(({ voice, one }) => JSON.stringify(Object.assign(one, { voice })))
  fs.writeFileSync(path.join(ROOT, 'cases', 'spoken.json'), `[\n${lines.join(',\n')}\n]\n`)
}
