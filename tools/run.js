'use strict'
// What every command of this repository needs: run a program, and have a build.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')

/** Runs a program in the repository; the command fails where the program does. */
function run(program, args, { cwd = ROOT, env, stdio = 'inherit' } = {}) {
  const shell = process.platform === 'win32' && program === 'npm'
  const done = spawnSync(program, args, { cwd, stdio, shell, env: { ...process.env, ...env } })
  if (done.error) {
    console.error(`${program} could not be started: ${done.error.message}`)
    process.exit(1)
  }
  if (done.status !== 0) {
    console.error(`failed: ${program} ${args.join(' ')}`)
    process.exit(done.status ?? 1)
  }
}

/** A development tool, installed where it is not yet. */
function tool(name, file) {
  const found = path.join(ROOT, 'node_modules', name, file)
  // Messages of a build never mix with what the command itself prints.
  if (!fs.existsSync(found)) run('npm', ['ci'], { stdio: ['ignore', 2, 2] })
  return found
}

/** The addon for this machine, beside addon.js; undefined where it is not built. */
function builtAddon() {
  const start = `spoken-answer.${process.platform}-${process.arch}`
  const name = fs.readdirSync(ROOT).find((file) => file.startsWith(start) && file.endsWith('.node'))
  return name && path.join(ROOT, name)
}

/** Builds the addon where it is missing or older than what it is made of. */
function ensureBuilt() {
  const built = builtAddon()
  const age = built ? fs.statSync(built).mtimeMs : 0
  const sources = ['src', 'build.rs', 'Cargo.toml', 'Cargo.lock', 'types/header.d.ts']
  if (sources.some((name) => newest(path.join(ROOT, name)) > age)) {
    run(process.execPath, [path.join(__dirname, 'build.js')], { stdio: ['ignore', 2, 2] })
  }
}

function newest(file) {
  const stat = fs.statSync(file)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(...fs.readdirSync(file).map((name) => newest(path.join(file, name))))
}

module.exports = { ROOT, run, tool, builtAddon, ensureBuilt }
