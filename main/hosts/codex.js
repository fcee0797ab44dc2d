'use strict'
// Codex as a host: its app-server asks by requests and in messages, over a connection that the app has.

const { warn } = require('../warn.js')
const { isObject } = require('./arguments.js')
const { isAsked } = require('./codex-message.js')
const { Messages } = require('./codex-messages.js')
const { isDeclined, isResult, toPositions, toRequest } = require('./codex-question.js')
const { Requests } = require('./codex-requests.js')
const { mistake } = require('./failure.js')
const { toCardResult, toForm } = require('./mcp-form.js')
const { Openings } = require('./openings.js')

const FEEDING = 'pass every message of the app-server to the listener, in its order'

/** How long a form is answered (milliseconds): MCP servers wait 60 s, and Codex does not say when they stop. */
const FORM_MS = 55_000

function createCodexHost(settings = {}) {
  const answerWithinMs = checkedAnswerWithin(settings)
  const openings = new Openings({ proof: 'host', feeding: FEEDING })

  return Object.freeze({
    ...openings.handle,

    connect(connection) {
      const { send, onMessage, shared } = checkedConnection(connection)
      const options = { send, shared, answerWithinMs }
      const parts = [new Requests(openings, options), new Messages(openings, options)]
      const end = (reason) => parts.forEach((part) => part.end(reason))
      let isConnected = true
      const hear = (message) => {
        if (!isConnected) return
        openings.heard()
        // Its ids begin anew, and what the last process asked is gone with it.
        if (isHello(message)) end('restarted')
        for (const part of parts) part.hear(message)
      }
      const stop = onMessage((message) => {
        try {
          hear(message)
        } catch (error) {
          warn('a message of the app-server was not understood', error)
        }
      })
      return () => {
        if (!isConnected) return
        isConnected = false
        end('disconnected')
        if (typeof stop === 'function') stop()
      }
    },

    asks(message) {
      try {
        return toRequest(Object(message))?.kind === 'question'
      } catch {
        // What cannot be read is not open here either.
        return false
      }
    },

    async answerOnDesktop(inputId, reply) {
      if (!Array.isArray(reply) && !isReply(reply)) {
        throw mistake('INVALID_REPLY', 'a reply must be a list of answers or one of Codex')
      }
      const original = openings.original(inputId)
      const isLabels = Array.isArray(reply) && original?.requestedSchema === undefined
      const isDropped =
        isLabels && isObject(original) && isAsked(original) && isOpen(reply, original)
      return openings.answerOnDesktop(
        inputId,
        isLabels && !isDropped ? reply : () => onCard(original, reply),
      )
    },

    original: (inputId) => structuredClone(openings.original(inputId)),
  })
}

/** An answer of the card that is not a list of labels; `null` where the host would not take it. */
function onCard(original, reply) {
  const by = { resolvedBy: { kind: 'desktop' } }
  if (isAsked(original)) return Array.isArray(reply) ? { declined: true, ...by } : null
  if (original.requestedSchema !== undefined) {
    const result = Array.isArray(reply) ? toCardResult(toForm(original), reply) : reply
    if (result === null || result.action === undefined) return null
    return { result, declined: result.action !== 'accept', ...by }
  }
  if (!isResult(reply)) return null
  const optionIndexes = toPositions(original, reply)
  return { result: reply, declined: isDeclined(reply), optionIndexes, ...by }
}

/** Whether each question of a message is left open. */
const isOpen = (reply, { questions }) =>
  reply.length === questions.length && reply.every((answer) => answer === null)

const isReply = (reply) =>
  isObject(reply) &&
  (isObject(reply.answers) || ['accept', 'decline', 'cancel'].includes(reply.action))

/** The reply to `initialize`: a process has begun. */
const isHello = ({ method, result }) =>
  method === undefined && typeof result?.userAgent === 'string' && 'codexHome' in result

function checkedAnswerWithin(settings) {
  if (!isObject(settings)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { answerWithinMs = FORM_MS } = settings
  if (typeof answerWithinMs === 'number' && answerWithinMs > 0) return answerWithinMs
  throw mistake('INVALID_ANSWER_WITHIN_MS', 'answerWithinMs must be a number above 0')
}

function checkedConnection(connection) {
  if (!isObject(connection)) throw mistake('INVALID_CONNECTION', 'a connection must be an object')
  const { send, onMessage, shared = false } = connection
  if (typeof send !== 'function') throw mistake('INVALID_SEND', 'send must be a function')
  if (typeof onMessage !== 'function') {
    throw mistake('INVALID_ON_MESSAGE', 'onMessage must be a function that takes a listener')
  }
  if (typeof shared !== 'boolean') throw mistake('INVALID_SHARED', 'shared must be a boolean')
  return { send, onMessage, shared }
}

module.exports = { createCodexHost }
