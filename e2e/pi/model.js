'use strict'
// A scripted model on loopback that speaks OpenAI's chat completions. It does what the request in the
// frame says, as a model that is talked into anything would: "RUN <command>" calls bash, whether or
// not bash is listed. Whatever a tool says, it says again.

const http = require('node:http')

/** Starts it; `requests` holds what was asked of it, oldest first. */
async function startModel() {
  const requests = []
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => answer(JSON.parse(body), response))
  })

  function answer({ model, messages, tools = [] }, response) {
    requests.push({ messages, tools: tools.map((tool) => tool.function.name) })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (choices, usage) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices, usage })}\n\n`,
      )
    const choose = (delta, finish = null) => send([{ index: 0, delta, finish_reason: finish }])
    const last = messages.at(-1)
    const command = last.role === 'user' ? commandOf(textOf(last)) : undefined
    if (command === undefined) {
      const said = last.role === 'tool' ? `The tool said: ${textOf(last)}` : 'Understood.'
      choose({ role: 'assistant', content: said })
      choose({}, 'stop')
    } else {
      const call = { name: 'bash', arguments: JSON.stringify({ command }) }
      const id = `call_${requests.length}`
      choose({
        role: 'assistant',
        tool_calls: [{ index: 0, id, type: 'function', function: call }],
      })
      choose({}, 'tool_calls')
    }
    send([], { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })
    response.end('data: [DONE]\n\n')
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/v1`, requests, close }
}

/** The text of a message, whether it is one or a list of parts. */
function textOf({ content }) {
  return typeof content === 'string'
    ? content
    : (content ?? []).map(({ text = '' }) => text).join('')
}

/** What the request in a frame says to run. */
function commandOf(frame) {
  const line = frame.split('\n').find((one) => one.startsWith('request: '))
  return /^RUN ([^]*)/.exec(JSON.parse(line.slice('request: '.length)))?.[1]
}

module.exports = { startModel, textOf }
