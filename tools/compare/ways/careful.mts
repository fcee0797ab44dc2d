// The first way: what a careful engineer writes instead of taking a package. `timed` is one thought more:
// words that began before the question was heard to its end are no answer to it.
import { isDeepStrictEqual } from 'node:util'
import type { HostEvent, Input, Request, Way, World } from '../world.js'

const list = (words: string) => words.split(' ')
const COUNT = list('one two three four five six seven eight nine ten eleven twelve')
const ORDINALS = list(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
)
const FILLERS = list('uh um er well ok okay please thanks the a i id like lets take option number')
const IN_DOUBT = /\b(not|dont|except|hm|maybe|perhaps|or|what|which|why|how|wait|sorry)\b|\?/

const plain = (text: string) => {
  const words = text
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[.!?]+(\s|$)/g, ' ')
  return (words.match(/[\p{L}\p{N}.]+/gu) ?? []).map((word) =>
    /^ye(ah|p)$/.test(word) ? 'yes' : word,
  )
}

/** The one option that is meant; null where it is about the options and not clear, else undefined. */
function choose(options: string[], said: string) {
  const exact = options.filter((label) => isDeepStrictEqual(plain(label), plain(said)))
  if (exact.length > 0) return exact.length === 1 ? exact[0] : null
  const rest = plain(said).filter((word) => !FILLERS.includes(word))
  if (IN_DOUBT.test(said.replace(/'/g, '').toLowerCase())) return null
  if (rest.length === 2 && rest[1] === 'one') rest.pop() // "the second one"
  const position = Math.max(ORDINALS.indexOf(rest[0]!), COUNT.indexOf(rest[0]!))
  if (rest.length === 1 && rest[0] === 'last') return options.at(-1)
  if (rest.length === 1 && position >= 0) return options[position] ?? null
  const has = (label: string) => (word: string) => plain(label).includes(word)
  const named = options.filter((label) => rest.length > 0 && rest.every(has(label)))
  if (named.length > 0) return named.length === 1 ? named[0] : null
  return options.some((label) => rest.some(has(label))) ? null : undefined
}

export function careful({ host, voice, clock }: World, timed: boolean): Way {
  let asked: Input | undefined // The question that is being read out, or was.
  let heardAt = Infinity
  let reading = new AbortController()
  const seen = new Set<string>()
  const answered = new Set<Input>() // Once each: it may have arrived, whatever the reply was.
  const sent = new Map<string, string[][]>() // What became of it is what the host tells of it.
  const oldest = async () => (await host.list()).find(({ kind }) => kind === 'question')

  async function readOut() {
    const input = await oldest()
    if (isDeepStrictEqual(input, asked)) return
    reading.abort()
    ;[asked, heardAt, reading] = [input, Infinity, new AbortController()]
    const lines = input?.questions.flatMap(({ question, options }) => [question, ...options]) ?? []
    if (Buffer.byteLength(lines.join('\n')) > voice.limit) return voice.say('Please use the card.')
    while (input && asked === input && heardAt === Infinity) {
      const outcome = await voice.say(lines.join('\n'), reading.signal)
      if (asked === input && outcome === 'spoken') heardAt = clock.now()
    }
  }

  function told(event: HostEvent) {
    const inputId = event.type === 'asked' ? event.input.inputId : event.inputId
    const answer = sent.get(inputId)
    if (answer && event.type === 'answered' && isDeepStrictEqual(event.answers, answer))
      void voice.say(`Done: ${answer.join(', ')}.`)
    else if (answer) void voice.say('That came too late; the card shows what became of it.')
    sent.delete(inputId)
    void readOut()
  }

  async function hear({ requestId, words, speechStartedAt }: Request) {
    if (seen.has(requestId)) return
    seen.add(requestId)
    const input = asked
    if (input === undefined) return host.instruct(words)
    // Several questions are answered in one sentence: "yes, no and yes".
    const { questions } = input
    const parts = questions.length === 1 ? [words] : words.split(/,\s*(?:and\s+)?|\s+and\s+/)
    const choices = parts.map((part, n) => choose(questions[n]?.options ?? [], part))
    if (choices.every((choice) => choice === undefined)) return host.instruct(words)
    if ((timed ? speechStartedAt : clock.now()) < heardAt)
      return voice.say('Please listen to the question first, or use the card.')
    const chosen = choices.flatMap((choice) => (choice ? [[choice]] : []))
    if (chosen.length !== questions.length || parts.length !== questions.length)
      return voice.say('I could not tell which option that was; please say it again.')
    if (answered.has(input)) return voice.say('An answer is on its way; the card shows it.')
    answered.add(input)
    if (!isDeepStrictEqual(await oldest(), input)) return voice.say('That question is closed.')
    sent.set(input.inputId, chosen)
    await host.answer(input.inputId, chosen).catch(() => {
      if (sent.get(input.inputId) === chosen) void voice.say('It may have arrived; please wait.')
    })
  }

  host.watch(told)
  void readOut()
  return { hear }
}
