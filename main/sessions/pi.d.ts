import type { TurnSession, TurnSessions } from '../authority.js'

/** The part of the Pi SDK that is used: pass `await import('@earendil-works/pi-coding-agent')`. */
export interface PiSdk {
  createAgentSession(options: never): Promise<{ session: object }>
  readonly SessionManager: {
    inMemory(cwd?: string): object
    continueRecent(cwd: string, sessionDir?: string): object
  }
}

/** How Pi's sessions are made. */
export interface PiSessionsOptions {
  readonly sdk: PiSdk
  /** A folder for the rooms' durable sessions; one folder in it for each room. */
  readonly folder: string
  /**
   * What `createAgentSession` gets for every session: `cwd`, and `agentDir`, `model`, `modelRuntime`,
   * `resourceLoader` and so on. Tools and session manager are set here and cannot be passed. Extensions
   * that a resource loader finds run in the app's process, in rooms as well: pass a loader that finds
   * only what may.
   */
  readonly session: { readonly cwd: string; readonly [option: string]: unknown }
  /**
   * Pi's tools for a turn of somebody on the list. Mail is the console's only: do not name it here.
   * @default ['read', 'bash', 'edit', 'write']
   */
  readonly machineTools?: readonly string[] | undefined
  /**
   * Tool definitions of the app's own that everybody in a room may have the agent use. None may have
   * the name of a built-in one.
   */
  readonly roomTools?: readonly { readonly name: string }[] | undefined
}

/** Pi's sessions for `runTurn`. */
export interface PiSessions extends TurnSessions {
  shared(room: string): Promise<TurnSession>
  oneShot(tools: 'machine' | 'none'): Promise<TurnSession>
  /** Disposes of the rooms' sessions; their files stay. */
  close(): Promise<void>
}

/**
 * Sessions of the Pi SDK (`@earendil-works/pi-coding-agent` 1.x, Node 22 or newer), which is the app's
 * own dependency. A room's session is on disk and has no built-in tool; a session for one turn is in
 * memory only. A stopped turn's processes are killed with what they started; a process that has left
 * their process group (`setsid`) is not.
 *
 * @throws {TypeError} `INVALID_OPTION` names the option that is wrong.
 */
export function createPiSessions(options: PiSessionsOptions): PiSessions
