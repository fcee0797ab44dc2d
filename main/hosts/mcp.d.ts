import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for MCP servers that ask by form elicitation, through clients of the app (that of
 * `@modelcontextprotocol/sdk`, or of version 2, `@modelcontextprotocol/client`; your own dependency). Several connections may share it.
 *
 * A form is a question where every field that it needs is a choice among at least two options (`enum`,
 * `enumNames`, `oneOf` or `items`), and nothing marks it as a permission; fields that are not needed and
 * are no choice are left out. An empty form and one with a box to tick are permissions: to accept them is
 * to consent. Where a field that would be left out has a `default`, or more options are needed than are
 * there or read out, the form is `other`; so it is where a text is longer than is read out (`LIMITS`).
 *
 * What is read out is the form's message and then the field's `title` and `description`, each once; of
 * several fields the message comes with the first, and one that says nothing of itself is called by its
 * name. Where a list does not take any number of options, that is said before everything else: "Choose 2 or
 * more."
 *
 * MCP has no way to say that an answer arrived: `proof` is `'none'`, and answers end as `submitted`.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_SESSION_ID`, `INVALID_ANSWER_WITHIN_MS`
 */
export function createMcpHost(options: {
  /** The session whose agent uses the servers, as the app calls it: MCP has none. 1 to 256 bytes. */
  sessionId: string
  /**
   * Milliseconds after which a question is dismissed (`action: 'cancel'`): servers drop late answers in
   * silence, after 60 000 by default. `Infinity`: never.
   *
   * @default 55000
   */
  answerWithinMs?: number | undefined
}): McpHost

export interface McpHost extends AgentHost {
  readonly proof: 'none'
  /**
   * The handler for one connection's `elicitation/create`:
   * `client.setRequestHandler(ElicitRequestSchema, host.onElicit(fallback))`, in version 2 with
   * `'elicitation/create'` for the schema. Whatever is no question is
   * answered by `fallback`, and nobody else; where that takes longer than 200 milliseconds, an input of
   * kind `permission` or `other` is open until then.
   *
   * In the protocol of version 2 the client asks between two calls of the tool, and that the server is gone
   * ends nothing: abort the signal of the `callTool` in the client's `onclose`, and the question is canceled.
   *
   * @throws {TypeError} `INVALID_FALLBACK`
   */
  onElicit<Request extends { params: unknown }, Extra extends McpExtra, Result>(
    fallback: (request: Request, extra: Extra) => Result | Promise<Result>,
  ): (request: Request, extra: Extra) => Promise<Result | McpResult>
  /**
   * The card's answer. Either, for each question, the labels that were chosen, or `null` for a field that
   * may be left out; or a result of MCP's own, which is passed on as it is: `{ action: 'decline' }`, say.
   * `submitted` once it was returned to the client. Rejected with `already-resolved` where somebody was
   * first, `not-found` where it is not open, `invalid` where the server would not take it.
   *
   * @throws {TypeError} `INVALID_REPLY` (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    reply: readonly (readonly string[] | null)[] | McpResult,
  ): Promise<ResolveReply>
  /** A copy of the request's parameters, for the card; `undefined` where it is not open. */
  original(inputId: string): { readonly [name: string]: unknown } | undefined
}

/** What is used of the second argument of a request handler, in version 1 and in version 2. */
export type McpExtra =
  | { readonly signal: AbortSignal; readonly requestId: string | number }
  | { readonly mcpReq: { readonly id: string | number; readonly signal: AbortSignal } }

/** What a server takes as the answer to an elicitation. */
export interface McpResult {
  [name: string]: unknown
  action: 'accept' | 'decline' | 'cancel'
  content?: { [name: string]: string | number | boolean | string[] }
}
