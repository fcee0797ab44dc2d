'use strict'
// OpenCode as a host: its server asks in a stream of events, and is answered over HTTP.

const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')
const { followEvents } = require('./opencode-events.js')
const { Requests } = require('./opencode-requests.js')
const { Server } = require('./opencode-server.js')
const { Openings } = require('./openings.js')

const FEEDING = 'connect with the URL, the directory and the headers that the server takes'

function createOpenCodeHost() {
  const openings = new Openings({ proof: 'host', feeding: FEEDING })

  return Object.freeze({
    ...openings.handle,

    connect(connection) {
      const server = new Server(checkedConnection(connection))
      const requests = new Requests(openings, server)
      const stop = followEvents(server, {
        feeding: FEEDING,
        onOpen: () => requests.read(),
        onEvent: (event) => {
          openings.heard()
          try {
            requests.hear(event)
          } catch (error) {
            warn('an event of an OpenCode server was not understood', error)
          }
        },
      })
      return () => {
        stop()
        requests.end()
        server.end()
      }
    },

    async answerOnDesktop(inputId, reply) {
      if (!Array.isArray(reply) && reply !== null) {
        throw mistake('INVALID_REPLY', 'a reply must be a list of answers, or null to decline')
      }
      const declined = () => ({ declined: true, resolvedBy: { kind: 'desktop' } })
      return openings.answerOnDesktop(inputId, reply ?? declined)
    },

    original: (inputId) => structuredClone(openings.original(inputId)),
  })
}

function checkedConnection(connection) {
  if (!isObject(connection)) throw mistake('INVALID_CONNECTION', 'a connection must be an object')
  const { baseUrl, directory, headers, fetch = globalThis.fetch } = connection
  if (typeof fetch !== 'function') throw mistake('INVALID_FETCH', 'fetch must be a function')
  if (directory !== undefined && (typeof directory !== 'string' || directory === '')) {
    throw mistake('INVALID_DIRECTORY', 'directory must be a path')
  }
  return { baseUrl: checkedUrl(baseUrl), directory, headers: checkedHeaders(headers), fetch }
}

function checkedUrl(baseUrl) {
  try {
    const { protocol, username, password, origin, pathname, search, hash } = new URL(baseUrl)
    const isPlain = `${username}${password}${search}${hash}` === ''
    if (isPlain && ['http:', 'https:'].includes(protocol))
      return `${origin}${pathname.replace(/\/+$/, '')}`
  } catch {}
  throw mistake(
    'INVALID_BASE_URL',
    'baseUrl must be the URL of a server; a password is for headers',
  )
}

function checkedHeaders(headers) {
  try {
    return new Headers(headers)
  } catch (cause) {
    throw mistake('INVALID_HEADERS', 'headers must be those of a request', cause)
  }
}

module.exports = { createOpenCodeHost }
