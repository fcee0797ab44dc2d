'use strict'
// MCP servers that ask by elicitation, through the client of the app. What the request handler returns is
// the answer, and a server never says that it has it.

const { randomUUID } = require('node:crypto')
const { onAbort } = require('./aborted.js')
const { checkedId, isObject } = require('./arguments.js')
const { mistake } = require('./failure.js')
const { fits, kindOf, toCardResult, toForm, toQuestions, toResult } = require('./mcp-form.js')
const { Openings } = require('./openings.js')
const { whileShown } = require('./shown.js')

/**
 * How long an answer is taken (milliseconds). Servers wait 60 s by default, do not always say when they
 * stop, and drop what comes later in silence; the rest is for the way.
 */
const ANSWER_MS = 55_000

/** What is returned where nobody will answer. */
const DISMISSED = { action: 'cancel' }

const FEEDING = 'a server never says that it has an answer'

function createMcpHost(options) {
  const { sessionId, answerWithinMs } = checkedOptions(options)
  const openings = new Openings({ proof: 'none', feeding: FEEDING })

  /** Asks the user; what it gives is what the request handler returns. */
  function ask(params, id, signal) {
    // A copy: what is answered is what was asked.
    const original = structuredClone(params)
    const form = toForm(original)
    let stop
    const asking = new Promise((resolve) => {
      const asked = {
        kind: 'question',
        id,
        sessionId,
        questions: toQuestions(form),
        expiresAt: answerWithinMs === Infinity ? undefined : Date.now() + answerWithinMs,
      }
      const inputId = openings.open(asked, original, {
        handOver: ({ result, optionIndexes }) => resolve(result ?? toResult(form, optionIndexes)),
        withdraw: () => resolve(DISMISSED),
        fits: (optionIndexes) => fits(form, optionIndexes),
      })
      stop = onAbort(signal, () => openings.cancel(inputId, 'aborted'))
    })
    asking.then(() => stop())
    return asking
  }

  /** Shows that something waits which is not for the voice, while the app decides it. */
  function show(kind, id, signal, decide) {
    let inputId
    const opened = (one) => (inputId = one)
    const open = () => openings.open({ kind, id, sessionId }, undefined, { opened })
    const close = () => openings.cancel(inputId, 'decided')
    return whileShown({ open, close }, signal, decide)
  }

  return Object.freeze({
    ...openings.handle,

    onElicit(fallback) {
      if (typeof fallback !== 'function') {
        throw mistake('INVALID_FALLBACK', 'fallback must be the function that answers other forms')
      }
      // Every connection counts its requests from 0.
      const connection = randomUUID()
      return async (request, extra) => {
        const params = request?.params
        const { requestId, signal } = aboutRequest(extra)
        const id = `${connection}:${JSON.stringify(requestId)}`
        const kind = kindOf(params)
        if (kind === 'question') return ask(params, id, signal)
        return show(kind, id, signal, () => fallback(request, extra))
      }
    },

    async answerOnDesktop(inputId, reply) {
      if (!Array.isArray(reply) && !isResult(reply)) {
        throw mistake('INVALID_REPLY', 'a reply must be a list of answers or a result of MCP')
      }
      return openings.answerOnDesktop(inputId, (original) => {
        const result = Array.isArray(reply) ? toCardResult(toForm(original), reply) : reply
        const declined = result?.action !== 'accept'
        return result === null ? null : { result, declined, resolvedBy: { kind: 'desktop' } }
      })
    },

    original: (inputId) => structuredClone(openings.original(inputId)),
  })
}

/** What a client says of a request: the first version of the SDK, and the second. */
function aboutRequest(extra) {
  const { id: requestId, signal } = extra?.mcpReq ?? {}
  return extra?.mcpReq === undefined ? { ...extra } : { requestId, signal }
}

const isResult = (reply) =>
  isObject(reply) && ['accept', 'decline', 'cancel'].includes(reply.action)

function checkedOptions(options) {
  if (!isObject(options)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { sessionId, answerWithinMs = ANSWER_MS } = options
  checkedId(sessionId, 'INVALID_SESSION_ID')
  if (typeof answerWithinMs !== 'number' || !(answerWithinMs > 0)) {
    throw mistake('INVALID_ANSWER_WITHIN_MS', 'answerWithinMs must be a number above 0')
  }
  return { sessionId, answerWithinMs }
}

module.exports = { createMcpHost }
