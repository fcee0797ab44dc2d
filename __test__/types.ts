// Compiled, never run: what a strict TypeScript program sees of the package.

import {
  LIMITS,
  REFUSALS,
  SpokenQuestion,
  formatQuestionFeedback,
  validateAnswer,
} from 'spoken-answer'
import type {
  Answer,
  Match,
  OpenInput,
  OpenQuestion,
  QuestionFeedback,
  RefusalReason,
  SpokenView,
  Verdict,
} from 'spoken-answer'
import { SpeakerBindings, TURN_CODES, frameTurn, parseGrants } from 'spoken-answer/authority'
import { planTurn, runTurn } from 'spoken-answer/authority'
import type { TurnCode, TurnPlan, TurnReceipt, TurnSessions } from 'spoken-answer/authority'
import { connectDesktop, createLocalHost } from 'spoken-answer/hosts/local'
import { createClaudeHost } from 'spoken-answer/hosts/claude'
import { createCodexHost } from 'spoken-answer/hosts/codex'
import { createMcpHost } from 'spoken-answer/hosts/mcp'
import { createPiConnection, createPiHost, piExtension } from 'spoken-answer/hosts/pi'
import { createOpenCodeHost } from 'spoken-answer/hosts/opencode'
import { Openings } from 'spoken-answer/hosts/openings'
import { openLiveCall } from 'spoken-answer/main'
import type { LiveCall, OperationView, Voice } from 'spoken-answer/main'
import { createPiSessions } from 'spoken-answer/sessions/pi'
import type { PiSdk } from 'spoken-answer/sessions/pi'
import { createFakeVoice, createFaultyHost, createManualClock } from 'spoken-answer/testing'
import { hostChecks, voiceChecks } from 'spoken-answer/testing'

const question = {
  inputId: 'i',
  sessionId: 's',
  questions: [{ question: 'q', options: ['a', { label: 'b', description: 'd' }] }],
} as const satisfies OpenQuestion

// Everything that is read is readonly; a list, nothing and unknown answers are fine.
const verdict: Verdict = validateAnswer([question] as const, JSON.parse('[]') as unknown, 'digest')
validateAnswer(null, 'text')
validateAnswer(undefined, [] satisfies Answer[])
const open: readonly OpenInput[] = [{ kind: 'permission', inputId: 'p', sessionId: 's' }, question]
validateAnswer(open, [])
validateAnswer([{ kind: 'question', ...question }], [])

if (verdict.status === 'accepted') {
  const labels: string[][] = verdict.answers
  const indexes: number[][] = verdict.optionIndexes
  const shortened: boolean = verdict.shortened
  void [labels, indexes, shortened, verdict.inputId, verdict.digest]
} else {
  const reason: RefusalReason = verdict.reason
  const { message, next } = REFUSALS[reason]
  const index: number | undefined = verdict.questionIndex
  void [message, next satisfies 'say-again' | 'card', index, verdict.message, verdict.next]
}

const feedback: QuestionFeedback = formatQuestionFeedback(question, LIMITS.feedbackBytes, 0)
const next: number | null = feedback.next
const spoken = new SpokenQuestion(question)
const views: readonly SpokenView[] = spoken.questions
const match: Match = spoken.match('the second one', { language: 'en' })
const matched: Answer[] = match.status === 'matched' ? match.answers : match.understood
spoken.validate(matched)
// @ts-expect-error no such language
spoken.match('the second one', { language: 'english' })
const why: RefusalReason | undefined = spoken.unanswerable?.reason
const schema: object = spoken.schema('strict')
const page: QuestionFeedback = spoken.feedback()
const eight: 8 = LIMITS.questions
void [next, views, why, schema, page, eight, spoken.validate(5), spoken.digest, spoken.inputId]

// @ts-expect-error a budget is a number
formatQuestionFeedback(question, '1100')
// @ts-expect-error a question has options
validateAnswer({ inputId: 'i', sessionId: 's', questions: [{ question: 'q' }] }, [])
// @ts-expect-error only two dialects
spoken.schema('draft-07')
// @ts-expect-error the digest is read only
spoken.digest = ''
// @ts-expect-error constants are constant
LIMITS.questions = 9
// @ts-expect-error a class
SpokenQuestion(question)
// @ts-expect-error a verdict has answers only where it was accepted
void verdict.answers

