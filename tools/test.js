'use strict'
// `npm test`: builds what is missing, then every test that needs nothing else.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, ensureBuilt, run, tool } = require('./run.js')

tool('typescript', 'package.json')
ensureBuilt()
// What takes long says so.
run('cargo', ['test', '--locked', '--no-run'])
run('cargo', ['test', '--locked', '--quiet'])
const tests = fs
  .readdirSync(path.join(ROOT, '__test__'))
  .filter((name) => name.endsWith('.test.js'))
// The warnings that tests provoke are asserted, and nothing to look at.
run(process.execPath, [
  '--no-warnings',
  '--test',
  ...tests.map((name) => path.join('__test__', name)),
])
