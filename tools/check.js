'use strict'
// `npm run check`: format, lint, types, docs, fresh generated files, tests. All that CI does but
// the suites that have commands of their own.

const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, run, tool } = require('./run.js')

const node = (name, file, ...args) => run(process.execPath, [tool(name, file), ...args])
const cargo = (...args) => run('cargo', args)
const step = (name) => console.log(`\n== ${name}`)

step('format')
cargo('fmt', '--check')
node('oxfmt', 'bin/oxfmt', '--check', '.')

step('lint')
const deny = ['--locked', '--quiet', '--', '-D', 'warnings']
cargo('clippy', '--all-targets', ...deny)
cargo('clippy', '--features', 'node', ...deny)
cargo('clippy', '--features', 'panic-probe', ...deny)
node('oxlint', 'bin/oxlint', '--deny-warnings', '.')

step('documentation')
run(
  'cargo',
  ['doc', '--no-deps', '--locked', '--quiet', '--features', 'node', '--document-private-items'],
  {
    env: { RUSTDOCFLAGS: '-D warnings' },
  },
)

step('generated files are fresh')
// cargo-fuzz writes its lock file anew without a word.
const fuzz = path.join(ROOT, 'fuzz', 'Cargo.toml')
execFileSync('cargo', ['metadata', '--locked', '--format-version=1', '--manifest-path', fuzz], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
fresh('index.d.ts', () => run(process.execPath, [path.join(__dirname, 'build.js')]))
const { FILE, licenses } = require('./licenses.js')
fresh(path.relative(ROOT, FILE), () => fs.writeFileSync(FILE, licenses()))
fresh('COMPARE.md', () => run(process.execPath, [path.join(__dirname, 'compare.js'), '--write']))

step('package')
node('publint', 'src/cli.js', '--strict')
node('@arethetypeswrong/cli', 'dist/index.js', '--pack', '.')

// CI has run them already, as `npm test`.
if (!process.argv.includes('--without-tests')) {
  step('tests')
  require('./test.js')
}

/** Makes a committed file anew; it must come out as it is in git, or will be at the next commit. */
function fresh(name, make) {
  const file = path.join(ROOT, name)
  const before = fs.readFileSync(file, 'utf8')
  make()
  const made = fs.readFileSync(file, 'utf8')
  const show = spawnSync('git', ['show', `HEAD:${name}`], { cwd: ROOT, encoding: 'utf8' })
  const committed = process.env.CI && show.status === 0 ? show.stdout : before
  if (made === committed) return
  console.error(`${name} was not fresh; it is now. Commit it.`)
  process.exit(1)
}
