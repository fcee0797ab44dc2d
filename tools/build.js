'use strict'
// `npm run build`: the addon for this machine and index.d.ts.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ROOT, builtAddon, run, tool } = require('./run.js')

/** No path of this machine ends up in the binary: panic messages name files. */
function flags() {
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  const given = process.env.RUSTFLAGS?.split(' ').filter(Boolean) ?? []
  return [
    ...given,
    `--remap-path-prefix=${cargo}=/cargo`,
    `--remap-path-prefix=${ROOT}=/spoken-answer`,
  ]
}

const ENV = { RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: flags().join('\x1f') }

function build() {
  const napi = tool('@napi-rs/cli', 'dist/cli.js')
  const args = [
    'build',
    '--platform',
    '--release',
    '--no-js',
    '--dts',
    'index.d.ts',
    '--features',
    'node',
  ]
  run(process.execPath, [napi, ...args], { env: ENV })
  hideInternals(path.join(ROOT, 'index.d.ts'))
  // Cargo keeps the time of an unchanged file; the build is as new as this run.
  const now = new Date()
  fs.utimesSync(builtAddon(), now, now)
}

/** Classes for the drivers in main/ only are no part of the types; napi-rs has no way to say so. */
function hideInternals(file) {
  const types = fs.readFileSync(file, 'utf8')
  const internal =
    /^\/\*\*\n(?: \*.*\n)*? \* @internal\n \*\/\nexport declare class \w+ \{(?:\n[^]*?^)?\}\n\n/gm
  fs.writeFileSync(file, types.replace(internal, ''))
}

if (require.main === module) build()
module.exports = { ENV }
