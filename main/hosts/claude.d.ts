import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for one session of the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`, your own
 * dependency): what its `AskUserQuestion` tool asks can be answered by voice, everything else is only
 * shown to wait. A query that was started anew, to resume the session or after a crash, may go on with
 * the same host; two queries at once each take a host of their own.
 *
 * Pass its `canUseTool` to the query and every message of the query to `onMessage`: that is how the
 * session's id is learned, and the only proof that an answer arrived. Where that is forgotten, a process
 * warning of type `SpokenAnswerWarning` says so.
 *
 * `onSession` is told the session's id once it is known, before any question of it is open, and again
 * where the query goes on under another one: pass it to `setSession` of the live call.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_ON_SESSION`
 */
export function createClaudeHost(options?: {
  onSession?: ((sessionId: string) => void) | undefined
}): ClaudeHost

export interface ClaudeHost extends AgentHost {
  readonly proof: 'host'
  /**
   * The callback for the query. A question waits for the card or the voice, whoever is first; where it
   * is withdrawn, `null` is returned, which sends nothing. Every other tool is decided by `fallback`,
   * and nobody else: where that takes longer than 200 milliseconds, an input of kind `permission`, `plan`
   * (`ExitPlanMode`) or `other` (a request of the ask tool in a form that is not known) is open until
   * then.
   *
   * @throws {TypeError} `INVALID_FALLBACK`
   */
  canUseTool<Options extends ClaudeToolOptions, Result>(
    fallback: (
      toolName: string,
      input: Record<string, unknown>,
      options: Options,
    ) => Result | Promise<Result>,
  ): (
    toolName: string,
    input: Record<string, unknown>,
    options: Options,
  ) => Promise<Result | ClaudeReply | null>
  /**
   * One message of the query, in its order. What of it cannot be read becomes a process warning.
   *
   * @throws {TypeError} `INVALID_MESSAGE` where it is no object.
   */
  onMessage(message: object): void
  /**
   * The card's answer. Either, for each question, the labels that were chosen or free text, or `null`
   * where it is skipped (one entry, or, with `multiSelect`, several different ones), written as the SDK
   * takes it; or a reply of the SDK's own, which is passed on as it is: `{ behavior: 'deny', message }`,
   * say. Resolves once the host has proved what became of it; with `unknown` where it has not by the end of
   * the turn, or within 15 seconds. `not-sent` where it certainly was not handed over: the question is open
   * still. Rejected with `already-resolved` where somebody was first, `not-taken` where the host says that it
   * did not take it, `not-found` where it is not open, `invalid` where it does not fit or is no question.
   *
   * @throws {TypeError} `INVALID_REPLY` (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    reply: readonly (readonly string[] | null)[] | ClaudeReply,
  ): Promise<ResolveReply>
  /** A copy of what the host asked, for the card; `undefined` where no such question is open. */
  original(inputId: string): ClaudeRequest | undefined
}

/** What is used of the third argument of the SDK's `canUseTool`. */
export interface ClaudeToolOptions {
  readonly signal: AbortSignal
  readonly toolUseID: string
  readonly requestId?: string | undefined
  readonly mcpServer?: unknown
}

/** What the card can show beside what a live call sees: headers and previews. */
export interface ClaudeRequest {
  readonly questions: readonly {
    readonly question: string
    readonly header?: string
    readonly options: readonly {
      readonly label: string
      readonly description?: string
      readonly preview?: string
    }[]
    readonly multiSelect?: boolean
  }[]
  /** The id of the tool call, as in the messages of the query. */
  readonly toolUseID: string
}

/** What the SDK takes as the decision about a tool. */
export type ClaudeReply =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean }
