'use strict'
// Between a voice provider and a live call. The provider's events come under names of our own.

const { performance } = require('node:perf_hooks')
const { openLiveCall } = require('spoken-answer/main')

/** What the voice model is given. */
const TOOL = {
  name: 'instruct_agent',
  description:
    'Passes on to the agent what the person wants of it or answers it, in their own words. ' +
    'Nothing is done or answered before the agent says so.',
  parameters: {
    type: 'object',
    properties: { instruction: { type: 'string' } },
    required: ['instruction'],
    additionalProperties: false,
  },
}

function connectVoice(provider, options) {
  const clock = options.clock ?? performance
  const given = { voice: provider, readOut: 'spoken', evidence: 'required' }
  const call = openLiveCall({ ...given, ...options })
  const speeches = new Map() // By the provider's id.
  let last // What was said to its end: a request comes of that.

  provider.on('speech-started', (id) => {
    speeches.set(id, { evidence: { speechStartedAt: clock.now() }, requests: [] })
    if (speeches.size > 20) speeches.delete(speeches.keys().next().value)
  })
  provider.on('speech-ended', (id) => (last = speeches.get(id)))
  // A transcript, as `{ utterance }`, or who spoke, as `{ speaker }`.
  provider.on('learned', (id, evidence) => {
    const speech = speeches.get(id)
    if (speech === undefined) return
    Object.assign(speech.evidence, evidence)
    for (const requestId of speech.requests) call.heard(requestId, evidence)
  })
  provider.on('function-call', ({ requestId, instruction }, reply) => {
    last?.requests.push(requestId)
    reply(call.instruct({ requestId, instruction }, last?.evidence).receipt)
  })
  provider.on('played', (feedbackId, outcome) => call.delivered(feedbackId, outcome))
  provider.on('reconnected', () => {
    speeches.clear()
    last = undefined
    call.voiceReset()
  })
  return call
}

module.exports = { TOOL, connectVoice }
