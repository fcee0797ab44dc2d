'use strict'
// A scripted model on loopback that speaks OpenAI's chat completions: for each request it says what
// `script` says, a text or a list of tool calls.

const { serveModel } = require('../model.js')

/** A tool that the model calls. */
const calls = (id, name, args) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

/** Starts it; `requests` holds what was asked of it, oldest first. */
async function startModel(script) {
  const requests = []
  const { url, close } = await serveModel('/v1/chat/completions', (body, response) => {
    const said = script(body, requests.length)
    requests.push(body)
    answer(response, body, said)
  })
  return { url: `${url}/v1`, requests, close }
}

function answer(response, { model }, said) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choices, usage) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model, choices, usage }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const isText = typeof said === 'string'
  const delta = isText
    ? { role: 'assistant', content: said }
    : { role: 'assistant', tool_calls: said.map((call, index) => ({ index, ...call })) }
  send([{ index: 0, delta, finish_reason: null }])
  send([{ index: 0, delta: {}, finish_reason: isText ? 'stop' : 'tool_calls' }])
  send([], { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })
  response.end('data: [DONE]\n\n')
}

/** The text of a message, whether it is one or a list of parts. */
function textOf({ content }) {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}

/** What the model was told of its tools, by the id of each call. */
function toldIn({ messages }) {
  const results = messages.filter(({ role }) => role === 'tool')
  return Object.fromEntries(results.map((one) => [one.tool_call_id, textOf(one)]))
}

module.exports = { calls, startModel, textOf, toldIn }
