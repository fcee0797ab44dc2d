import type { Question } from '../index.js'
import type {
  AgentHost,
  Feedback,
  HostEvent,
  LiveCallOptions,
  Outcome,
  Voice,
} from './live-call.js'

/** A clock that stands still until it is told to move; times in milliseconds. */
export interface ManualClock extends NonNullable<LiveCallOptions['clock']> {
  /** Timers that are set and have not fired. */
  timers(): number
  /** Moves on, firing what is due in its order, and lets promises settle. */
  advance(ms?: number): Promise<void>
}

export function createManualClock(start?: number): ManualClock

/** A voice provider that records what it is given. */
export interface FakeVoice extends Voice {
  readonly deliveries: (Feedback & { signal: AbortSignal })[]
  texts(): string[]
}

/** `outcome` says what becomes of each delivery; `'sent'` by default. */
export function createFakeVoice(options?: {
  name?: string
  outcome?: (
    delivery: Feedback & { signal: AbortSignal },
    count: number,
  ) => Outcome | Promise<Outcome>
}): FakeVoice

/** What is done to one method: `before` may wait or throw, `after` may change what comes back. */
export interface Fault<Method extends (...args: never[]) => Promise<unknown>> {
  before?: (...args: Parameters<Method>) => unknown
  after?: (
    answer: Awaited<ReturnType<Method>>,
    ...args: Parameters<Method>
  ) => Awaited<ReturnType<Method>> | ReturnType<Method>
}

/** Stands between a call and its host and is slow, lossy or lying, as the test says. */
export function createFaultyHost(
  host: AgentHost,
  faults?: {
    proof?: AgentHost['proof']
    openInputs?: Fault<AgentHost['openInputs']>
    resolveInput?: Fault<AgentHost['resolveInput']>
    settlement?: Fault<AgentHost['settlement']>
    /** Wraps the listener of the host's stream. */
    events?: (onEvent: (event: HostEvent) => void) => (event: HostEvent) => void
  },
): AgentHost

/** Something that must be so. For any test runner: `for (const { name, run } of checks) test(name, run)`. */
export interface Check {
  readonly name: string
  /** Makes what it checks anew. Rejects with an error that says what is not as it must be. */
  run(): Promise<void>
}

export interface CheckOptions {
  /**
   * How many times a check looks, 5 milliseconds apart, before it says that something never comes.
   *
   * @default 1000
   */
  looks?: number | undefined
}

/** A host with everything around it, so that it can be checked. */
export interface HostRig {
  /** What a live call would get. */
  readonly host: AgentHost
  /** The session of the agent. 1 to 256 bytes. */
  readonly sessionId: string
  /** What the agent can ask: several questions at once, several options of one. Absent: both. */
  readonly asks?: { readonly several?: boolean; readonly multiSelect?: boolean } | undefined
  /** `'none'` where the host proves others, and never what is asked here. Absent: what it says. */
  readonly proof?: AgentHost['proof'] | undefined
  /**
   * The agent asks these questions, all in one input; their options are objects with labels. Returns
   * the input's id, which the host may list a little later.
   */
  ask(
    questions: readonly (Question & { readonly options: readonly { readonly label: string }[] })[],
  ): string | Promise<string>
  /**
   * Every answer to an input that reached the agent, oldest first: for each question the labels that
   * the agent was told. Read them off what the agent got, not off what the host was given.
   */
  received(inputId: string): readonly (readonly (readonly string[])[])[]
  /** The card answers, beside the voice; by positions among the options. */
  answerOnCard(inputId: string, optionIndexes: number[][]): unknown
  /** The agent does not wait for an answer any more. */
  withdraw(inputId: string): unknown
  /** The agent waits for something that is no question, such as a permission. Absent: it never does. */
  hold?(): string | Promise<string>
  /** Ends it, after its check. */
  close?(): unknown
}

/**
 * What every host must do: what it lists and tells, whose answer it takes and whose it does not, and what
 * it says of it. One check, of a listener that throws, may raise a process warning.
 *
 * @throws {TypeError} `INVALID_MAKE`, `INVALID_LOOKS`
 */
export function hostChecks(
  makeHost: () => HostRig | Promise<HostRig>,
  options?: CheckOptions,
): Check[]

/** A voice with everything around it, so that it can be checked. */
export interface VoiceRig {
  readonly voice: Voice
  /** The texts that reached the provider, oldest first. */
  received(): readonly string[]
  /** Somebody speaks, so that texts wait; what is returned ends that. Absent: they never wait. */
  busy?(): () => unknown
  /** The provider is gone. Absent: it cannot be. */
  disconnect?(): unknown
  /** Ends it, after its check. */
  close?(): unknown
}

/**
 * What every voice must do: texts reach the provider as they are, in their order, unless they are not
 * wanted any more, and what it says of them is so.
 *
 * @throws {TypeError} `INVALID_MAKE`, `INVALID_LOOKS`
 */
export function voiceChecks(
  makeVoice: () => VoiceRig | Promise<VoiceRig>,
  options?: CheckOptions,
): Check[]
