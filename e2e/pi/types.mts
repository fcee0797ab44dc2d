// Compiled, never run: the real SDK is what `createPiSessions` takes.

import * as sdk from '@earendil-works/pi-coding-agent'
import { parseGrants, planTurn, runTurn } from '../../main/authority.js'
import { createPiSessions } from '../../main/sessions/pi.js'

declare const weather: sdk.ToolDefinition
const sessions = createPiSessions({
  sdk,
  folder: 'rooms',
  session: { cwd: '.', thinkingLevel: 'off', settingsManager: sdk.SettingsManager.inMemory() },
  roomTools: [weather],
  resourceLoader: () => new sdk.DefaultResourceLoader({ cwd: '.', agentDir: '.' }),
})
const plan = planTurn({ lane: 'text', actorId: 'a' }, parseGrants([]).grants)
const message = { speaker: 'a', request: 'b', utterance: null }
void runTurn({ plan, room: 'r', message, sessions, say: (text) => text.length })
