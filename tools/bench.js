'use strict'
// `npm run bench`: this package beside a plain JavaScript version of the same rules
// (benches/plain.js), a schema library with naive matching, and an addon that does nothing
// (benches/empty-addon). All in one run, in turns; the figures to quote are the ratios. Then the
// matcher alone, in Rust (benches/matching.rs).

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, builtAddon, ensureBuilt, run, tool } = require('./run.js')

tool('ajv', 'package.json')
ensureBuilt()

const Ajv = require('ajv/dist/2020')
const { PlainQuestion } = require('../benches/plain.js')
const { SpokenQuestion, formatQuestionFeedback, validateAnswer } = require('..')

const ROUNDS = 15
const ROUND_MS = 20

for (const script of ['ASCII', 'CJK']) {
  for (const [questions, options] of [
    [1, 3],
    [4, 4],
    [8, 8],
  ])
    compare(script, questions, options)
}
compareLoading()
console.log()
run('cargo', ['bench', '--locked', '--quiet', '--bench', 'matching'])

function compare(script, questions, options) {
  const question = makeQuestion(script, questions, options)
  const answers = question.questions.map((one, questionIndex) => ({
    questionIndex,
    options: [one.options[1]],
  }))
  const text = JSON.stringify({ kind: 'respond-input', answers })
  const spoken = new SpokenQuestion(question)
  const plain = new PlainQuestion(question)
  const ajv = new Ajv()
  const bySchema = schemaAndNaiveMatching(ajv.compile(spoken.schema('strict')), question)
  // A comparison of things that differ would say nothing.
  const expected = JSON.stringify(spoken.validate(text))
  for (const verdict of [plain.validate(text), validateAnswer(question, answers), bySchema(text)]) {
    if (JSON.stringify(verdict.answers) !== JSON.stringify(JSON.parse(expected).answers))
      throw new Error(expected)
  }
  const page = formatQuestionFeedback(question, 10_000)
  if (JSON.stringify(plain.feedback(10_000)) !== JSON.stringify(page)) throw new Error(page.text)
  const title = `${script} ${questions} × ${options}`
  report(`${title}: prepared question, text → verdict`, {
    'spoken-answer': () => spoken.validate(text),
    'plain JavaScript': () => plain.validate(text),
    'schema library + naive matching': () => bySchema(text),
  })
  report(`${title}: question and answers as objects → verdict`, {
    'spoken-answer': () => validateAnswer(question, answers),
    'plain JavaScript': () => new PlainQuestion(question).validate(answers),
  })
  report(`${title}: question → feedback`, {
    'spoken-answer': () => formatQuestionFeedback(question, 10_000),
    'plain JavaScript': () => new PlainQuestion(question).feedback(10_000),
  })
}

function makeQuestion(script, questions, options) {
  const ascii = script === 'ASCII'
  const label = (q, o) => (ascii ? `target ${q} number ${o}` : `选项${q}的第${o}个目标`)
  const one = (q) => ({
    question: ascii ? `Which target should number ${q} go to?` : `请选择第${q}个部署目标`,
    options: Array.from({ length: options }, (_, o) => label(q, o)),
  })
  return {
    inputId: 'input-1',
    sessionId: 'session-1',
    questions: Array.from({ length: questions }, (_, q) => one(q)),
  }
}

/** What people write first: it cleans nothing, knows no limits and lets a duplicate key through. */
function schemaAndNaiveMatching(isValid, question) {
  return (text) => {
    const value = JSON.parse(text)
    if (!isValid(value)) return { status: 'refused' }
    const answers = question.questions.map(() => [])
    for (const { questionIndex, options } of value.answers) {
      for (const label of options) {
        const offered = question.questions[questionIndex].options
        if (offered.includes(label)) answers[questionIndex].push(label)
      }
    }
    return { status: 'accepted', answers }
  }
}

/** Times each in turn, many times; the first is what the others are compared with. */
function report(title, subjects) {
  const rows = Object.entries(subjects).map(([name, call]) => ({
    name,
    call,
    count: calibrate(call),
    times: [],
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of rows) row.times.push(time(row.call, row.count))
  }
  console.log(`\n${title}`)
  for (const { name, times } of rows) {
    const ratio = median(rows[0].times.map((own, round) => own / times[round]))
    const compared =
      name === 'spoken-answer' ? '' : `  spoken-answer takes ${ratio.toFixed(2)} of this`
    console.log(`  ${name.padEnd(33)}${median(times).toFixed(2).padStart(8)} µs${compared}`)
  }
}

/** Microseconds a call, over `count` calls. */
function time(call, count) {
  const start = process.hrtime.bigint()
  for (let i = 0; i < count; i++) call()
  return Number(process.hrtime.bigint() - start) / 1e3 / count
}

function calibrate(call) {
  for (let i = 0; i < 2_000; i++) call()
  return Math.max(1, Math.round((ROUND_MS * 1e3) / time(call, 1_000)))
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

/** How long `require` takes in a fresh process, and how large the libraries are. */
function compareLoading() {
  const folder = path.join(ROOT, 'benches', 'empty-addon')
  run(
    'cargo',
    [
      'build',
      '--release',
      '--locked',
      '--quiet',
      '--target-dir',
      path.join(ROOT, 'target', 'empty-addon'),
    ],
    { cwd: folder },
  )
  const library = {
    linux: 'libempty_addon.so',
    darwin: 'libempty_addon.dylib',
    win32: 'empty_addon.dll',
  }[process.platform]
  const empty = path.join(ROOT, 'target', 'empty-addon', 'empty.node')
  fs.copyFileSync(path.join(ROOT, 'target', 'empty-addon', 'release', library), empty)
  const own = builtAddon()

  const load = (file) => {
    const script = `const s = process.hrtime.bigint(); require(${JSON.stringify(file)}); console.log(Number(process.hrtime.bigint() - s) / 1e3)`
    return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
  }
  const rows = { package: [], library: [], empty: [] }
  for (let round = 0; round < 21; round++) {
    rows.package.push(load(ROOT))
    rows.library.push(load(own))
    rows.empty.push(load(empty))
  }
  const ratio = (name) =>
    median(rows[name].map((value, round) => value / rows.empty[round])).toFixed(2)
  console.log('\nrequire in a fresh process')
  console.log(
    `  the package (index.js and library) ${median(rows.package).toFixed(0).padStart(6)} µs  ${ratio('package')} of the empty addon`,
  )
  console.log(
    `  the library alone                  ${median(rows.library).toFixed(0).padStart(6)} µs  ${ratio('library')} of the empty addon`,
  )
  console.log(
    `  the empty addon                    ${median(rows.empty).toFixed(0).padStart(6)} µs`,
  )
  console.log(
    `\nsize\n  the library      ${fs.statSync(own).size} bytes\n  the empty addon  ${fs.statSync(empty).size} bytes`,
  )
}
