'use strict'
// A local host in a child process, as tests of faults see it.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const HOST = path.join(__dirname, 'fixtures', 'host-process.js')

/** Starts the process, which asks its question at once; `onTold` hears what the agent was told. */
function startHost(journal, inputId, onTold) {
  const child = fork(HOST, [journal, inputId], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('message', ({ told }) => told && onTold(told))
  return child
}

async function killHost(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** The lines of a journal by which inputs were answered. */
function answersIn(journal) {
  const lines = fs.readFileSync(journal, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'input.resolved')
}

/** Waits for what other processes bring about, however slow this machine is. */
async function eventually(holds, between, what) {
  const deadline = Date.now() + 30_000
  while (!holds()) {
    assert.ok(Date.now() < deadline, `${what}: nothing happens`)
    await new Promise((resolve) => setTimeout(resolve, 2))
    await between?.()
  }
}

module.exports = { answersIn, eventually, killHost, startHost }
