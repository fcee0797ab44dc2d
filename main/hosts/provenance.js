'use strict'
// Who answered, as a voice handle says it: made anew of what is known, typed and bounded. The
// message comes from elsewhere, and whatever else is in it stays out of the journal.

const { LIMITS } = require('../..')
const { isObject } = require('./arguments.js')

const isShort = (value) =>
  typeof value === 'string' &&
  value.length <= LIMITS.idBytes &&
  Buffer.byteLength(value) <= LIMITS.idBytes
const isId = (value) => isShort(value) && value !== ''
const isOneOf =
  (...words) =>
  (value) =>
    words.includes(value)

const FACTS = {
  callId: isId,
  operationId: isId,
  requestId: isId,
  readOut: isOneOf('sent', 'spoken'),
  basis: isOneOf('utterance', 'instruction', 'both'),
  at: Number.isFinite,
}

/** `null` where a fact is missing or of another type. `digest` and `shortened` are the host's own. */
function byVoice(claimed, { digest, shortened }) {
  if (!isObject(claimed)) return null
  const facts = { kind: 'voice' }
  for (const [name, fits] of Object.entries(FACTS)) {
    const value = claimed[name]
    if (!fits(value)) return null
    facts[name] = value
  }
  const { provider, speaker } = claimed
  if (provider !== undefined) {
    if (!isShort(provider)) return null
    facts.provider = provider
  }
  if (speaker !== undefined) {
    if (!isObject(speaker)) return null
    const { id, attribution } = speaker
    if (!isId(id) || !isShort(attribution)) return null
    facts.speaker = { id, attribution }
  }
  return { ...facts, digest, shortened }
}

module.exports = { byVoice }
