'use strict'
// `npm run test:electron`: the addon in a real Electron.
//
// Where ELECTRON_OVERRIDE_DIST_PATH names an Electron, that one is used and none is downloaded.

const path = require('node:path')
const { ROOT, ensureBuilt, run } = require('./run.js')

ensureBuilt()
const cwd = path.join(ROOT, 'e2e')
const given = process.env.ELECTRON_OVERRIDE_DIST_PATH
run('npm', ['ci'], { cwd, env: given ? { ELECTRON_SKIP_BINARY_DOWNLOAD: '1' } : {} })
run(process.execPath, ['--test', 'electron.test.js'], { cwd })
