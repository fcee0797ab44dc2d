'use strict'
// A scripted model on loopback: the part that every API of a model has in common.

const http = require('node:http')

/** Starts it; `answer` is given the body and the response of everything that is asked at `path`. */
async function serveModel(path, answer) {
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname } = new URL(request.url, 'http://model')
    if (request.method !== 'POST' || pathname !== path) return none(response)
    await answer(JSON.parse(text), response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${server.address().port}`, close }
}

function none(response) {
  response.writeHead(404, { 'content-type': 'application/json' })
  const error = { type: 'not_found_error', message: 'not scripted' }
  response.end(JSON.stringify({ type: 'error', error }))
}

module.exports = { serveModel }
