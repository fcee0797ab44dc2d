import type { Question } from '../../index.js'
import type { AgentHost, OpenInput, ResolveReply, ResolvedBy } from '../live-call.js'

/**
 * What an adapter to a host of somebody else's needs, whatever the host is: what is open, kept by input
 * id together with the host's own request; the card and the voice through one path, so that the first
 * answer is the only one; an answer compared with the digest in the very step in which it is handed
 * over; `resolved` only on the host's proof; and a process warning where that does not come. The adapter
 * says what the host asks and what it proved. See `docs/write-an-adapter.md`.
 *
 * `Original` is the host's request as the adapter wants to have it back.
 */
export class Openings<Original> {
  /**
   * `proof` is whether this host ever proves that an answer arrived. `feeding` says, for the warning, what
   * the app has to do so that the proof is seen.
   *
   * @throws {TypeError} `INVALID_OPTIONS`, `INVALID_PROOF`, `INVALID_FEEDING`
   */
  constructor(options: { proof: AgentHost['proof']; feeding: string })
  /** What a live call gets. */
  readonly handle: AgentHost
  /**
   * The host waits for something. Returns its input id: `id` where that is one (1 to 256 bytes), and none
   * of the inputs that are open here or of the last 1 000 that closed had it; a new one otherwise. Whoever
   * watches is told.
   *
   * `handOver` hands an answer to the host, at once, and throws only where nothing was handed over; then
   * the question stays open. A promise is not waited for; where it is rejected, the answer is `unknown`, and
   * one that would never be proved stays `submitted`.
   * `withdraw` is called where nobody will answer any more. `fits` is what the host demands of an answer by
   * voice beside what the question says, a least number of options, say. `opened` is called with the id
   * before anybody is told: who watches may act at once.
   *
   * @throws {TypeError} `INVALID_INPUT`, `INVALID_SESSION_ID`, `INVALID_PROOF`, `INVALID_PRIVATE`,
   * `INVALID_EXPIRES_AT`, `INVALID_ASKED_OF`, `INVALID_HOOKS`, `INVALID_HAND_OVER`, `INVALID_WITHDRAW`,
   * `INVALID_FITS`, `INVALID_OPENED`
   */
  open(
    asked: {
      kind: OpenInput['kind']
      id?: string | undefined
      sessionId: string
      questions?: readonly Question[] | undefined
      /** For the card alone. The voice sees that something waits. @default false */
      private?: boolean | undefined
      /** Epoch milliseconds after which the host takes no answer: it is canceled then. */
      expiresAt?: number | undefined
      /** Only the speaker with this id may answer by voice. */
      askedOf?: string | undefined
      /**
       * `'none'` where the host proves others, and never this one: its answer ends as `submitted`, and its
       * event has `proof: 'none'`. @default what this host does
       */
      proof?: AgentHost['proof'] | undefined
    },
    original: Original,
    hooks?: {
      handOver?(answer: GivenAnswer): unknown
      withdraw?(): void
      fits?(optionIndexes: number[][]): boolean
      opened?(inputId: string): void
    },
  ): string
  /** The host's own request of an input that is open or waits for its proof. */
  original(inputId: string): Original | undefined
  /** The answer that was handed over and waits for its proof; `null` where there is none. */
  given(inputId: string): GivenAnswer | null
  /** The inputs that are open or wait for their proof, whose original is such a one; oldest first. */
  find(isSuch: (original: Original) => boolean): string[]
  /** The host was heard. Where nothing was since an answer, the warning says what `feeding` says. */
  heard(): void
  /** The host proved that exactly the answer that was handed over arrived. */
  proved(inputId: string): void
  /**
   * The host went on, and proves nothing: it waits for this answer no more, and will never say whether it had
   * it. The answer ends as `submitted` and its event has `proof: 'none'`; what is said of it later is nothing.
   */
  submitted(inputId: string): void
  /** The host has another answer than what was handed over, if anything was. */
  answeredElsewhere(inputId: string, optionIndexes?: number[][]): void
  /** The host said that it did not take the answer, or that it does not wait any more. */
  refused(inputId: string): void
  /**
   * Certainly nothing went to the host after all, where `handOver` could not know it yet: a connection that
   * was never made, say. The question is open as before; where its time has ended meanwhile, it is canceled.
   */
  notSent(inputId: string): void
  /**
   * The host has said all that it will say of what was handed over so far, or its process is gone: what
   * it has not proved is `unknown` now, and not only after 15 seconds. Of everything, or of the inputs
   * whose original is such a one.
   */
  lost(isSuch?: (original: Original) => boolean): void
  /** The host does not wait any more. What was handed over may have arrived: that is still to come. */
  cancel(inputId: string, reason: string): void
  /**
   * The card's answer: for each question labels or free text, or `null` where it is skipped; or a function
   * that makes an answer of the host's request, `null` where it is none. Settled by the host's proof, or
   * as `unknown` 15 seconds later.
   *
   * @throws {TypeError} `INVALID_ANSWER` where the function gives neither (the promise is rejected)
   */
  answerOnDesktop(
    inputId: string,
    answers:
      | readonly (readonly string[] | null)[]
      | ((original: Original) => (Partial<GivenAnswer> & { resolvedBy: { kind: string } }) | null),
  ): Promise<ResolveReply>
}

/** An answer on its way to the host. */
export interface GivenAnswer {
  /** The host's own labels, and of the card free text, or `null` where a question is skipped. */
  readonly answers: readonly (readonly string[] | null)[]
  /** The same as positions; absent where there is free text or something is skipped. */
  readonly optionIndexes?: number[][] | undefined
  readonly resolvedBy: ResolvedBy | { kind: string }
  /** The card said that there will be no answer: once that is proved the input is canceled. */
  readonly declined?: boolean | undefined
}
