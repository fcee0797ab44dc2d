import type { OpenQuestion } from '../../index.js'
import type { AgentHost, ResolveReply, ResolvedBy } from '../live-call.js'

/**
 * The host for apps whose agent runs in their own code.
 *
 * `journal` names a file of JSON lines: ids, digests, positions and who answered, never text. A line
 * is on the disk before anyone is told. After a crash an input without an end is canceled with the
 * reason `host-restarted`; asking the same input again gives a journaled answer, once, if there is
 * one. So an id stands for one asking for as long as the journal is kept: take a new one (a UUID) for
 * every question, and the old one only to ask the same question again after a crash.
 */
export function createLocalHost(options?: { journal?: string | undefined }): Promise<LocalHost>

export interface LocalHost {
  /**
   * Waits for the answer. The same input id asked again is a new opening. Rejects with a `code`:
   * `CANCELED`, `ALREADY_OPEN` or `INVALID_QUESTION`.
   */
  ask(
    question: OpenQuestion,
    options?: {
      signal?: AbortSignal | undefined
      /** Never spoken. @default false */
      private?: boolean | undefined
      /** Epoch milliseconds. */
      expiresAt?: number | undefined
      /** Only this speaker may answer by voice. */
      askedOf?: string | undefined
    },
  ): Promise<{ answers: (string[] | null)[]; resolvedBy: ResolvedBy | { kind: 'desktop' } }>
  /** Shows that something else waits, so that `pending()` can say so. */
  hold(input: {
    kind: 'permission' | 'plan' | 'goal' | 'other'
    inputId: string
    sessionId: string
  }): { release(): void }
  cancel(inputId: string, reason?: string): void
  /** What a live call gets. It stamps `voice`; what the message claims is ignored. */
  readonly voice: AgentHost
  /** What the card gets: labels, free text, or null for skipped. It stamps `desktop`. */
  readonly desktop: { resolveInput(inputId: string, answers: (string[] | null)[]): ResolveReply }
  /** Cancels what is open and closes the journal. */
  close(): Promise<void>
}

/**
 * Serves a host behind a message port (a worker's, an Electron `MessagePortMain` or `parentPort`, a
 * child process or its own `process`). One port for each principal, fixed here: `agent` may ask,
 * cancel and hold, `voice` may do what a live call does, `desktop` may answer as the card does.
 *
 * @throws {TypeError} `INVALID_PORT`, `INVALID_PRINCIPAL`
 */
export function serveLocalHost(
  host: LocalHost,
  port: unknown,
  principal: 'agent' | 'voice' | 'desktop',
): void

/** A host behind a port. */
export interface ConnectedHost extends AgentHost {
  /** Another port, to a host that was started anew. Whoever watches is told of a gap. */
  attach(port: unknown): void
}

/** What a live call gets where the host is in another process, behind a `voice` port. */
export function connectLocalHost(port: unknown): ConnectedHost

/** What the agent gets, behind an `agent` port; abort signals do not cross it. */
export function connectAgent(port: unknown): Pick<LocalHost, 'ask' | 'cancel' | 'hold'>

/** What the card gets, behind a `desktop` port. */
export function connectDesktop(port: unknown): {
  resolveInput(inputId: string, answers: (string[] | null)[]): Promise<ResolveReply>
}
