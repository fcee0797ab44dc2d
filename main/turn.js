'use strict'
// `runTurn`: what the calling program got wrong is said before anything starts; values are checked in
// Rust. What it passes is read once.

const { copied } = require('./message.js')
const { mistake } = require('./mistake.js')
const { hasMethod, isObject, own } = require('./own.js')
const { systemClock } = require('./clock.js')
const { Runner } = require('./runner.js')

/** One runner for each app's sessions: rooms are theirs. */
const runners = new WeakMap()

const OPTIONS = ['plan', 'room', 'message', 'sessions', 'say', 'signal', 'grants', 'budget']

function runTurn(options) {
  const given = checked(own(options, [...OPTIONS, 'remember', 'clock']))
  const { sessions, clock = systemClock } = given
  if (!runners.has(sessions)) runners.set(sessions, new Runner(sessions, clock))
  return runners.get(sessions).run({ ...given, message: copied(given.message) })
}

function checked(options) {
  if (!isObject(options)) throw invalid('(all)')
  const { sessions, say, signal, grants, remember, clock } = options
  for (const name of ['shared', 'oneShot']) {
    if (!hasMethod(sessions, name)) throw invalid(`sessions.${name}`)
  }
  if (typeof say !== 'function') throw invalid('say')
  for (const name of signal === undefined ? [] : ['addEventListener', 'removeEventListener']) {
    if (!hasMethod(signal, name)) throw invalid('signal')
  }
  if (grants !== undefined && typeof grants !== 'function') throw invalid('grants')
  if (remember !== undefined && typeof remember !== 'boolean') throw invalid('remember')
  for (const name of clock === undefined ? [] : Object.keys(systemClock)) {
    if (!hasMethod(clock, name)) throw invalid(`clock.${name}`)
  }
  return options
}

function invalid(option) {
  const message = `the option ${option} of a turn is missing or of another type`
  return mistake('INVALID_OPTION', message)
}

module.exports = { runTurn }
