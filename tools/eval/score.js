'use strict'
// What the matcher makes of cases: an utterance, options, and the positions that are right.

const { SpokenQuestion } = require('../..')

/** Counts right, missed and wrong choices, and lists the last two. */
function score(cases) {
  const counts = { cases: cases.length, answerable: 0, right: 0, missed: 0, wrong: 0 }
  const misses = []
  for (const one of cases) {
    const { utterance, options, expect } = one
    const { kind, got, reason } = judge(one)
    if (expect.length > 0) counts.answerable++
    if (kind === 'right') {
      if (expect.length > 0) counts.right++
      continue
    }
    counts[kind]++
    misses.push({ kind, utterance, options, expect, got, reason })
  }
  return { counts, misses }
}

/** What one case comes to: right, missed or wrong, the positions chosen, and why if none. */
function judge(one) {
  const { options, expect, also = [] } = one
  const { status, reason, answers = [] } = match(one)
  const got = answers.flatMap((answer) => answer.options.map((label) => options.indexOf(label)))
  const is = (choice) => JSON.stringify(choice) === JSON.stringify(got)
  const isRight = is(expect) || also.some((choice) => choice.length > 0 && is(choice))
  return { kind: isRight ? 'right' : status === 'matched' ? 'wrong' : 'missed', got, reason }
}

function match({ utterance, options, multiSelect, language, question = 'Which one?' }) {
  const questions = [{ question, options, multiSelect }]
  const spoken = new SpokenQuestion({ inputId: 'input-1', sessionId: 'session-1', questions })
  return spoken.match(utterance, { language })
}

module.exports = { judge, match, score }
