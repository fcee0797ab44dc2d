'use strict'
// A private question as the voice sees it: something waits. Its text, its options and what was chosen
// stay with the card.

function discreetInput(input) {
  if (!input.private) return input
  return { kind: 'other', inputId: input.inputId, sessionId: input.sessionId }
}

/** An event of a private question. */
function discreetEvent({ type, inputId, input, resolvedBy, proof }) {
  if (type === 'input.requested') return { type, input: discreetInput(input) }
  if (type !== 'input.resolved') return { type, inputId }
  return { type, inputId, resolvedBy, ...(proof && { proof }) }
}

module.exports = { discreetEvent, discreetInput }
