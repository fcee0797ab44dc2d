'use strict'
// `npm test`: builds what is missing, then every test that needs nothing else.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, ensureBuilt, run, tool } = require('./run.js')

tool('typescript', 'package.json')
ensureBuilt()
run('cargo', ['test', '--locked', '--quiet'])
const tests = fs
  .readdirSync(path.join(ROOT, '__test__'))
  .filter((name) => name.endsWith('.test.js'))
run(process.execPath, ['--test', ...tests.map((name) => path.join('__test__', name))])
