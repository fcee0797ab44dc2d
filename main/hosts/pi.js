'use strict'
// Pi in RPC mode as a host: its tools ask by dialogs, over a connection that the app has.

const path = require('node:path')
const { warn } = require('../warn.js')
const { isId, isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')
const { handOver } = require('./hand-over.js')
const { checkedOnSession, tellSession } = require('./on-session.js')
const { Openings } = require('./openings.js')
const { createPiConnection } = require('./pi-connection.js')
const { Dialogs } = require('./pi-dialogs.js')

const FEEDING = 'pass every frame of Pi to the listener, in its order'

/** Our extension, for Pi's option `-e`. */
const piExtension = path.join(__dirname, 'pi-ask.mjs')

function createPiHost(settings = {}) {
  const onSession = checkedOnSession(settings)
  const askTools = checkedAskTools(settings)
  const openings = new Openings({ proof: 'host', feeding: FEEDING })
  const connections = new Set()
  /** What was passed to `connect`, as it was. */
  const connected = new Set()

  return Object.freeze({
    ...openings.handle,

    connect(connection) {
      const { send, onFrame, onEnd } = checkedConnection(connection, connected)
      const dialogs = new Dialogs(openings, {
        send: (frame) => handOver(send, frame),
        onSession: (sessionId) => tellSession(onSession, sessionId),
        feeding: FEEDING,
        askTools,
      })
      connections.add(dialogs)
      const stop = onFrame((frame) => {
        try {
          if (!connections.has(dialogs)) return
          openings.heard()
          dialogs.hear(frame)
        } catch (error) {
          warn('a frame of Pi was not understood', error)
        }
      })
      connected.add(connection)
      const stops = [stop]
      const disconnect = () => {
        if (!connections.delete(dialogs)) return
        connected.delete(connection)
        dialogs.close()
        for (const one of stops) if (typeof one === 'function') one()
      }
      dialogs.begin()
      stops.push(onEnd?.(disconnect))
      return disconnect
    },

    asks: (frame) => [...connections].some((dialogs) => dialogs.asks(Object(frame).id)),

    decided(id) {
      if (typeof id !== 'string' || id === '')
        throw mistake('INVALID_ID', 'an id must be the one of a dialog')
      for (const dialogs of connections) dialogs.decided(id)
    },

    async answerOnDesktop(inputId, reply) {
      if (!Array.isArray(reply) && Object(reply).cancelled !== true) {
        throw mistake('INVALID_REPLY', 'a reply must be a list of answers, or { cancelled: true }')
      }
      const original = openings.original(inputId)
      const isLabels = Array.isArray(reply) && (!isSelect(original) || isOffered(reply, original))
      const declined = !Array.isArray(reply)
      const none = () => (declined ? { declined, resolvedBy: { kind: 'desktop' } } : null)
      return openings.answerOnDesktop(inputId, isLabels ? reply : none)
    },

    original: (inputId) => structuredClone(openings.original(inputId)),
  })
}

const isSelect = (original) => original?.dialog.method === 'select'

/** A tool that asks by a plain dialog takes anything, and expects one of its options. */
const isOffered = ([answer], { dialog }) =>
  Array.isArray(answer) && answer.every((label) => dialog.options.includes(label))

function checkedAskTools({ askTools = [] }) {
  if (Array.isArray(askTools) && Array.from(askTools).every(isId)) return new Set(askTools)
  throw mistake('INVALID_ASK_TOOLS', 'askTools must be a list of names of tools')
}

function checkedConnection(connection, connected) {
  if (!isObject(connection)) throw mistake('INVALID_CONNECTION', 'a connection must be an object')
  // Each frame would count twice, and each answer would be given twice.
  if (connected.has(connection)) throw mistake('INVALID_CONNECTION', 'it is connected already')
  if (connection.stdin !== undefined) return createPiConnection(connection)
  const { send, onFrame, onEnd } = connection
  if (typeof send !== 'function') throw mistake('INVALID_SEND', 'send must be a function')
  if (typeof onFrame !== 'function') {
    throw mistake('INVALID_ON_FRAME', 'onFrame must be a function that takes a listener')
  }
  if (onEnd !== undefined && typeof onEnd !== 'function') {
    throw mistake('INVALID_ON_END', 'onEnd must be a function that takes a listener')
  }
  return { send, onFrame, onEnd }
}

module.exports = { createPiConnection, createPiHost, piExtension }
