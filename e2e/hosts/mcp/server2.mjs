// A server of the second version of MCP in a process of its own. Its tool asks the messages of the command
// line, all at once, and says what it was answered.

import { McpServer, inputRequired } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const messages = process.argv.slice(2)
const db = {
  type: 'string',
  oneOf: [
    { const: 'pg', title: 'PostgreSQL' },
    { const: 'sqlite', title: 'SQLite' },
  ],
}
const requestedSchema = { type: 'object', properties: { db }, required: ['db'] }

serveStdio(() => {
  const server = new McpServer({ name: 'asks', version: '1' }, { capabilities: { tools: {} } })
  server.registerTool('ask', {}, ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) {
      return { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] }
    }
    const asked = messages.map((message, n) => [
      `q${n}`,
      inputRequired.elicit({ message, requestedSchema }),
    ])
    return inputRequired({ inputRequests: Object.fromEntries(asked) })
  })
  return server
})
