// Compiled, never run: what the adapters take and give is what the real packages give and take.

import { query, type CanUseTool } from '@anthropic-ai/claude-agent-sdk'
import { createClaudeHost } from '../../main/hosts/claude.js'
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
