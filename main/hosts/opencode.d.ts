import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for OpenCode (`opencode serve` of `opencode-ai`, which the app starts or attaches to itself):
 * what its agents ask with the `question` tool can be answered by voice. Everything else that waits there is
 * decided by the app, and only shown: permissions, the approval of a plan, which OpenCode asks for as a
 * question, requests of other tools, and whatever belongs to a call whose id a model service gave twice. A
 * session is one of OpenCode's; what a subagent asks is asked in a session of its own.
 *
 * An answer is `resolved` once the tool says that it has exactly what was sent. That the server took a reply
 * proves nothing: it takes one as well for a question whose turn was aborted. Where the tool has ended, and
 * what it has is not to be seen (a plugin may take that out), the answer is `unknown`.
 */
export function createOpenCodeHost(): OpenCodeHost

export interface OpenCodeHost extends AgentHost {
  readonly proof: 'host'
  /**
   * Follows the events of a server in one directory, until the function that it returns is called: what is
   * open is canceled then. It is tried again for as long as the server is not there; what happened
   * meanwhile is looked up. Where no events come, a process warning of type `SpokenAnswerWarning` says so.
   * Several connections, each to another directory or server, are fine.
   *
   * @throws {TypeError} `INVALID_CONNECTION`, `INVALID_BASE_URL`, `INVALID_DIRECTORY`, `INVALID_HEADERS`,
   * `INVALID_FETCH`
   */
  connect(connection: OpenCodeConnection): () => void
  /**
   * The card's answer: for each question the labels that were chosen or free text (one entry, or, with
   * `multiple`, several different ones), or `null` where it is skipped. Instead of the list `null` declines
   * all of it. Free text reaches the model between quotation marks that nothing escapes. Resolves once the
   * host has proved what became of it, with `unknown` where it has not within 15 seconds. `not-sent` where
   * it certainly did not reach the server: it is open as before. Rejected with `already-resolved` where
   * somebody was first, `not-found` where it is not open, `invalid` where it does not fit or is no question,
   * `not-taken` where the turn was over before.
   *
   * @throws {TypeError} `INVALID_REPLY` (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    reply: readonly (readonly string[] | null)[] | null,
  ): Promise<ResolveReply>
  /** A copy of what the host asked, for the card; `undefined` where no such question is open. */
  original(inputId: string): OpenCodeRequest | undefined
}

/** The same as for the vendor's own client (`createOpencodeClient` of `@opencode-ai/sdk/v2`). */
export interface OpenCodeConnection {
  /** Where the server is: `http://127.0.0.1:4096`, say. */
  baseUrl: string
  /**
   * The directory that the agent works in: the server has questions, and events, for each apart.
   *
   * @default the directory that the server was started in
   */
  directory?: string | undefined
  /**
   * What goes with every request. Where the server has a password (`OPENCODE_SERVER_PASSWORD`):
   * `` { authorization: `Basic ${btoa(`opencode:${password}`)}` } ``.
   */
  headers?: { readonly [name: string]: string } | undefined
  /** Makes the requests. @default the one of the process */
  fetch?: ((request: Request, init: { signal: AbortSignal }) => Promise<Response>) | undefined
}

/** What the card can show beside what a live call sees: headers. */
export interface OpenCodeRequest {
  readonly id: string
  readonly sessionID: string
  readonly questions: readonly {
    readonly question: string
    readonly header?: string
    readonly options: readonly { readonly label: string; readonly description?: string }[]
    readonly multiple?: boolean
  }[]
  /** The call of the tool that asks, as in the messages of the session. */
  readonly tool?: { readonly messageID: string; readonly callID: string }
}
