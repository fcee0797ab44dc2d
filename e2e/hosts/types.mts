// Compiled, never run: what the adapters take and give is what the real packages give and take.

import { query, type CanUseTool } from '@anthropic-ai/claude-agent-sdk'
import type {
  JsonAgentSessionEvent,
  RpcCommand,
  RpcExtensionUIRequest,
  RpcExtensionUIResponse,
  RpcResponse,
} from '@earendil-works/pi-coding-agent'
import type { ChildProcess } from 'node:child_process'
import type { Client as Client2 } from '@modelcontextprotocol/client'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createOpencodeClient, type OpencodeClientConfig } from '@opencode-ai/sdk/v2'
import { createClaudeHost } from '../../main/hosts/claude.js'
import { createCodexHost } from '../../main/hosts/codex.js'
import { createMcpHost } from '../../main/hosts/mcp.js'
import { createPiConnection, createPiHost } from '../../main/hosts/pi.js'
import { createOpenCodeHost, type OpenCodeRequest } from '../../main/hosts/opencode.js'
import { openLiveCall, type Voice } from '../../main/live-call.js'

declare const voice: Voice
declare const decide: CanUseTool
const host = createClaudeHost()
openLiveCall({ session: null, host, voice })
const canUseTool: CanUseTool = host.canUseTool(decide)
const messages = query({ prompt: 'a', options: { canUseTool } })
for await (const message of messages) host.onMessage(message)
query({
  prompt: 'b',
  options: {
    canUseTool: host.canUseTool(async (toolName, input, { signal }) =>
      signal.aborted || toolName === 'Bash'
        ? { behavior: 'deny', message: 'No.' }
        : { behavior: 'allow', updatedInput: input },
    ),
  },
})

const forms = createMcpHost({ sessionId: 's' })
openLiveCall({ session: { id: 's' }, host: forms, voice })
declare const client: Client
client.setRequestHandler(
  ElicitRequestSchema,
  forms.onElicit(async ({ params }) => ({ action: params.mode === 'url' ? 'decline' : 'cancel' })),
)
declare const client2: Client2
client2.setRequestHandler(
  'elicitation/create',
  forms.onElicit(() => ({ action: 'decline' as const })),
)

// Codex has no types of its own in its package: what it generates, in short.
type JsonRpc = { id?: string | number; method?: string; params?: unknown; result?: unknown }
declare const server: {
  send(message: JsonRpc): void
  on(listener: (m: JsonRpc) => void): () => void
}
const codex = createCodexHost()
openLiveCall({ session: { id: 't' }, host: codex, voice })
codex.connect({ send: server.send, onMessage: (listener) => server.on(listener) })

declare const pi: {
  send(frame: RpcCommand | RpcExtensionUIResponse): void
  on(listener: (frame: RpcResponse | RpcExtensionUIRequest | JsonAgentSessionEvent) => void): void
}
declare const child: ChildProcess
const dialogs = createPiHost({ askTools: ['ask'] })
openLiveCall({ session: null, host: dialogs, voice })
dialogs.connect({ send: pi.send, onFrame: (listener) => pi.on(listener) })
dialogs.connect(createPiConnection(child))
dialogs.connect(child)
pi.on((frame) => {
  if (frame.type !== 'extension_ui_request' || frame.method !== 'confirm') return
  if (!dialogs.asks(frame)) dialogs.decided(frame.id)
})
const opencode = createOpenCodeHost()
openLiveCall({ session: { id: 'ses' }, host: opencode, voice })
// One configuration for both.
const connection = {
  baseUrl: 'http://127.0.0.1:4096',
  directory: '/projects/app',
  headers: { authorization: 'Basic b3BlbmNvZGU6cHc=' },
  fetch,
} satisfies OpencodeClientConfig & { directory: string }
opencode.connect(connection)
const { data: waiting = [] } = await createOpencodeClient(connection).question.list()
void (waiting satisfies readonly OpenCodeRequest[])
