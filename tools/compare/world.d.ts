/** What every way is given, and what it gives back. */
export interface World {
  readonly clock: { now(): number }
  readonly host: {
    /** What is open, oldest first. */
    list(): Promise<Input[]>
    /** Something was asked, answered or withdrawn. */
    watch(onEvent: (event: { type: 'asked' | 'answered' | 'withdrawn' }) => void): void
    /** Rejects where nothing is known of it. */
    answer(inputId: string, answers: string[][]): Promise<'taken' | 'gone'>
    instruct(text: string): void
  }
  readonly voice: {
    /** Bytes of one message. */
    readonly limit: number
    say(text: string): Promise<'spoken' | 'interrupted' | 'not-sent'>
  }
}

export interface Input {
  kind: 'question' | 'permission'
  inputId: string
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
