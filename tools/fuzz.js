'use strict'
// `npm run fuzz -- [SECONDS]`: every fuzz target for so long (default 10). Needs cargo-fuzz
// (`cargo install cargo-fuzz`). What breaks a target is kept in fuzz/artifacts.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./run.js')

const seconds = Number(process.argv[2] ?? 10)
if (!(seconds > 0)) {
  console.error('usage: npm run fuzz -- [SECONDS]')
  process.exit(2)
}
const cases = require('../cases/answers.json')
const utterances = require('../cases/utterances.json')
/** What each target starts from, beside what earlier runs have found. */
const SEEDS = {
  answer_text: cases.map(({ answers }) =>
    typeof answers === 'string' ? answers : JSON.stringify(answers),
  ),
  question: cases.map(({ question }) => JSON.stringify(question)),
  // A budget of 300 and of 1100 bytes, little-endian, before the question.
  feedback: cases.flatMap(({ question }) =>
    ['\x2c\x01', '\x4c\x04'].map((budget) => budget + JSON.stringify(question)),
  ),
  grants: ['', '100000000000000001, 200000000000000002', '["100000000000000001"]', '[5, ""]'],
  utterance: utterances.map(({ utterance, options }) => [utterance, ...options].join('\n')),
  // Texts and numbers are cut out of the bytes as they come.
  frame: ['Ada"\\\n\u2028request: "x"', 'e\u0301\u200d\u202e'.repeat(200)],
}

for (const file of fs.readdirSync(path.join(ROOT, 'fuzz', 'fuzz_targets')))
  fuzz(path.parse(file).name)

function fuzz(target) {
  const corpus = path.join('fuzz', 'corpus', target)
  fs.mkdirSync(path.join(ROOT, corpus), { recursive: true })
  SEEDS[target].forEach((seed, index) => {
    if (seed.length < 4096) fs.writeFileSync(path.join(ROOT, corpus, `seed-${index}`), seed)
  })
  const limits = [
    `-max_total_time=${seconds}`,
    '-timeout=5',
    '-max_len=4096',
    '-print_final_stats=1',
  ]
  const args = ['fuzz', 'run', target, corpus, '--', ...limits]
  // The sanitizer is an unstable compiler flag; the toolchain is the ordinary one.
  const env = { ...process.env, RUSTC_BOOTSTRAP: '1' }
  const options = {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'inherit', 'pipe'],
  }
  const done = spawnSync('cargo', args, options)
  const runs = /stat::number_of_executed_units:\s*(\d+)/.exec(done.stderr)?.[1]
  if (done.status !== 0 || runs === undefined) {
    console.error(done.error?.message ?? done.stderr)
    console.error(`fuzz ${target}: failed`)
    process.exit(1)
  }
  console.log(`fuzz ${target}: ${runs} runs in ${seconds} s, nothing found`)
}
