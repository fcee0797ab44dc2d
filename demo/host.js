'use strict'
// An agent host of a few lines: it owns one open question, and whoever answers first closes it.

const { SpokenQuestion } = require('..')

/** Holds `question` open; `onEvent` hears what becomes of it. */
function openHost(question, onEvent) {
  let open = { kind: 'question', ...question }
  onEvent({ type: 'input.requested', input: open })
  return {
    openInputs: () => (open ? [open] : []),
    /** Compares the digest in the very step in which it writes. */
    resolveInput({ inputId, expectDigest, optionIndexes, resolvedBy }) {
      if (open?.inputId !== inputId) return { status: 'rejected', code: 'not-found' }
      if (new SpokenQuestion(open).digest !== expectDigest) {
        return { status: 'rejected', code: 'question-changed' }
      }
      open = null
      onEvent({ type: 'input.resolved', inputId, optionIndexes, resolvedBy })
      return { status: 'resolved' }
    },
  }
}

module.exports = { openHost }
