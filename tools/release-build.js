'use strict'
// `node tools/release-build.js PLATFORM TARGET`: the binary that is published for one target, beside
// index.js. On Linux it is linked with zig, which knows the symbols of glibc 2.17.

const fs = require('node:fs')
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
  return built.find((file) => fs.existsSync(file))
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
