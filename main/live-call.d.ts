import type { Answer, OpenQuestion, RefusalNext, RefusalReason, SpokenQuestion } from '../index.js'

/**
 * Everything a host waits for. Only `'question'` can be answered by voice (ADR 0315); whatever an
 * adapter does not positively recognise is `'other'`.
 */
export type OpenInput =
  | (OpenQuestion & {
      readonly kind: 'question'
      /** Only the speaker with this id may answer. */
      readonly askedOf?: string | undefined
      /** Never spoken, never classified: what is said is passed to `onForward`. @default false */
      readonly private?: boolean | undefined
      /** Epoch milliseconds after which the host takes no answer. */
      readonly expiresAt?: number | undefined
    })
  | {
      readonly kind: 'permission' | 'plan' | 'goal' | 'other'
      readonly inputId: string
      readonly sessionId: string
    }

/** Who answered, as it goes with the answer. Ids and facts, no text of the user or the question. */
export interface ResolvedBy {
  kind: 'voice'
  callId: string
  operationId: string
  /** The provider's id of the request. */
  requestId: string
  /** The name of the voice provider, where the app gave one. */
  provider?: string
  speaker?: { id: string; attribution: string }
  /** Digest of the question that was read out. */
  digest: string
  /** How sure we are that it was. */
  readOut: 'sent' | 'spoken'
  /** Whether a question or label was cut. */
  shortened: boolean
  /** What the choice was taken from: the user's own words, the provider's for them, or both. */
  basis: 'utterance' | 'instruction' | 'both'
  /** Wall clock, epoch milliseconds. */
  at: number
}

/** An answer on its way to the host. */
export interface Resolution {
  inputId: string
  sessionId: string
  /** Compared by the host in the very step in which it writes. */
  expectDigest: string
  /** The host's own labels. */
  answers: string[][]
  /** The same as positions among the host's options. */
  optionIndexes: number[][]
  resolvedBy: ResolvedBy
}

/**
 * What a host says to a resolution. `submitted`: handed over, and the host never confirms this one.
 * `not-taken`: whoever asked does not wait for an answer any more. `unknown`: it may or may not have
 * arrived. `not-sent`: it certainly did not.
 */
export type ResolveReply =
  | { status: 'resolved' }
  | { status: 'submitted' }
  | {
      status: 'rejected'
      code:
        | 'not-found'
        | 'not-taken'
        | 'question-changed'
        | 'already-resolved'
        | 'invalid'
        | (string & {})
    }
  | { status: 'not-sent' }
  | { status: 'unknown' }

/** What became of an input. */
export type Settlement =
  | { status: 'open' }
  | { status: 'canceled' }
  | { status: 'resolved'; optionIndexes?: number[][]; resolvedBy?: ResolvedBy | { kind: string } }
  | { status: 'unknown' }

/** One event of a host's stream. */
export type HostEvent =
  | { type: 'input.requested'; input: OpenInput }
  | {
      type: 'input.resolved'
      inputId: string
      optionIndexes?: number[][]
      resolvedBy?: ResolvedBy | { kind: string }
      /** `'none'`: the answer was handed over, and the host never confirms this one. */
      proof?: 'none'
    }
  | { type: 'input.canceled'; inputId: string; reason?: string }
  /** Events may have been lost: the list is read again. */
  | { type: 'gap' }

/** The agent host's own input path. */
export interface AgentHost {
  /**
   * Whether `resolved` is only said on the host's proof; `'none'`: this host never proves anything. One that
   * proves may say of some answers that it never will: `submitted`.
   */
  readonly proof: 'host' | 'none'
  /** Events in the host's order, from now on, possibly repeated; none after unsubscribing. */
  watch(sessionId: string, onEvent: (event: HostEvent) => void): () => void
  /**
   * A list that cannot be read, or not in 2 000 ms, is asked for again after 500, 1 500, 5 000 and
   * then every 10 000 ms. The signal aborts when it is not waited for any more. Inputs of other
   * sessions are left out; an entry that cannot be read counts as one of kind `'other'`.
   */
  openInputs(sessionId: string, options: { signal: AbortSignal }): Promise<OpenInput[]>
  /** Called at most once for each operation. */
  resolveInput(resolution: Resolution, options: { signal: AbortSignal }): Promise<ResolveReply>
  /** Looks without changing anything. */
  settlement(inputId: string, options: { signal: AbortSignal }): Promise<Settlement>
}

/** What the app does with text for the voice provider. */
export interface Voice {
  /** For the record of who answered. */
  readonly name?: string | undefined
  /** Aborted: the text is no longer wanted (the question closed). A rejection counts as `not-sent`. */
  deliver(feedback: Feedback, options: { signal: AbortSignal }): Promise<Outcome>
}

/** A text for the voice provider, at most the budget of the call. */
export interface Feedback {
  feedbackId: string
  kind: 'interaction-required' | 'status' | 'refusal'
  text: string
  /** Say it when the line is quiet. */
  speak: boolean
}

/**
 * What became of a text. Only `sent` and `spoken` count as read out (only `spoken` with
 * `readOut: 'spoken'`). `interrupted`: the user talked over it; it is read again.
 */
export type Outcome = 'not-sent' | 'unknown' | 'context-only' | 'sent' | 'spoken' | 'interrupted'

/**
 * What an instruction means: `{ kind: 'respond-input', answers }`, parsed or as JSON text, where it
 * answers `question`; anything else is passed to `onForward` untouched. A rejection, or nothing in
 * 8 000 ms, counts as not understood. The signal aborts when the answer is no longer wanted.
 *
 * `pending` is there where parts of an answer to `question` were collected: what was chosen so far.
 */
