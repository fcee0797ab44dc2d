'use strict'
// The Claude Agent SDK's side, faked: it asks the callback for permission, takes what it returns, and
// says in the stream of messages what the tool said then, as the real one does.

const { createClaudeHost } = require('../main/hosts/claude.js')

const SESSION = 'session-1'
const INIT = { type: 'system', subtype: 'init', session_id: SESSION }

/** A question of the ask tool. */
const asked = (question, labels, more) => ({
  question,
  header: 'Choice',
  multiSelect: false,
  options: labels.map((label) => ({ label, description: '' })),
  ...more,
})

/** The message of the model that holds its call of the ask tool. */
const toolCall = (id) => ({
  type: 'assistant',
  session_id: SESSION,
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'AskUserQuestion' }] },
})

/** The message that holds the result of a tool. */
const result = (toolUseID, { answers, isError = false }) => ({
  type: 'user',
  session_id: SESSION,
  message: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: toolUseID, ...(isError ? { is_error: true } : {}) },
    ],
  },
  ...(answers === undefined ? {} : { tool_use_result: { answers } }),
})

/**
 * A session. `replies` holds what the callback returned; `feed` stands between the stream and the app,
 * and may hold messages back.
 */
function claudeSide({ fallback = async () => ({ behavior: 'deny', message: 'No.' }), feed } = {}) {
  const host = createClaudeHost()
  const pass = feed ?? ((message) => host.onMessage(message))
  const replies = []
  const canUseTool = host.canUseTool(fallback)
  let last = 0
  function use(toolName, input, more) {
    const toolUseID = `toolu_${++last}`
    const abort = new AbortController()
    const options = { signal: abort.signal, toolUseID, requestId: `request-${last}`, ...more }
    const over = (async () => {
      const reply = await canUseTool(toolName, input, options)
      if (reply === null || abort.signal.aborted) return reply
      replies.push(reply)
      const isError = reply.behavior === 'deny'
      pass(
        result(toolUseID, { answers: isError ? undefined : reply.updatedInput?.answers, isError }),
      )
      return reply
    })()
    return { inputId: options.requestId, toolUseID, over, abort: () => abort.abort() }
  }
  const ask = (questions, more) => use('AskUserQuestion', { questions }, more)
  return { host, pass, replies, use, ask }
}

module.exports = { INIT, SESSION, asked, claudeSide, result, toolCall }
