/** Marks what only a function of this package makes. */
declare const made: unique symbol

/** Where a turn is asked for. */
type Lane = 'text' | 'voice' | 'console' | 'gameplay'

/**
 * What a turn may do, decided before anything is prompted. A durable session with machine tools cannot
 * be expressed (ADR 0105). Made by {@link planTurn}, for one turn.
 */
export type TurnPlan = TurnPlanView & { readonly [made]: 'planTurn' }
type TurnPlanView =
  /** The room's durable session, without machine tools. */
  | { readonly plan: 'shared'; readonly tools: 'none'; readonly deadlineMs: number }
  /** One in-memory session for one turn without machine tools: the room has no durable one. */
  | { readonly plan: 'detached'; readonly tools: 'none'; readonly deadlineMs: number }
  /** One in-memory session for one turn, with the machine's tools, for one person on the list. */
  | {
      readonly plan: 'one-shot'
      readonly tools: 'machine'
      readonly actorId: string
      readonly deadlineMs: number
    }
  /** The operator's own session, which this package does not run. Mail, too, is the console's only. */
  | { readonly plan: 'console'; readonly tools: 'operator' }
  /** Nobody is bound to the request. */
  | { readonly plan: 'refused'; readonly reason: 'speaker-unknown' }

/**
 * Who may use the machine's tools. Made by {@link parseGrants}; lists of owners or of people who may be
 * heard are other policies, and cannot be passed in its place.
 */
export interface Grants {
  readonly [made]: 'parseGrants'
  readonly actorIds: readonly string[]
}

/**
 * Reads the allowlist of Discord user ids: 17 to 20 digits each, compared exactly, at most 64.
 *
 * Call it for every turn: who was taken off the list has no further turn with tools.
 *
 * @param settings The list of the app's settings.
 * @param override An environment variable that wins over the settings whatever they say: ids with
 * commas between them, white space around an id does not count, and empty grants nobody.
 * @returns The grants, and what is wrong with the list. With any error nobody is granted; turns
 * without tools go on. An error names the place of an entry, never the entry.
 * @throws {TypeError} `INVALID_OVERRIDE` where `override` is there and no text.
 */
export function parseGrants(
  settings: readonly string[] | null | undefined,
  override?: string,
): { grants: Grants; errors: string[] }

/**
 * A turn that somebody asks for. `durable` says whether the room has a durable session; it never gives
 * tools to one.
 */
export type Turn =
  | {
      readonly lane: 'text' | 'gameplay'
      /** As the chat service attributes it. */
      readonly actorId: string
      /** @default true */
      readonly durable?: boolean | undefined
    }
  | {
      readonly lane: 'voice'
      /** What `take` gave. Never an id out of a tool call's arguments. */
      readonly binding: SpeakerBinding | null
      /** @default true */
      readonly durable?: boolean | undefined
    }
  | { readonly lane: 'console' }

/**
 * Plans a turn: the allowlist governs the actor, not the transport (ADR 0105).
 *
 * Text and voice ask the list; the console does not need to, and gameplay never gets tools. A voice
 * turn that nobody is bound to, or not any more, is `refused`. A binding is used up by its plan, which is
 * good for as long as the binding was. Only properties of the turn's own are read.
 *
 * @param now As in {@link SpeakerBindings.reserve}, and `wall` too.
 * @throws {TypeError} `INVALID_TURN`, `INVALID_BINDING`, `INVALID_GRANTS`, `INVALID_NOW`
 */
export function planTurn(turn: Turn, grants: Grants, now?: number, wall?: number): TurnPlan

/** Who a request acts for. Made by {@link SpeakerBindings.take}. */
export interface SpeakerBinding {
  readonly [made]: 'take'
  readonly actorId: string
  /** Their own words; empty where there is no transcript. */
  readonly utterance: string
  readonly responseId: string
}

/**
 * Who the responses of a voice provider answer; one for each connection. Nothing is guessed from order
 * or time: a response that nobody is bound to has nobody.
 *
 * At most 64 are kept, each for at most 5 minutes. With more, one goes that no response has begun with:
 * the same speaker's oldest, else the oldest.
 */
