'use strict'
// A scripted model on loopback that speaks Anthropic's Messages API: for each request of a turn it says
// what `script` says, a list of content blocks.

const { serveModel } = require('../model.js')

/** Starts it; `requests` holds the bodies of what was asked with tools at hand, oldest first. */
async function startModel(script) {
  const requests = []
  const { url, close } = await serveModel('/v1/messages', async (body, response) => {
    // Without tools it is no turn: the host wants a title or a summary.
    const isTurn = body.tools?.length > 0
    const blocks = isTurn ? script(body, requests.length) : [{ type: 'text', text: 'ok' }]
    if (isTurn) requests.push(body)
    await answer(response, body, blocks)
  })
  return { url, requests, close }
}

/** Says the blocks one after the other, as they come. */
async function answer(response, { model, stream }, blocks) {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
    usage,
  }
  const stopOf = (content) =>
    content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  if (!stream) {
    const stop_reason = stopOf(blocks)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...message, content: blocks, stop_reason }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  const said = []
  for await (const block of blocks) {
    const index = said.push(block) - 1
    const isText = block.type === 'text'
    const start = isText ? { ...block, text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    send('content_block_start', { index, content_block: start })
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: { stop_reason: stopOf(said), stop_sequence: null }, usage })
  send('message_stop', {})
  response.end()
}

module.exports = { startModel }