export type Classify = (
  input: {
    instruction: string
    utterance?: string | undefined
    question: SpokenQuestion | null
    pending?: Answer[] | undefined
  },
  options: { signal: AbortSignal },
) => Promise<unknown>

/** How a call is to be held. */
export interface LiveCallOptions {
  /** @default a fresh UUID */
  callId?: string | undefined
  /** `null` until the host has one; see {@link LiveCall.setSession}. `local` is true by default. */
  session: { readonly id: string; readonly local?: boolean | undefined } | null
  host: AgentHost
  voice: Voice
  /**
   * @default the offline matcher ({@link SpokenQuestion.match}), on the user's own words where the app
   * has them, else on the instruction
   */
  classify?: Classify | undefined
  /** Bytes of UTF-8 of one message. @default 1100 */
  budget?: number | undefined
  /** What it takes for a page to count as read out. @default 'sent' */
  readOut?: 'sent' | 'spoken' | undefined
  /** `'required'`: no answer without `speechStartedAt`. @default 'optional' */
  evidence?: 'optional' | 'required' | undefined
  /** `'collect'`: parts are kept in the call until every question has an answer. @default 'refuse' */
  partialAnswers?: 'refuse' | 'collect' | undefined
  /** Who may answer: anybody, anybody the app can name, or these ids. @default 'any' */
  speakers?: 'any' | 'known' | readonly string[] | undefined
  /**
   * `false`: no text of a question leaves for the provider. What `classify` takes for an answer is
   * refused; without `classify` nothing is. @default true
   */
  mayShareQuestions?: boolean | undefined
  /** Where `input.resolved` is written for hosts that have no place for who answered. */
  journal?: { append(line: object): unknown } | undefined
  /**
   * For tests; see `spoken-answer/testing`. Milliseconds. `now` never goes back, as
   * `performance.now()` does not: where it does, nothing is due until it has caught up.
   */
  clock?:
    | {
        now(): number
        wall(): number
        setTimeout(fn: () => void, ms: number): unknown
        clearTimeout(timer: unknown): void
      }
    | undefined
  onOperation?: ((view: OperationView) => void) | undefined
  onPending?: ((pending: Pending | null) => void) | undefined
  /** Everything that is not an answer: the app's ordinary work. Called at once when nothing is open. */
  onForward?:
    | ((forward: {
        operationId: string
        requestId: string
        instruction: string
        intent?: unknown
      }) => void)
    | undefined
}

/**
 * Opens a live call: questions of the session are read out, and what the user says is resolved
 * through the host's own input path, once, or refused.
 *
 * @throws {TypeError} `INVALID_OPTION` names the option that is wrong, `INVALID_SESSION` what of
 * the session is.
 * @throws {Error} `CALL_EXISTS` where this session of this host has a call already.
 */
export function openLiveCall(options: LiveCallOptions): LiveCall

/** One live call. What is thrown by the app's own callbacks becomes a process warning. */
export interface LiveCall {
  readonly callId: string
  /**
   * From the provider's function call. Returns at once: `receipt` is the text for the function
   * output, `settled` the final state. The same request id is the same operation.
   *
   * @throws {TypeError} `INVALID_REQUEST`, `INVALID_EVIDENCE`
   */
  instruct(
    request: { requestId: string; instruction: string },
    evidence?: Evidence,
  ): { operationId: string; receipt: string; settled: Promise<OperationView> }
  /**
   * A late transcript for a request. It counts until the answer is handed to the host; what was
   * known before stays.
   *
   * @throws {TypeError} `INVALID_EVIDENCE`
   */
  heard(requestId: string, evidence: Evidence): void
  /**
   * A later outcome of a delivery. Outcomes only get better, and an interruption is final. Ids of
   * other calls mean nothing here.
   *
   * @throws {TypeError} `INVALID_FEEDBACK_ID`
   */
  delivered(feedbackId: string, outcome: Outcome): void
  /** The provider reconnected or forgot, or the machine slept: nothing counts as read out any more. */
  voiceReset(): void
  /**
   * Does nothing once the call is closed.
   *
   * @throws {Error} `CALL_EXISTS`
   * @throws {TypeError} `INVALID_SESSION`
   */
  setSession(session: { readonly id: string; readonly local?: boolean | undefined }): void
  /** The operations that are remembered, oldest first; at most 256. */
  operations(): OperationView[]
  pending(): Pending | null
  /** Withdraws what was not handed over; settles within a second. */
  close(): Promise<void>
}

/** What the app itself knows; never taken from the provider's arguments. */
export interface Evidence {
  /** The user's own words. Broken text, or over 8 KiB, is understood as no answer. */
  utterance?: string | undefined
  /**
   * When the user began to speak, on the clock of the call (`performance.now()`, not `Date.now()`).
   * A time after the request is no evidence: the request cannot have come of it.
   */
  speechStartedAt?: number | undefined
  speaker?: { id: string; attribution: string } | undefined
}

/** Where a request of the provider stands. */
export interface OperationView {
  operationId: string
  requestId: string
  /** `collecting`: a part, kept until the rest was said; final for this operation. */
  state:
    | 'classifying'
    | 'collecting'
    | 'dispatching'
    | 'forwarded'
    | 'accepted'
    | 'submitted'
    | 'refused'
    | 'unknown'
    | 'withdrawn'
  reason?: RefusalReason
  questionIndex?: number
  next?: RefusalNext
  inputId?: string
  final: boolean
}

/** For a bar or panel: what waits, and where. There is nothing to answer or approve with. */
export interface Pending {
  kind: OpenInput['kind']
  text: string
  /** How many further inputs wait. */
  more: number
  sessionId: string
}

export type { Answer, OpenQuestion, RefusalReason }
