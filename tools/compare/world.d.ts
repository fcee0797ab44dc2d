/** What every way is given, and what it gives back. */
export interface World {
  /** Moved by hand; nothing else tells the time. */
  readonly clock: {
    now(): number
    setTimeout(callback: () => void, ms: number): unknown
    clearTimeout(timer: unknown): void
  }
  readonly host: {
    /** What is open, oldest first. */
    list(): Promise<Input[]>
    watch(onEvent: (event: HostEvent) => void): void
    /** Rejects where nothing is known of it. */
    answer(inputId: string, answers: string[][]): Promise<'taken' | 'gone'>
    instruct(text: string): void
  }
  readonly voice: {
    /** Bytes of one message. */
    readonly limit: number
    /** The signal stops it. */
    say(text: string, signal?: AbortSignal): Promise<'spoken' | 'interrupted' | 'not-sent'>
  }
}

export type HostEvent =
  /** Under an id that is open, it takes the place of what was asked. */
  | { type: 'asked'; input: Input }
  /** With what the agent was told, whoever answered. */
  | { type: 'answered'; inputId: string; answers: string[][] }
  | { type: 'withdrawn'; inputId: string }

export interface Input {
  kind: 'question' | 'permission'
  inputId: string
  sessionId: string
  questions: { question: string; options: string[] }[]
}

/** What the voice provider passes on of what the person said. */
export interface Request {
  requestId: string
  words: string
  /** On the clock of the world. */
  speechStartedAt: number
}

export interface Way {
  hear(request: Request): void
}