// ── spoken-answer/main, hosts/local, testing

const clock = createManualClock()
const voice: Voice = createFakeVoice({ outcome: () => 'sent' })
void createLocalHost({ journal: 'journal.jsonl' }).then(async (host) => {
  const call: LiveCall = openLiveCall({
    session: { id: 's' },
    host: createFaultyHost(host.voice, { openInputs: { after: (inputs) => inputs.slice(1) } }),
    voice,
    clock,
    classify: async ({ instruction, question: shown, pending = [] satisfies Answer[] }) =>
      pending.length > 0
        ? { kind: 'respond-input', answers: pending }
        : shown?.validate(instruction),
    onForward: ({ instruction }) => void instruction.length,
  })
  const { settled, receipt } = call.instruct(
    { requestId: 'r', instruction: 'Yes' },
    { utterance: 'yes' },
  )
  const view: OperationView = await settled
  const { answers, resolvedBy } = await host.ask(question)
  host.desktop.resolveInput('i', [['a'], null])
  const stop: () => void = host.desktop.watch('s', ({ type }) => void type)
  connectDesktop({}).attach(stop)
  void [receipt, view.reason satisfies RefusalReason | undefined, answers[0]?.[0], resolvedBy.kind]
  // @ts-expect-error a time is a number
  void host.ask(question, { expiresAt: 'tomorrow' })
  // @ts-expect-error a call has nothing to approve with
  call.approve('i')
  // @ts-expect-error a host says whether it proves anything
  openLiveCall({ session: null, host: { ...host.voice, proof: undefined }, voice })
})

// ── spoken-answer/authority, sessions/pi

const { grants, errors } = parseGrants(['100000000000000001'], process.env['GRANTS'])
const bindings = new SpeakerBindings()
const bindingId: string = bindings.reserve({ id: 'a', utterance: '' })
const isBound: boolean = bindings.attach(bindingId, 'response')
const plan: TurnPlan = planTurn({ lane: 'voice', binding: bindings.take('response') }, grants)
if (plan.plan === 'one-shot') void [plan.tools satisfies 'machine', plan.actorId]
if (plan.plan === 'refused') void (TURN_CODES[plan.reason].message satisfies string | null)
void [
  errors satisfies string[],
  isBound,
  frameTurn({ speaker: 'a', request: 'b', utterance: null }),
]

declare const sdk: PiSdk
const pi = createPiSessions({ sdk, folder: 'rooms', session: { cwd: '.', thinkingLevel: 'off' } })
const sessions: TurnSessions = pi
void runTurn({
  plan,
  room: 'lounge',
  message: { speaker: 'Ada', request: 'build', utterance: null, context: [] },
  sessions,
  say: (text, { code }) => void [text satisfies string, code satisfies TurnCode],
  grants: () => parseGrants([]).grants,
  remember: false,
}).then((receipt: TurnReceipt) => void receipt.left.includes('turn'))

// @ts-expect-error a durable session with machine tools cannot be expressed
plan satisfies TurnPlan & { plan: 'shared'; tools: 'machine' }
// @ts-expect-error only parseGrants makes grants
planTurn({ lane: 'console' }, { actorIds: [] })
// @ts-expect-error a voice turn is planned from a binding, not from an id
planTurn({ lane: 'voice', actorId: 'a' }, grants)
// @ts-expect-error a binding is what take gave
planTurn({ lane: 'voice', binding: { actorId: 'a', utterance: '', responseId: 'r' } }, grants)
// @ts-expect-error a plan is what planTurn gave
void runTurn({ plan: { plan: 'one-shot', tools: 'machine', actorId: 'a', deadlineMs: 1 } })
// @ts-expect-error an answer is no plan
const notAPlan: TurnPlan = verdict
// @ts-expect-error a plan is no answer
const notAVerdict: Verdict = plan
void [notAPlan, notAVerdict]

