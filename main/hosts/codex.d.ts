import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for Codex (`codex app-server` of `@openai/codex`, which the app starts or attaches to itself):
 * what its agent asks, by a request or in a message, and the forms of its MCP servers can be answered by
 * voice. Everything else that it requests is decided by the app, and only shown to wait; permissions are
 * told from questions also where Codex asks for them as such. A session is a thread.
 *
 * An answer is `resolved` once the model is told to have it: with `experimentalRawEvents: true` in
 * `thread/start` the very answer is seen, without it that the turn went on, with something of the model's
 * own. Of a message it is that it is in the thread. Of a form nobody ever says it: its answer ends as
 * `submitted`, and its event has `proof: 'none'`.
 *
 * A question in a message is open until it is answered or dropped on the card, its thread is closed,
 * archived, deleted or taken back, or the connection ends. Where another client answers only some of its
 * questions it is canceled, and the rest is open as another input.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_ANSWER_WITHIN_MS`
 */
export function createCodexHost(options?: {
  /**
   * Milliseconds after which a form of an MCP server is dismissed (`action: 'cancel'`): servers drop late
   * answers in silence, after 60 000 by default. `Infinity`: never.
   *
   * @default 55000
   */
  answerWithinMs?: number | undefined
}): CodexHost

export interface CodexHost extends AgentHost {
  readonly proof: 'host'
  /**
   * One connection to an app-server, from before its first message on; returns how to end it. Call that
   * when the process or the connection is gone: what was open over it is canceled. The next one is another
   * connection; several at a time are fine.
   *
   * @throws {TypeError} `INVALID_CONNECTION`, `INVALID_SEND`, `INVALID_ON_MESSAGE`, `INVALID_SHARED`
   */
  connect(connection: {
    /**
     * Writes one message: answers, and for questions in messages `turn/start` under ids of its own that
     * begin with `spoken-answer:`. It throws only where certainly nothing was written.
     */
    send(message: CodexMessage): unknown
    /** Has the listener called with every message of the server, in their order; may return how to stop. */
    onMessage(listener: (message: object) => void): unknown
    /**
     * Whether other clients answer the same server's questions, as with its daemon. Where only its end is
     * told of a question, and not the answer, it may have been theirs, and ours is `unknown`.
     *
     * @default false
     */
    shared?: boolean | undefined
  }): () => void
  /**
   * Whether a request of the server is one that is open here, and that the app leaves alone. Every other one
   * is the app's to answer. It never throws.
   */
  asks(message: object): boolean
  /**
   * The card's answer. Either, for each question, the label that was chosen (of a form, the labels) or free
   * text, or `null` where it is left open; a message with everything left open is dropped. Or a result of
   * Codex's own, which is passed on as it is: `{ answers: {} }` declines a question, `{ action: 'decline' }`
   * a form. Resolves once the host has proved what became of it, of a form at once as `submitted`, with
   * `unknown` where it has not within 15 seconds. `not-sent` where it certainly was not written, or the
   * server did not take the message: the question is open still. Rejected with `already-resolved` where
   * somebody was first, `not-taken` where the model does not wait for an answer any more, `not-found` where
   * it is not open, `invalid` where it does not fit or is no question.
   *
   * @throws {TypeError} `INVALID_REPLY` (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    reply: readonly (readonly string[] | null)[] | CodexResult,
  ): Promise<ResolveReply>
  /**
   * A copy of what the host asked, for the card: the parameters of its request, or the item with its
   * questions. Where others have answered some of those it has the rest, and `places` says which they are.
   * `undefined` where no such question is open.
   */
  original(inputId: string): { readonly [name: string]: unknown } | undefined
}

/** A message to the server. */
export interface CodexMessage {
  id: string | number
  method?: string
  params?: object
  result?: object
}

/** What Codex takes as the answer to a question, and to a form. */
export type CodexResult =
  | { answers: { [questionId: string]: { answers: string[] } } }
  | {
      action: 'accept' | 'decline' | 'cancel'
      content?: { [name: string]: string | number | boolean | string[] } | null
    }
