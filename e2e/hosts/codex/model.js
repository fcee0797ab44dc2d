'use strict'
// A scripted model on loopback that speaks the Responses API: for each request it says what `script` says,
// a list of items: `calls(…)` or a text.

const { serveModel } = require('../model.js')

/** Starts it; `requests` holds the bodies of what was asked, oldest first. */
async function startModel(script) {
  const requests = []
  const { url, close } = await serveModel('/v1/responses', async (body, response) => {
    const n = requests.push(body) - 1
    answer(response, n, await script(body, n))
  })
  return { url: `${url}/v1`, requests, close }
}

function answer(response, n, items) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = `resp_${n}`
  send('response.created', { response: { id } })
  items.forEach((item, index) => {
    const isText = typeof item === 'string'
    const content = [{ type: 'output_text', text: item }]
    const message = { type: 'message', role: 'assistant', id: `msg_${n}_${index}`, content }
    const done = isText ? message : { ...item, id: `fc_${n}_${index}` }
    send('response.output_item.done', { output_index: index, item: done })
  })
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  }
  send('response.completed', { response: { id, usage } })
  response.end()
}

/** A call of a tool; `namespace` is that of an MCP server. */
const calls = (call_id, name, args, namespace) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: JSON.stringify(args),
  ...(namespace === undefined ? {} : { namespace }),
})

module.exports = { calls, startModel }