export class SpeakerBindings {
  /**
   * The floor has decided to answer a speaker whom the app identified. The id that is returned goes
   * into the response's metadata.
   *
   * @param now Milliseconds on a clock that does not go back. Default `performance.now()`. A binding
   * that is taken at an earlier time than it was reserved at is none.
   * @param wall Milliseconds on a clock that goes on while the machine sleeps. Default `Date.now()`.
   * @throws {TypeError} `INVALID_SPEAKER`, `INVALID_NOW`, `INVALID_THIS`
   */
  reserve(
    speaker: { readonly id: string; readonly utterance: string },
    now?: number,
    wall?: number,
  ): string
  /**
   * The provider has begun a response that carries a binding in its metadata; whether it is bound now.
   * A binding belongs to the first response it is attached to, so a follow-up with the same metadata
   * gets nobody; two bindings for one response leave it with nobody, for good. Both ids are the
   * provider's: whatever they are, nothing is thrown.
   */
  attach(bindingId: string, responseId: string): boolean
  /**
   * Who the request in this response acts for. Once: a second request in the same response needs a new
   * binding, from new words. `null`: nobody is bound.
   *
   * @throws {TypeError} `INVALID_NOW`, `INVALID_THIS`
   */
  take(responseId: string, now?: number, wall?: number): SpeakerBinding | null
  /** The response was superseded, rejected or cancelled, or is over; whether anything was let go. */
  release(bindingId: string): boolean
  /**
   * The connection has ended: nobody is bound to anything any more. Bindings that were taken and plans
   * that were made of them end as well; a turn that has been prompted goes on.
   */
  close(): void
}

/** What was said. All of it is untrusted, and is quoted as such for the agent. */
export interface Message {
  /** Who asks, by the name that the room knows; up to 120 characters are shown, as of every speaker. */
  readonly speaker: string
  /** What is asked for, as the voice model or the message words it; up to 8 000 characters. */
  readonly request: string
  /** The speaker's own words, where there is a transcript; up to 2 000 characters. */
  readonly utterance: string | null
  /** What was said before, oldest first; the last 50 lines, up to 500 characters of each. */
  readonly context?:
    | readonly {
        readonly speaker: string
        readonly text: string
        /** Who said it, as the chat service attributes it. Anybody can have the same name. */
        readonly actorId?: string | null | undefined
      }[]
    | undefined
  /**
   * Who asks: lines with this id are marked. For {@link frameTurn} alone; {@link runTurn} takes it from
   * the plan.
   */
  readonly actorId?: string | null | undefined
}

/**
 * What was said as text for the agent: each part in a field of its own, a JSON string on one line,
 * which nothing in it can close. What is not there, cut or left out is said. It begins with a sentence
 * that all of it is quoted; that is no boundary, what the session holds is.
 *
 * {@link runTurn} does this itself.
 *
 * @param budget Bytes of UTF-8, at least 1 024. Default 16 384.
 * @throws {TypeError} `INVALID_MESSAGE`, `INVALID_BUDGET`
 */
export function frameTurn(message: Message, budget?: number): string

/** How a turn ended. New codes are minor releases: keep a default branch. */
export type TurnCode =
  | 'answered'
  | 'speaker-unknown'
  | 'request-missing'
  | 'grant-withdrawn'
  | 'room-busy'
  | 'too-busy'
  | 'session-unfit'
  | 'session-failed'
  | 'turn-timeout'
  | 'turn-failed'
  | 'response-missing'
  | 'turn-cancelled'

/**
 * Every code with its fixed sentence for the room, without anything that anybody said; `null` where the
 * room hears the answer (`answered`) or nothing (`turn-cancelled`). Frozen.
 */
export const TURN_CODES: Readonly<Record<TurnCode, { readonly message: string | null }>>

/** A session of an agent, for the turns of a room or for one turn. */
export interface TurnSession {
  /**
   * The names of the machine tools it holds now; none once it is disposed of. It is asked before a turn
   * and after it. Anything but an empty array counts as tools.
   */
  machineTools(): readonly string[]
  /** Runs one turn; the answer. */
  prompt(text: string, options: { signal: AbortSignal }): Promise<string>
  /** Stops the turn. Resolves when nothing of it runs any more, its tools included. */
  abort(): Promise<void>
  /** Lets go of everything it holds. */
  dispose(): Promise<void> | void
}

