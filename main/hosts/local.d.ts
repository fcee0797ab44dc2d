import type { OpenQuestion } from '../../index.js'
import type { AgentHost, HostEvent, OpenInput, ResolveReply, ResolvedBy } from '../live-call.js'

/**
 * The host for apps whose agent runs in their own code.
 *
 * `journal` names a file of JSON lines: ids, digests, positions, who answered and why an input ended
 * (a word of this package's own), never text. Its folder is made where it is missing. A line is on the
 * disk before anyone is told; a line that fails half-way is taken back. After a crash an input without
 * an end is canceled with the reason `host-restarted`, and an answer that had not reached whoever asked
 * is given, once, to who asks the very same question under the same id again, if it still fits; where
 * it does not, or was free text, the question is asked anew and a process warning says so. So take a
 * new id (a UUID) for every question, and the old one only to ask the same question again after a crash.
 *
 * One host has a journal at a time: `<journal>.lock` beside it names its process. The lock of a process
 * that is gone is taken over.
 *
 * What goes wrong where nobody waits for it is a process warning of type `SpokenAnswerWarning`.
 *
 * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_JOURNAL` (the promise is rejected)
 * @throws {Error} `JOURNAL_IN_USE` where another host, of this process or another, has the journal; a
 * system error where the file cannot be read or written.
 */
export function createLocalHost(options?: { journal?: string | undefined }): Promise<LocalHost>

/** What {@link LocalHost.ask} takes beside the question. */
export interface AskOptions {
  /** Aborted: the question is canceled. */
  signal?: AbortSignal | undefined
  /**
   * Never spoken: the voice's handle sees that something waits (an input of kind `'other'`), not what,
   * and cannot answer it. The card sees all of it. @default false
   */
  private?: boolean | undefined
  /** Epoch milliseconds, a finite number, however far away; absent: the question stays open. */
  expiresAt?: number | undefined
  /** Only the speaker with this id may answer by voice. 1 to 256 bytes. */
  askedOf?: string | undefined
}

/** What waits beside questions. The ids are 1 to 256 bytes. */
export interface HeldInput {
  kind: 'permission' | 'plan' | 'goal' | 'other'
  inputId: string
  sessionId: string
}

export interface LocalHost {
  /**
   * Waits for the answer. The same input id asked again is a new opening. The ids of a question are 1
   * to 256 bytes. A question that the voice cannot take (over 8 parts, say) is one for the card alone.
   *
   * Rejects with an `Error` whose `code` is
   * - `CANCELED`: by {@link LocalHost.cancel}, the signal, `expiresAt` or {@link LocalHost.close};
   * - `ALREADY_OPEN`: an input with this id is open;
   * - `HOST_CLOSED`: the host is closed;
   * - `JOURNAL_FAILED`: it could not be written down (`cause` says why), so it was not asked;
   * - `JOURNAL_BROKEN`: half a line could not be taken back, and nothing is written any more;
   *
   * or with a `TypeError`: `INVALID_QUESTION`, `INVALID_OPTIONS`, `INVALID_SIGNAL`, `INVALID_PRIVATE`,
   * `INVALID_EXPIRES_AT` or `INVALID_ASKED_OF`.
   */
  ask(
    question: OpenQuestion,
    options?: AskOptions,
  ): Promise<{ answers: (string[] | null)[]; resolvedBy: ResolvedBy | { kind: 'desktop' } }>
  /**
   * Shows that something else waits, so that `pending()` can say so. Held again under the same id, it
   * waits until the last one is released.
   *
   * @throws {TypeError} `INVALID_INPUT`
   * @throws {Error} `HOST_CLOSED`
   */
  hold(input: HeldInput): { release(): void }
  /**
   * Whoever asked is told `CANCELED`, whether or not it can be written down. `reason` goes with the
   * event, not into the journal. Nothing happens where no such question is open.
   *
   * @throws {TypeError} `INVALID_INPUT_ID`, `INVALID_REASON`
   */
  cancel(inputId: string, reason?: string): void
  /**
   * What a live call gets. It stamps `voice`. An answer must be one that the question as it was asked
   * allows, and say who gave it in the fields of {@link ResolvedBy}, each text at most 256 bytes; of a
   * question with `askedOf`, by that speaker. Everything else is rejected as `invalid`; `digest` and
   * `shortened` are the host's own.
   */
  readonly voice: AgentHost
  readonly desktop: DesktopHandle
  /** Cancels what is open and lets go of the journal, whatever fails. It never rejects. */
  close(): Promise<void>
}

