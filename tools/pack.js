'use strict'
// `node tools/pack.js PLATFORM FILE.node [FOLDER]`: puts a built binary into the package of its
// platform (a folder of npm/), with the licences, and packs it where a folder is named.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, run } = require('./run.js')

function pack(platform, binary, folder) {
  const target = path.join(ROOT, 'npm', platform)
  fs.copyFileSync(binary, path.join(target, `spoken-answer.${platform}.node`))
  for (const name of ['LICENSE', 'THIRD_PARTY_LICENSES.md']) {
    fs.copyFileSync(path.join(ROOT, name), path.join(target, name))
  }
  if (folder)
    run('npm', ['pack', '--silent', '--pack-destination', path.resolve(folder)], { cwd: target })
}

if (require.main === module) {
  const [platform, binary, folder] = process.argv.slice(2)
  if (!binary) {
    console.error('usage: node tools/pack.js PLATFORM FILE.node [FOLDER]')
    process.exit(2)
  }
  pack(platform, binary, folder)
}
module.exports = { pack }
