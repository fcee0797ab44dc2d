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
