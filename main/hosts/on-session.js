'use strict'
// What an app is told of the session's id, where only the host knows it.

const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')

function checkedOnSession(settings) {
  if (!isObject(settings)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { onSession = () => {} } = settings
  if (typeof onSession === 'function') return onSession
  throw mistake('INVALID_ON_SESSION', 'onSession must be a function')
}

/** What the app does with it is its own affair. */
function tellSession(onSession, sessionId) {
  const failed = (error) => warn('onSession failed', error)
  try {
    Promise.resolve(onSession(sessionId)).catch(failed)
  } catch (error) {
    failed(error)
  }
}

module.exports = { checkedOnSession, tellSession }
