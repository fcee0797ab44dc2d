'use strict'
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const { createLocalHost } = require('spoken-answer/hosts/local')
const { createFakeVoice, createManualClock } = require('spoken-answer/testing')
const { connectVoice } = require('./connect.js')

test('what each of the events is for', async () => {
  const clock = createManualClock()
  const host = await createLocalHost()
  const provider = Object.assign(new EventEmitter(), createFakeVoice()) // It says `sent`.
  const call = connectVoice(provider, { session: { id: 'session-1' }, host: host.voice, clock })
  const { deliveries } = provider
  const questions = [{ question: 'Which database?', options: ['PostgreSQL', 'SQLite'] }]
  const question = { inputId: 'input-1', sessionId: 'session-1', questions }
  const answer = host.ask(question, { askedOf: 'ada' })
  await clock.advance()
  let speeches = 0
  async function says(instruction) {
    const id = ++speeches
    provider.emit('speech-started', id)
    await clock.advance(800)
    provider.emit('speech-ended', id)
    provider.emit('learned', id, { utterance: instruction })
    const request = { requestId: `request-${id}`, instruction }
    provider.emit('function-call', request, (receipt) => assert.ok(receipt))
    await clock.advance()
    return call.operations().at(-1)
  }
  const readOut = () => deliveries.filter(({ kind }) => kind === 'interaction-required')

  // The microphone hears the read-out, which has not ended.
  assert.equal((await says('SQLite')).reason, 'question-not-read-out')
  // The person talks over it, or the provider forgets: it is read out again.
  provider.emit('played', readOut()[0].feedbackId, 'interrupted')
  await clock.advance()
  provider.emit('reconnected')
  await clock.advance()
  assert.equal(readOut().length, 3)
  provider.emit('played', readOut()[2].feedbackId, 'spoken')

  // Only Ada may answer, and who spoke is known a moment later.
  assert.equal((await says('the second one')).state, 'classifying')
  provider.emit('learned', speeches, { speaker: { id: 'ada', attribution: 'voice' } })
  assert.deepEqual((await answer).answers, [['SQLite']])
  await call.close()
  await host.close()
})
