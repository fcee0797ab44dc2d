'use strict'
// `npm run compare -- [--write]`: twenty scenarios, each played to four ways of answering a question by
// voice, and what was wrong. Exits with 1 where COMPARE.md has other tables; `--write` puts them there.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT, ensureBuilt } = require('./run.js')

ensureBuilt()
const { compare } = require('./compare/ways.js')
const { tables, withTables } = require('./compare/page.js')

const FILE = path.join(ROOT, 'COMPARE.md')

async function main() {
  const made = tables(await compare())
  const before = fs.readFileSync(FILE, 'utf8')
  const page = withTables(before, made)
  if (process.argv.includes('--write')) return fs.writeFileSync(FILE, page)
  console.log(Object.values(made).join('\n'))
  if (page === before) return
  console.error('COMPARE.md has other tables; npm run compare -- --write puts these there.')
  process.exitCode = 1
}

main()