/** What the card gets. It sees everything, and stamps `desktop`. */
export interface DesktopHandle {
  /**
   * Events in their order, from now on; none after unsubscribing. What is open already is not told: a card
   * that loads reads it with {@link DesktopHandle.openInputs}.
   *
   * @throws {TypeError} `INVALID_SESSION_ID`, `INVALID_ON_EVENT`
   */
  watch(sessionId: string, onEvent: (event: HostEvent) => void): () => void
  /** What is open now, private questions too: first the questions, then what is held; oldest first. */
  openInputs(sessionId: string): Promise<OpenInput[]>
  /**
   * For each question the labels that were chosen or free text, or `null` where it is skipped: one
   * entry, or, with `multiSelect`, several different ones; an empty list is `invalid`. `not-sent`: it
   * could not be written down, so it was not taken. `host-closed`: the host is closed.
   */
  resolveInput(inputId: string, answers: (string[] | null)[]): ResolveReply
}

/**
 * Serves a host behind a message port (a worker's, an Electron `MessagePortMain` or `parentPort`, a
 * child process or its own `process`). One port for each principal, fixed here: `agent` may ask,
 * cancel and hold, `voice` may do what a live call does, `desktop` may do what the card does. Anything
 * else is answered with the code `FORBIDDEN`. When the port of an agent ends, what it asked is
 * canceled and what it held is released.
 *
 * @throws {TypeError} `INVALID_HOST`, `INVALID_PRINCIPAL`, `INVALID_PORT`, `PORT_IN_USE` where the port
 * is served or connected already
 */
export function serveLocalHost(
  host: LocalHost,
  port: unknown,
  principal: 'agent' | 'voice' | 'desktop',
): void

/** A handle whose host is behind a port. */
export interface Attachable {
  /**
   * Another port, to a host that was started anew: nothing is told by the old one any more, and whoever
   * watches is told of a gap.
   *
   * @throws {TypeError} `INVALID_PORT`, `PORT_IN_USE`
   */
  attach(port: unknown): void
}

/**
 * A host behind a port. Methods reject as those of the host do, and with `HOST_GONE` where the port has
 * ended, `FORBIDDEN` where it is another principal's, or a `TypeError` where an argument cannot be sent.
 */
export interface ConnectedHost extends AgentHost, Attachable {}

/**
 * What a live call gets where the host is in another process, behind a `voice` port.
 *
 * @throws {TypeError} `INVALID_PORT`, `PORT_IN_USE`
 */
export function connectLocalHost(port: unknown): ConnectedHost

/**
 * What the agent gets, behind an `agent` port. An abort signal reaches the host as well. An answer
 * counts as arrived once it is here: until then the next agent that asks the same question gets it.
 *
 * @throws {TypeError} `INVALID_PORT`, `PORT_IN_USE`
 */
export function connectAgent(port: unknown): Pick<LocalHost, 'ask' | 'cancel' | 'hold'>

/**
 * What the card gets, behind a `desktop` port.
 *
 * @throws {TypeError} `INVALID_PORT`, `PORT_IN_USE`
 */
export function connectDesktop(port: unknown): Attachable &
  Pick<DesktopHandle, 'watch' | 'openInputs'> & {
    resolveInput(inputId: string, answers: (string[] | null)[]): Promise<ResolveReply>
  }
