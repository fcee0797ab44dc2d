import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for Pi in RPC mode (`@earendil-works/pi-coding-agent` 1.x, `pi --mode rpc`, which the app starts
 * itself). What our extension asks ({@link piExtension}) can be answered by voice, and the `select` dialogs of
 * tools that the app names; every other dialog is decided by the app, and only shown to wait. Pi checks
 * nothing of a reply, does not confirm it, and does not say that a dialog is over: all of that is done here.
 *
 * A `select` is a question only while nothing but such tools runs, and only where the arguments of one of
 * them hold its text and exactly its options: a dialog says neither who opened it nor what for. Where two
 * calls ask in the same words, neither is one, nor where one asks again.
 *
 * An answer is `resolved` once the tool that asked has told the model exactly that, or has asked its next
 * question. `onSession` is told the session's id once it is known, before any question of it is open, and
 * again where Pi goes on in another one: pass it to `setSession` of the live call.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_ON_SESSION`, `INVALID_ASK_TOOLS`
 */
export function createPiHost(options?: {
  onSession?: ((sessionId: string) => void) | undefined
  /**
   * Names of tools, of other extensions, that ask the user by `select`. Never one that asks whether
   * something may be done.
   *
   * @default []
   */
  askTools?: readonly string[] | undefined
}): PiHost

/**
 * The path of our extension, for `pi -e`: it gives the model a tool `ask_user` that asks several questions
 * at once and several options of one. Who answered is kept in the session (`pi.appendEntry`), without any
 * text. Another process reads it: where the app is packed into an archive, `main/hosts/pi-*` and
 * `main/own.js` have to lie outside of it, and the path has to say so (`app.asar.unpacked`).
 */
export const piExtension: string

/**
 * A process of Pi's as a connection, for the host and for the app itself. A line ends with LF and nothing
 * else: Node's `readline` ends it as well at U+2028, which texts may hold.
 *
 * @throws {TypeError} `INVALID_PROCESS`
 */
export function createPiConnection(child: PiProcess): {
  /** @throws {Error} The process takes nothing any more; nothing was written. */
  send(frame: object): void
  onFrame(listener: (frame: { readonly [name: string]: unknown }) => void): () => void
  onEnd(listener: () => void): () => void
}

export interface PiHost extends AgentHost {
  readonly proof: 'host'
  /**
   * One process, or a connection to one, from before its first frame on; returns how to end it. What was
   * open over it is canceled then. A process ends by itself; several at a time are fine. To learn which
   * session it is, `get_state` is sent under ids that begin with `spoken-answer:`.
   *
   * @throws {TypeError} `INVALID_CONNECTION`, `INVALID_PROCESS`, `INVALID_SEND`, `INVALID_ON_FRAME`,
   *   `INVALID_ON_END`
   */
  connect(connection: PiConnection | PiProcess): () => void
  /**
   * Whether a frame is a dialog that is answered here, and that the app leaves alone. Asked once the host
   * has had the frame. Every other dialog is the app's to answer.
   */
  asks(frame: object): boolean
  /**
   * The app has answered a dialog itself, by its id. Pi says nothing of that; without it, something is
   * shown to wait until a tool begins or ends.
   *
   * @throws {TypeError} `INVALID_ID`
   */
  decided(id: string): void
  /**
   * The card's answer: for each question the label that was chosen, with `multiSelect` the labels, or,
   * where our extension asks, free text, or `null` where it is skipped; or `{ cancelled: true }`, which is
   * no answer. Resolves once Pi has proved what became of it, with `unknown` where it has not within 15
   * seconds. Rejected with `already-resolved` where somebody was first, `not-found` where it is not open,
   * `invalid` where it does not fit or is no question.
   *
   * @throws {TypeError} `INVALID_REPLY` (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    reply: readonly (readonly string[] | null)[] | { cancelled: true },
  ): Promise<ResolveReply>
  /** A copy of what was asked, for the card; `undefined` where no such question is open. */
  original(inputId: string): PiRequest | undefined
}

export interface PiConnection {
  /** Writes one frame. It throws only where certainly nothing was written. */
  send(frame: PiFrame): unknown
  /** Has the listener called with every frame of Pi, in their order; may return how to stop. */
  onFrame(listener: (frame: object) => void): unknown
  /** Has the listener called when the process is gone; may return how to stop. */
  onEnd?: ((listener: () => void) => unknown) | undefined
}

/** What is used of a process that was started with pipes. */
export interface PiProcess {
  readonly stdin: { readonly writable: boolean; write(text: string): unknown } | null
  readonly stdout: object | null
  once(event: 'close', listener: () => void): unknown
}

/** A frame to Pi: a reply to a dialog, or the question which session it is in. */
export type PiFrame =
  | { type: 'extension_ui_response'; id: string; value: string }
  | { type: 'extension_ui_response'; id: string; cancelled: true }
  | { type: 'get_state'; id: string }

/** The dialog as it came, whose id is also the input's, and the tool call that asked. */
export interface PiRequest {
  readonly dialog: { readonly [name: string]: unknown }
  readonly toolCallId: string
  readonly toolName: string
  /** What the model called the tool with. */
  readonly args: { readonly [name: string]: unknown }
}
