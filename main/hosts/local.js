'use strict'
// The agent host for apps whose agent runs in their own code, in this process or behind ports.

const { isObject } = require('./arguments.js')
const { connectAgent, connectDesktop, connectLocalHost } = require('./connect.js')
const { mistake } = require('./failure.js')
const { openJournal } = require('./journal.js')
const { LocalHost } = require('./local-host.js')
const { serveLocalHost } = require('./serve.js')

async function createLocalHost(options = {}) {
  if (!isObject(options)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { journal } = options
  if (journal === undefined) return new LocalHost(null, new Map())
  if (typeof journal !== 'string' || journal === '') {
    throw mistake('INVALID_JOURNAL', 'journal must be the name of a file')
  }
  const opened = openJournal(journal)
  return new LocalHost(opened.journal, opened.answers)
}

module.exports = {
  connectAgent,
  connectDesktop,
  connectLocalHost,
  createLocalHost,
  serveLocalHost,
}
