'use strict'
// The options of a live call. What the calling program got wrong is said before anything starts; values
// are checked in Rust.

const { systemClock } = require('./clock.js')

function invalid(option) {
  const error = new TypeError(`the option ${option} of a live call is missing or of another type`)
  return Object.assign(error, { code: 'INVALID_OPTION' })
}

function checked(options) {
  const isFunction = (value) => typeof value === 'function'
  const isOptional = (value) => value === undefined || isFunction(value)
  if (options === null || typeof options !== 'object') throw invalid('(all)')
  const { host, voice, session, classify, journal, clock } = options
  for (const name of ['watch', 'openInputs', 'resolveInput', 'settlement']) {
    if (!isFunction(host?.[name])) throw invalid(`host.${name}`)
  }
  if (!isFunction(voice?.deliver)) throw invalid('voice.deliver')
  if (typeof session !== 'object') throw invalid('session')
  if (!isOptional(classify)) throw invalid('classify')
  if (journal !== undefined && !isFunction(journal?.append)) throw invalid('journal.append')
  for (const name of clock === undefined ? [] : Object.keys(systemClock)) {
    if (!isFunction(clock?.[name])) throw invalid(`clock.${name}`)
  }
  for (const name of ['onOperation', 'onPending', 'onForward']) {
    if (!isOptional(options[name])) throw invalid(name)
  }
  return options
}

module.exports = { checked }
