'use strict'
// A scripted model on loopback that speaks the chat completions API: for each request of a turn it says what
// `script` says, calls of tools or texts, as they come.

const { serveModel } = require('../model.js')

/** Starts it; `requests` holds the bodies of what was asked with tools at hand, oldest first. */
async function startModel(script) {
  const requests = []
  const { url, close } = await serveModel('/v1/chat/completions', async (body, response) => {
    // Without tools it is no turn: the host wants a title.
    const isTurn = body.tools?.length > 0
    await answer(response, isTurn ? script(body, requests.push(body) - 1) : ['ok'])
  })
  return { url: `${url}/v1`, requests, close }
}

async function answer(response, items) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta, finish_reason = null) => {
    const choices = [{ index: 0, delta, finish_reason }]
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'mock', choices }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  let calls = 0
  for await (const item of items) {
    if (typeof item === 'string') send({ role: 'assistant', content: item })
    else send({ role: 'assistant', tool_calls: [{ ...item, index: calls++ }] })
  }
  send({}, calls > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

/** A call of a tool. */
const calls = (id, name, args) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

module.exports = { calls, startModel }
