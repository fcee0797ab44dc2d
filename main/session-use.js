'use strict'
// What a session is used for, whoever runs it: one room's by one runner, or one turn's. Any other use
// is none that a turn may make of it.

/** By session; in the whole process, because an app can have several runners. */
const uses = new WeakMap()
const ONE_TURN = Object.freeze({})
const METHODS = ['machineTools', 'prompt', 'abort', 'dispose']

/** Whether the session can be this room's, in this runner. */
function claimForRoom(session, runner, room) {
  const known = uses.get(session)
  if (known === undefined) uses.set(session, { runner, room })
  return known === undefined || (known.runner === runner && known.room === room)
}

/** Whether the session can be of one turn. */
function claimForTurn(session) {
  const isNew = !uses.has(session)
  if (isNew) uses.set(session, ONE_TURN)
  return isNew
}

/** It is being disposed of: nobody else's any more. */
function retire(session) {
  uses.set(session, ONE_TURN)
}

/** Whether a session holds machine tools; one that does not say so plainly is taken to. */
function holdsTools(session) {
  try {
    const names = session.machineTools()
    return !Array.isArray(names) || names.length !== 0
  } catch {
    return true
  }
}

function checkedSession(session) {
  for (const name of METHODS) {
    if (typeof session?.[name] !== 'function') throw new TypeError(`a session has no ${name}()`)
  }
  return session
}

module.exports = { checkedSession, claimForRoom, claimForTurn, holdsTools, retire }