/** Where sessions come from; `spoken-answer/sessions/pi` has them for Pi. */
export interface TurnSessions {
  /**
   * The room's durable session, without machine tools; the same one until it is disposed of, which
   * happens where a turn in it did not stop or it holds machine tools. Never another room's. Where
   * `signal` is aborted, nobody waits for it any more: make a new one the next time.
   */
  shared(room: string, options: { signal: AbortSignal }): Promise<TurnSession>
  /** A new session in memory, for one turn. It is disposed of whatever happens. */
  oneShot(
    tools: 'machine' | 'none',
    options: { room: string; actorId?: string | undefined; signal: AbortSignal },
  ): Promise<TurnSession>
}

/** What became of a turn: ids, a code and durations in milliseconds, nothing that anybody said. */
export interface TurnReceipt {
  plan: 'shared' | 'detached' | 'one-shot' | 'refused'
  actorId: string | null
  /** The provider's response that the request came in. */
  responseId: string | null
  code: TurnCode
  /** How long it waited for the room's session. */
  waitedMs: number
  /** How long until the room heard how it ended. */
  settledMs: number
  /** How long until all was over. */
  totalMs: number
  /**
   * What had not stopped 5 seconds after it was told to: `turn`, the agent or one of its tools;
   * `session`, what the session holds. It is what the session says: processes that a tool has put into
   * the background are in no receipt.
   */
  left: ('turn' | 'session')[]
}

/** How a turn is to be run. */
export interface RunTurnOptions {
  /** What `planTurn` gave, but the console's. It has one turn. */
  plan: TurnPlan
  /**
   * 1 to 256 bytes. Shared turns of a room run one at a time, in order; at most 32 wait, 8 of one
   * person.
   */
  room: string
  message: Message
  /** Rooms belong to it: pass the same object each time. */
  sessions: TurnSessions
  /**
   * Says something in the room, once: the answer, or the fixed sentence of a refusal, a timeout or a
   * failure. `error` is what the session threw, for the app's own log.
   */
  say(text: string, said: { code: TurnCode; error?: unknown }): unknown
  /** Ends the turn; the room hears nothing. */
  signal?: AbortSignal | undefined
  /**
   * Reads the list once more, as the turn starts and again when its session is there, right before the
   * prompt: who was taken off it since the turn was planned is refused (`grant-withdrawn`). Where it
   * throws or gives no list, that is `INVALID_GRANTS` at the start, and later nobody is granted.
   */
  grants?: (() => Grants) | undefined
  /**
   * Whether the room's session learns what was asked and answered in a turn with tools, once `say` has
   * resolved.
   * @default true
   */
  remember?: boolean | undefined
  /** Of the frame; see {@link frameTurn}. @default 16384 */
  budget?: number | undefined
  /** For tests; see `spoken-answer/testing`. Milliseconds. */
  clock?:
    | {
        now(): number
        wall(): number
        setTimeout(fn: () => void, ms: number): unknown
        clearTimeout(timer: unknown): void
      }
    | undefined
}

/**
 * Runs one turn: gets its session, prompts it once, says how it ended, and resolves when all is over.
 *
 * A turn may take 10 minutes, tools and waiting included, by the larger of monotonic and wall time, so
 * a sleeping machine does not stretch it; then it is `turn-timeout` and what comes later is dropped. The
 * abort is awaited for 5 seconds and a disposal for 5 more; what has not stopped by then is in the
 * receipt, and its session is never used again. At most 16 sessions for one turn with tools, and 16
 * without, are there at a time, 8 of one person; they wait for nobody and nobody waits for them. What was
 * asked and answered in one with tools is in the context of the room's next shared turn.
 *
 * A mistake of the calling program is thrown at once; the promise is never rejected. Whatever `sessions`,
 * `say`, `signal` or `clock` throw, the turn ends; what nobody waits for becomes a process warning.
 *
 * @throws {TypeError} `INVALID_PLAN` (not made by `planTurn`, or the console's), `PLAN_USED`,
 * `INVALID_ROOM`, `INVALID_MESSAGE`, `INVALID_BUDGET`, `INVALID_GRANTS`, `INVALID_OPTION`, `INVALID_NOW`
 * (a clock that has never given a time)
 */
export function runTurn(options: RunTurnOptions): Promise<TurnReceipt>

// With a list like this, what is declared above without `export` is not exported.
export type { Lane }
