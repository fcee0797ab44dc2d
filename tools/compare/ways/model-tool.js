'use strict'
// The second way: the voice model has a tool with an enum of the labels, and a prompt. The model is
// scripted (see the scenarios); what is around it is as careful as the first way: the value is one of
// the enum, the question is still open, a call counts once, a question is answered once, and what arrived
// is what the host tells of it. What was read out is the model's to know, as it is the one that speaks.

const { isDeepStrictEqual } = require('node:util')

const UNSURE = 'unsure'

const PROMPT = `You speak for a work agent. When it asks a question, read out the whole question and every
option, word for word, and wait. Call answer_question only when the person has clearly chosen; where they
hesitate, ask something back, or you are not certain, give "${UNSURE}". Pass everything else that they want
done to instruct_agent, in their own words. Never decide for them, and never approve anything.`

/** The tools that the model has while this question is open; the schema has its labels and no others. */
function toolsFor(input) {
  const instruct = {
    name: 'instruct_agent',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  }
  if (input === undefined) return [instruct]
  const entries = input.questions.map(({ question, options }, n) => [
    `answer_${n + 1}`,
    { type: 'string', description: question, enum: [...options, UNSURE] },
  ])
  const properties = Object.fromEntries(entries)
  const parameters = { type: 'object', properties, required: Object.keys(properties) }
  return [instruct, { name: 'answer_question', parameters }]
}

/** `model.reply` gives the tool that the model calls, or what it says itself. */
function open({ host, voice }, model) {
  let asked
  let reading = new AbortController()
  const seen = new Set()
  const answered = new Set()
  const sent = new Map()
  const oldest = async () => (await host.list()).find(({ kind }) => kind === 'question')

  // The model is given the new tool and reads the question out itself.
  async function readOut() {
    const input = await oldest()
    if (isDeepStrictEqual(input, asked)) return
    reading.abort()
    reading = new AbortController()
    asked = input
    if (input === undefined) return
    const text = model.readsOut(input)
    while (asked === input && (await voice.say(text, reading.signal)) === 'interrupted');
  }

  // The result of the tool call, once the host tells what became of it.
  function told({ type, input, inputId = input.inputId, answers }) {
    const answer = sent.get(inputId)
    if (answer && type === 'answered' && isDeepStrictEqual(answers, answer))
      voice.say(`Done: ${answer.join(', ')}.`)
    else if (answer) voice.say('That came too late; the card shows what became of it.')
    sent.delete(inputId)
    readOut()
  }

  async function hear(request) {
    const input = asked
    const { name, value } = model.reply(request, toolsFor(input), PROMPT)
    if (name === 'says') return voice.say(value)
    if (seen.has(request.requestId)) return
    seen.add(request.requestId)
    if (name === 'instruct_agent') return host.instruct(value)
    const { properties } = toolsFor(input)[1].parameters
    const isOffered = Object.values(properties).every((one, n) => one.enum.includes(value[n]))
    if (!isOffered || value.includes(UNSURE))
      return voice.say('Which one is it? Please say it again.')
    if (answered.has(input)) return voice.say('An answer is on its way; the card shows it.')
    answered.add(input)
    if (!isDeepStrictEqual(await oldest(), input)) return voice.say('That question is closed.')
    const chosen = value.map((label) => [label])
    sent.set(input.inputId, chosen)
    await host.answer(input.inputId, chosen).catch(() => {
      if (sent.get(input.inputId) === chosen) voice.say('It may have arrived; please wait.')
    })
  }

  host.watch(told)
  readOut()
  return { hear }
}

module.exports = { UNSURE, open }
