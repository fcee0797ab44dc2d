'use strict'
// Short ways to say what a test is about.

const { spawnSync } = require('node:child_process')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')

/** An open input with one question that has these options. */
const one = (options, more) => ({
  inputId: 'input-1',
  sessionId: 'session-1',
  questions: [{ question: 'Which?', options, ...more }],
})

/** An answer to the first question. */
const choose = (...options) => [{ questionIndex: 0, options }]

/** Runs node and returns its exit code and what it printed. */
function node(args, options) {
  const done = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', ...options })
  return { code: done.status, signal: done.signal, out: done.stdout, err: done.stderr }
}

module.exports = { ROOT, one, choose, node }