// Hosts of somebody else's, and what checks them.
const claude = createClaudeHost({ onSession: (id) => void id.length })
openLiveCall({ session: null, host: claude, voice })
const decided = claude.canUseTool(() => ({ behavior: 'deny', message: 'no' }))
void decided('Bash', {}, { signal: new AbortController().signal, toolUseID: 't' })
claude.onMessage({ type: 'system' })
void claude.answerOnDesktop('i', [['a'], null]).then(({ status }) => status)
void claude.answerOnDesktop('i', { behavior: 'deny', message: 'no' })
const header: string | undefined = claude.original('i')?.questions[0]?.header
const openings = new Openings<{ number: number }>({ proof: 'none', feeding: 'listen' })
const opened: string = openings.open(
  { kind: 'question', sessionId: 's', questions: question.questions },
  { number: 1 },
  { handOver: ({ optionIndexes }) => void optionIndexes?.length },
)
void openings.answerOnDesktop(opened, ({ number }) =>
  number > 1 ? null : { declined: true, resolvedBy: { kind: 'desktop' } },
)
void [header, openings.find(({ number }) => number === 1)]
const rigs = {
  host: openings.handle,
  sessionId: 's',
  ask: () => opened,
  received: () => [[['a']]],
  answerOnCard: () => {},
  withdraw: () => {},
}
for (const { name, run } of hostChecks(() => rigs, { looks: 1 })) void [name, run()]
for (const { run } of voiceChecks(() => ({ voice, received: () => [] }))) void run()

const forms = createMcpHost({ sessionId: 's', answerWithinMs: Infinity })
const elicited = forms.onElicit(() => ({ action: 'decline' as const }))
void elicited({ params: {} }, { signal: new AbortController().signal, requestId: 0 })
void forms.answerOnDesktop('i', [['a'], null])
openLiveCall({ session: null, host: forms, voice })

const codex = createCodexHost({ answerWithinMs: Infinity })
const disconnect: () => void = codex.connect({
  send: ({ id, method }) => void [id, method],
  onMessage: (listener) => void listener({ id: 0, result: {} }),
  shared: true,
})
void [disconnect, codex.asks({ method: 'turn/started' }) satisfies boolean]
void codex.answerOnDesktop('i', [['a'], null]).then(({ status }) => status)
void codex.answerOnDesktop('i', { answers: { q: { answers: ['a', 'user_note: b'] } } })
void codex.answerOnDesktop('i', { action: 'accept', content: null })
openLiveCall({ session: { id: 'thread' }, host: codex, voice })
// @ts-expect-error a result of Codex has the answers under their questions
void codex.answerOnDesktop('i', { answers: ['a'] })

const piHost = createPiHost({ askTools: ['ask'], onSession: (id) => id satisfies string })
const endPi: () => void = piHost.connect({
  send: ({ type, id }) => void [type satisfies string, id satisfies string],
  onFrame: (listener) => listener({ type: 'agent_start' }),
})
declare const piProcess: import('node:child_process').ChildProcess
const frames = createPiConnection(piProcess)
const unheard: () => void = frames.onFrame(({ type }) => type)
frames.send({ type: 'prompt', message: 'a' })
piHost.connect(frames)
piHost.connect(piProcess)
piHost.decided('d')
void [endPi, unheard, piHost.asks({ type: 'agent_start' }) satisfies boolean]
void piExtension.length
void piHost.answerOnDesktop('i', [['a'], null]).then(({ status }) => status)
void piHost.answerOnDesktop('i', { cancelled: true })
void piHost.original('i')?.args
openLiveCall({ session: null, host: piHost, voice })
// @ts-expect-error a dialog is answered by labels, or not at all
void piHost.answerOnDesktop('i', { value: 'a' })
const opencode = createOpenCodeHost()
const stop: () => void = opencode.connect({
  baseUrl: 'http://127.0.0.1:4096',
  directory: undefined,
  headers: { authorization: 'Basic b3BlbmNvZGU6cHc=' },
  fetch: (request) => fetch(request),
})
void [stop, opencode.connect({ baseUrl: 'http://127.0.0.1:4096', fetch })]
void opencode.answerOnDesktop('i', [['a', 'b'], null]).then(({ status }) => status)
void opencode.answerOnDesktop('i', null)
void opencode.original('i')?.questions.map((one) => [one.header, one.multiple])
openLiveCall({ session: { id: 'ses' }, host: opencode, voice })
// @ts-expect-error an answer is a list of labels
void opencode.answerOnDesktop('i', ['a'])
