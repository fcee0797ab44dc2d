'use strict'
// The Claude Agent SDK as a host: its questions arrive as requests for permission to use a tool, an
// answer is what that callback returns, and the stream of messages proves that it arrived.

const { warn } = require('../warn.js')
const { onAbort } = require('./aborted.js')
const { isId, isObject } = require('./arguments.js')
const {
  areSame,
  isTurnEnd,
  kindOf,
  toCalls,
  toPositions,
  toQuestions,
  toReply,
  toResults,
} = require('./claude-question.js')
const { mistake } = require('./failure.js')
const { checkedOnSession, tellSession } = require('./on-session.js')
const { Openings } = require('./openings.js')
const { whileShown } = require('./shown.js')

const FEEDING = 'pass every message of the query to onMessage, in its order'

/** How long the stream may take to say which session it is of (milliseconds). */
const SESSION_MS = 5_000

/** What the callback returns where nobody will answer: nothing is sent. */
const WITHDRAWN = null

function createClaudeHost(settings = {}) {
  const onSession = checkedOnSession(settings)
  const openings = new Openings({ proof: 'host', feeding: FEEDING })
  let sessionId = null
  /** What waits for the session's id. */
  const early = new Set()
  /** The calls of the ask tool of the turn that the stream is at. */
  const called = new Set()

  /** Calls `open` once the session is known; returns how to call that off. */
  function inSession(open) {
    if (sessionId !== null) {
      open(sessionId)
      return () => {}
    }
    const late = () => warn('the session of a question is not known', FEEDING)
    const timer = setTimeout(late, SESSION_MS)
    timer.unref?.()
    const entry = () => {
      forget()
      open(sessionId)
    }
    const forget = () => {
      clearTimeout(timer)
      early.delete(entry)
    }
    early.add(entry)
    return forget
  }

  /** Asks the user; what it gives is what the host's callback returns. */
  function ask(request, { toolUseID, requestId, signal }) {
    // A copy: what is answered is what was asked, whatever is done to the request meanwhile.
    const { questions } = structuredClone(request)
    const original = { questions, toolUseID }
    let stop
    const asking = new Promise((resolve) => {
      let inputId
      const opened = (id) => (inputId = id)
      const withdraw = () => resolve(WITHDRAWN)
      const handOver = ({ reply, answers }) => resolve(reply ?? toReply(original, answers))
      const forget = inSession((session) => {
        const input = { kind: 'question', id: requestId, sessionId: session }
        const asked = { ...input, questions: toQuestions(original) }
        openings.open(asked, original, { opened, handOver, withdraw })
      })
      stop = onAbort(signal, () => {
        forget()
        if (inputId === undefined) withdraw()
        else openings.cancel(inputId, 'aborted')
      })
    })
    asking.then(() => stop())
    return asking
  }

  /** Shows that something waits which is not for the voice, while the app decides it. */
  function show(kind, { requestId, signal }, decide) {
    let inputId
    let forget = () => {}
    const opened = (id) => (inputId = id)
    const open = () => {
      forget = inSession((session) => {
        openings.open({ kind, id: requestId, sessionId: session }, undefined, { opened })
      })
    }
    const close = () => {
      forget()
      if (inputId !== undefined) openings.cancel(inputId, 'decided')
    }
    return whileShown({ open, close }, signal, decide)
  }

  /** What a result of a tool says about the question that was asked with it. */
  function hear({ toolUseID, isError, answers }) {
    for (const inputId of openings.find((original) => original?.toolUseID === toolUseID)) {
      const given = openings.given(inputId)
      if (isError) {
        if (given?.declined) openings.proved(inputId)
        else openings.refused(inputId)
      } else if (given !== null && areSame(sentIn(given, openings.original(inputId)), answers)) {
        openings.proved(inputId)
      } else if (isObject(answers)) {
        openings.answeredElsewhere(inputId, toPositions(openings.original(inputId), answers))
      } else if (given === null) {
        openings.answeredElsewhere(inputId)
      }
    }
  }

  function understand(message) {
    if (isId(message.session_id) && message.session_id !== sessionId) {
      sessionId = message.session_id
      tellSession(onSession, sessionId)
      for (const open of early) open()
    }
    for (const toolUseID of toCalls(message)) called.add(toolUseID)
    for (const result of toResults(message)) hear(result)
    // What a turn was told has been said by its end. The app may be late, and answer one of the next
    // turn before it has read that this one is over.
    if (!isTurnEnd(message)) return
    openings.lost((original) => called.has(original?.toolUseID))
    called.clear()
  }

  return Object.freeze({
    ...openings.handle,

    canUseTool(fallback) {
      if (typeof fallback !== 'function') {
        throw mistake('INVALID_FALLBACK', 'fallback must be the function that decides about tools')
      }
      return async (toolName, input, options) => {
        const kind = kindOf(toolName, input, options)
        if (kind === 'question') return ask(input, options ?? {})
        return show(kind, options ?? {}, () => fallback(toolName, input, options))
      }
    },

    onMessage(message) {
      if (!isObject(message)) throw mistake('INVALID_MESSAGE', 'a message must be an object')
      openings.heard()
      try {
        understand(message)
      } catch (error) {
        warn('a message of the query was not understood', error)
      }
    },

    async answerOnDesktop(inputId, reply) {
      if (!Array.isArray(reply) && !isReply(reply)) {
        throw mistake('INVALID_REPLY', 'a reply must be a list of answers or one of the SDK')
      }
      const answer = Array.isArray(reply) ? reply : (original) => asItIs(original, reply)
      return openings.answerOnDesktop(inputId, answer)
    },

    original: (inputId) => structuredClone(openings.original(inputId)),
  })
}

const isReply = (reply) => isObject(reply) && ['allow', 'deny'].includes(reply.behavior)

/** The app's own reply of its card, unchanged. */
function asItIs(original, reply) {
  const optionIndexes = toPositions(original, reply.updatedInput?.answers)
  const declined = reply.behavior === 'deny'
  return { reply, declined, optionIndexes, resolvedBy: { kind: 'desktop' } }
}

/** The answers that went to the host. */
function sentIn({ reply, answers }, original) {
  const { updatedInput } = reply ?? toReply(original, answers)
  return updatedInput?.answers ?? {}
}

module.exports = { createClaudeHost }
