'use strict'
// What an app is told of the session's id, where only the host knows it.

const { isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')
const { call } = require('./watchers.js')

function checkedOnSession(settings) {
  if (!isObject(settings)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { onSession = () => {} } = settings
  if (typeof onSession === 'function') return onSession
  throw mistake('INVALID_ON_SESSION', 'onSession must be a function')
}

/** What the app does with it is its own affair. */
const tellSession = (onSession, sessionId) => call('onSession failed', onSession, sessionId)

module.exports = { checkedOnSession, tellSession }
