import type { AgentHost, ResolveReply } from '../live-call.js'

/**
 * The host for Pi in RPC mode (`@earendil-works/pi-coding-agent` 1.x, `pi --mode rpc`, which the app starts
 * itself). What our extension asks ({@link piExtension}) can be answered by voice, and the `select` dialogs of
 * tools that the app names; every other dialog is decided by the app, and only shown to wait. Pi checks
 * nothing of a reply, does not confirm it, and does not say that a dialog is over: all of that is done here.
 *
 * A `select` is a question only while nothing but such tools runs, and only where its text and exactly its
 * options are the next question in the arguments of one of them, which has no other one open without an
 * answer: a dialog says neither who opened it nor what for. Where two calls ask in the same words, neither
 * is one, nor where one asks again. What speaks of permission (`allow`, `deny`, `approve`, `always` and their
 * like, in English) never is. All the same, a dialog of another extension, or of a slash command, in the very
 * words of the next question of a tool that runs cannot be told apart from it: where that matters, ask by
 * our extension, whose dialogs can.
 *
 * An answer is `resolved` once the tool that asked has told the model exactly that. What proves it is a
 * label under `answer`, `answers`, `selected`, `selection`, `choice`, `value` or `chosen` in the details of
 * its result, or a text that is the label, or holds it in quotation marks or after a colon to the end of a
 * line. Where the tool asks its next question instead, the answer before ends as `submitted`: nothing proves
 * that it arrived. `onSession` is told the session's id once it is known, before any question of it is open,
 * and again where Pi goes on in another one: pass it to `setSession` of the live call.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_ON_SESSION`, `INVALID_ASK_TOOLS`
 */
export function createPiHost(options?: {
  onSession?: ((sessionId: string) => void) | undefined
  /**
   * Names of tools, of other extensions, that ask the user by `select`. Never one that asks whether
   * something may be done, and never one before which something else asks: its gate may do so in the words
   * that the model called it with.
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
 * else: Node's `readline` ends it as well at U+2028, which texts may hold. A process that fails, a line that
 * is no frame and a listener that fails are process warnings, and the others go on.
 *
 * @throws {TypeError} `INVALID_PROCESS`
 */
export function createPiConnection(child: PiProcess): {
  /** @throws {Error} The process takes nothing any more; nothing was written. */
  send(frame: object): void
  /** @throws {TypeError} `INVALID_LISTENER` */
  onFrame(listener: (frame: { readonly [name: string]: unknown }) => unknown): () => void
  /**
   * The process has ended and everything that it said was told, or it never began. What it started may hold
   * its pipe: half a second after its exit that counts no more.
   *
   * @throws {TypeError} `INVALID_LISTENER`
   */
  onEnd(listener: () => unknown): () => void
}

export interface PiHost extends AgentHost {
  readonly proof: 'host'
  /**
   * One process, or a connection to one, from before its first frame on; returns how to end it. What was
   * open over it is canceled then. A process ends by itself; several at a time are fine, each once. To
   * learn which session it is, `get_state` is sent under ids that begin with `spoken-answer:`.
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
   * shown to wait until a tool begins or ends. The same goes for one that still waits, of a slash command,
   * say: Pi does not say whose it is, so it is not shown any more once a tool begins.
   *
   * @throws {TypeError} `INVALID_ID`
   */
  decided(id: string): void
  /**
   * The card's answer: for each question the label that was chosen, with `multiSelect` the labels, or,
   * where our extension asks, free text, or `null` where it is skipped; or `{ cancelled: true }`, which is
   * no answer. Resolves once Pi has proved what became of it, with `submitted` where the tool asks its next
   * question before that, with `unknown` where nothing has proved it within 15 seconds. Rejected with `already-resolved` where somebody was first, `not-found` where it is not open,
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

/** What is used of a process that was started with pipes: a `ChildProcess`, say. */
export interface PiProcess {
  readonly stdin: (PiEmitter & { readonly writable: boolean; write(text: string): unknown }) | null
  readonly stdout: (PiEmitter & { off: PiEmitter['on']; unref?(): unknown }) | null
  on: PiEmitter['on']
  once: PiEmitter['on']
}

export interface PiEmitter {
  on(event: string, listener: (...args: any[]) => void): unknown
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
  /** What the model called the tool with; of our extension, as Pi made it fit. */
  readonly args: { readonly [name: string]: unknown }
}
