'use strict'
// A scripted model on loopback that speaks the chat completions API: for each request of a turn it says what
// `script` says, calls of tools or texts, as they come.

const http = require('node:http')

/** Starts it; `requests` holds the bodies of what was asked with tools at hand, oldest first. */
async function startModel(script) {
  const requests = []
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname } = new URL(request.url, 'http://model')
    if (request.method !== 'POST' || !pathname.endsWith('/chat/completions')) return none(response)
    const body = JSON.parse(text)
    // Without tools it is no turn: the host wants a title.
    const isTurn = body.tools?.length > 0
    await answer(response, isTurn ? script(body, requests.push(body) - 1) : ['ok'])
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${server.address().port}/v1`, requests, close }
}

function none(response) {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{"error":{"message":"not scripted"}}')
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
