'use strict'
// `node tools/release-build.js PLATFORM TARGET`: the binary that is published for one target, beside
// addon.js. On Linux it is linked with zig, which knows the symbols of glibc 2.17 (needs python3
// with venv, and objdump).

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ENV } = require('./build.js')
const { ROOT, run } = require('./run.js')

/** The glibc of the oldest system that Electron 25 runs on. */
const GLIBC = '2.17'

/** Builds for a target; returns the file. */
function releaseBuild(target) {
  const linux = target.endsWith('-linux-gnu')
  const folder = path.join(ROOT, 'target', 'release-build')
  const args = ['--release', '--locked', '--features', 'node', '--target-dir', folder, '--target']
  if (linux) run('cargo', ['zigbuild', ...args, `${target}.${GLIBC}`], { env: zig() })
  else run('cargo', ['build', ...args, target], { env: ENV })
  const names = ['libspoken_answer.so', 'libspoken_answer.dylib', 'spoken_answer.dll']
  const built = names.map((name) => path.join(folder, target, 'release', name))
  const file = built.find((name) => fs.existsSync(name))
  checkBinary(file, linux)
  return file
}

/** No path of this machine and, on Linux, no symbol of a newer glibc. */
function checkBinary(file, linux) {
  const bytes = fs.readFileSync(file)
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  const rustup = process.env.RUSTUP_HOME ?? path.join(os.homedir(), '.rustup')
  for (const name of [ROOT, os.homedir(), cargo, rustup, os.hostname()]) {
    // A name as short as "/" is in every file; a home like that is no trace.
    if (name.length >= 4) assert.ok(!bytes.includes(name), `the binary names ${name}`)
  }
  const glibc = linux ? `, glibc 2.${newestGlibc(file)}` : ''
  console.log(`binary: ${bytes.length} bytes${glibc}, no path of this machine`)
}

function newestGlibc(file) {
  const symbols = execFileSync('objdump', ['-T', file], { encoding: 'utf8' })
  const minors = [...symbols.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  const newest = Math.max(...minors)
  assert.ok(newest <= Number(GLIBC.split('.')[1]), `needs glibc 2.${newest}`)
  return newest
}

/** cargo-zigbuild and zig, installed in a virtual environment of their own. */
function zig() {
  const venv = path.join(ROOT, 'target', 'zig-venv')
  if (!fs.existsSync(path.join(venv, 'bin', 'cargo-zigbuild'))) {
    run('python3', ['-m', 'venv', venv])
    const packages = ['ziglang==0.17.1', 'cargo-zigbuild==0.24.1']
    run(path.join(venv, 'bin', 'pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      ...packages,
    ])
  }
  return { ...ENV, PATH: `${path.join(venv, 'bin')}:${process.env.PATH}` }
}

if (require.main === module) {
  const [platform, target] = process.argv.slice(2)
  if (!target) {
    console.error('usage: node tools/release-build.js PLATFORM TARGET')
    process.exit(2)
  }
  fs.copyFileSync(releaseBuild(target), path.join(ROOT, `spoken-answer.${platform}.node`))
}
module.exports = { GLIBC, releaseBuild }
