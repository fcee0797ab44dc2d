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
   * What `createAgentSession` gets for every session: `cwd`, and `agentDir`, `model`, `modelRuntime` and
   * so on. Tools, session manager and resource loader are set here and cannot be passed.
   */
  readonly session: { readonly cwd: string; readonly [option: string]: unknown }
  /**
   * Makes a resource loader, loaded; called for every session. Extensions that it finds run in the app's
   * process, in rooms as well: make one that finds only what may. A loader binds its extensions to the
   * session made with it, so one that was given before is refused (`session-failed`), and extensions
   * must not share anything between loaders either. Default: Pi's own, made for each session.
   */
  readonly resourceLoader?: (() => object | Promise<object>) | undefined
  /**
   * Pi's tools for a turn of somebody on the list. Mail is the console's only: do not name it here.
   * @default ['read', 'bash', 'edit', 'write']
   */
  readonly machineTools?: readonly string[] | undefined
  /**
   * Tool definitions of the app's own that everybody in a room may have the agent use. None may have
   * the name of a tool of Pi's or of an MCP server's (`mcp__…`).
   */
  readonly roomTools?: readonly { readonly name: string }[] | undefined
}

/** Pi's sessions for `runTurn`. */
export interface PiSessions extends TurnSessions {
  shared(room: string, options?: { signal?: AbortSignal | undefined }): Promise<TurnSession>
  oneShot(
    tools: 'machine' | 'none',
    options?: { signal?: AbortSignal | undefined },
  ): Promise<TurnSession>
  /**
   * Disposes of every session; the rooms' files stay. It does not wait: a session that is still being
   * made is disposed of when it is there. After that, no session can be had any more.
   */
  close(): Promise<void>
}

/**
 * Sessions of the Pi SDK (`@earendil-works/pi-coding-agent` 1.x, Node 22 or newer), which is the app's
 * own dependency. A room's session is on disk and has no tool of Pi's or of an MCP server's; a session for
 * one turn is in memory only.
 *
 * When a turn is stopped, Pi kills the process group of each tool call that is running. What a call that
 * had ended left in the background lives on, and so does a process that has left its group (`setsid`);
 * neither is in a receipt.
 *
 * @throws {TypeError} `INVALID_OPTION` names the option that is wrong.
 */
export function createPiSessions(options: PiSessionsOptions): PiSessions
