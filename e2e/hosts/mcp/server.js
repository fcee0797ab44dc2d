'use strict'
// An MCP server in a process of its own, with one tool: it asks what it is told to ask, and its result is
// what it was answered.

const { Server } = require('@modelcontextprotocol/sdk/server/index.js')
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js')
const {
  CallToolRequestSchema,
  ListToolsRequestSchema,
} = require('@modelcontextprotocol/sdk/types.js')

const server = new Server({ name: 'asks', version: '1' }, { capabilities: { tools: {} } })
const inputSchema = { type: 'object' }

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'ask', inputSchema }] }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const { form, options } = params.arguments
  const answer = await server
    .elicitInput(form, options)
    .catch(({ code, message }) => ({ error: `${code} ${message}` }))
  // It has more to do than to ask.
  await new Promise((resolve) => setTimeout(resolve, options?.linger ?? 0))
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
})
// Whoever asked it is gone, whatever it still waits for.
process.stdin.on('end', () => process.exit())
server.connect(new StdioServerTransport())
