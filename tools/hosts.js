'use strict'
// `npm run test:hosts`: the adapters on the real agent hosts, against scripted models on loopback.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, ensureBuilt, run, tool } = require('./run.js')

ensureBuilt()
const cwd = path.join(ROOT, 'e2e', 'hosts')
run('npm', ['ci', '--ignore-scripts', '--silent', '--no-audit', '--no-fund'], { cwd })
const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck']
const modern = [
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2022,esnext.disposable,dom',
]
run(process.execPath, [tool('typescript', 'bin/tsc'), ...options, ...modern, 'types.mts'], { cwd })
const tests = fs
  .readdirSync(cwd, { recursive: true })
  .filter((name) => name.endsWith('.test.js') && !name.includes('node_modules'))
run(process.execPath, ['--test', '--test-concurrency=1', ...tests.sort()], { cwd })
