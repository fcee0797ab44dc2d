'use strict'
// Compiles a way that is written in TypeScript, with its types checked, and loads it.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { run, tool } = require('../run.js')

const OPTIONS = ['--strict', '--module', 'node16', '--target', 'es2022', '--types', 'node']

async function load(file) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-compare-'))
  try {
    run(process.execPath, [tool('typescript', 'bin/tsc'), ...OPTIONS, '--outDir', folder, file])
    const made = path.join(folder, path.basename(file).replace('.mts', '.mjs'))
    return await import(pathToFileURL(made).href)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

module.exports = { load }
