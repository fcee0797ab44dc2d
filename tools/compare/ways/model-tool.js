'use strict'
// The second way: the voice model has a tool with an enum of the labels, and a prompt. The model is
// scripted (see the scenarios); what is around it is as careful as the first way: the value is one of
// the enum, the question is still open, a call counts once, a question is answered once. What was read
// out is the model's to know, as it is the one that speaks.

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
  const seen = new Set()
  const answered = new Set()
  const oldest = async () => (await host.list()).find(({ kind }) => kind === 'question')

  // The model is given the new tool and reads the question out itself.
  async function readOut() {
    const input = await oldest()
    if (isDeepStrictEqual(input, asked)) return
    asked = input
    if (input === undefined) return
    const text = model.readsOut(input)
    while (asked === input && (await voice.say(text)) === 'interrupted');
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
    if (answered.has(input)) return voice.say('That has been answered already.')
    answered.add(input)
    if (!isDeepStrictEqual(await oldest(), input)) return voice.say('That question is closed.')
    try {
      const reply = await host.answer(
        input.inputId,
        value.map((label) => [label]),
      )
      await voice.say(reply === 'taken' ? `Done: ${value.join(', ')}.` : 'The card was first.')
    } catch {
      answered.delete(input)
      await voice.say('That did not get through; please say it again.')
    }
  }

  host.watch(readOut)
  readOut()
  return { hear }
}

module.exports = { UNSURE, open }
