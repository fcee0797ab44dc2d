'use strict'
// Says what was wrong with a play: from what the agent got, what the person had heard, and what they
// were told. What a way believes of itself is not looked at.

const { REFUSALS } = require('../..')

const FAULTS = {
  wrong: 'wrong',
  double: 'double',
  unheard: 'unheard',
  lost: 'lost',
  refused: 'needlessly refused',
  untrue: 'told what is not so',
}

/** How what tells the person that an answer arrived begins: in the other ways, and in this package. */
const ARRIVED = ['Done: ', 'The answer was accepted.']
/** The refusals of this package that tell the person that what they answered did not arrive. */
const NOT_ARRIVED = [
  'question-changed',
  'answered-elsewhere',
  'question-not-read-out',
  'speaker-unknown',
  'request-conflict',
  'host-rejected',
  'host-unavailable',
  'call-closed',
]
/** What tells them so: in the other ways, and in this package. */
const NONE = ['That came too late', ...NOT_ARRIVED.map((reason) => REFUSALS[reason].message)]

const saysArrived = ({ text }) => ARRIVED.some((start) => text.startsWith(start))
const saysNone = ({ text }) => NONE.some((part) => text.includes(part))

/**
 * `wanted` is the answer by voice that each opening should get, in their order, and `passes` what the
 * agent should be told to do. Gives the faults, none where all is right.
 */
function judge({ wanted = [], passes = [] }, { openings, instructions, spoken, said }) {
  const faults = new Set()
  const isByVoice = ({ by }) => by === 'voice'
  const last = spoken.at(-1)

  for (const [index, opening] of openings.entries()) {
    const want = wanted[index] ?? null
    const given = opening.answers.filter(isByVoice)
    if (opening.answers.length > 1) faults.add(FAULTS.double)
    for (const { answers, at } of given) {
      if (!wasHeard(opening, at)) faults.add(FAULTS.unheard)
      else if (JSON.stringify(answers) !== JSON.stringify(want)) faults.add(FAULTS.wrong)
    }
    if (want === null || given.length > 0) continue
    const wasTold = said.some((one) => one.at > last.at && !saysArrived(one))
    faults.add(wasTold ? FAULTS.refused : FAULTS.lost)
  }

  const arrived = openings.flatMap(({ answers }) => answers.filter(isByVoice))
  // Words that should have been an answer and went on as an order are lost, as judged above.
  const isMissing = arrived.length < wanted.filter((want) => want !== null).length
  const isExcused = (text) => passes.includes(text) || (isMissing && text === last.words)
  if (!instructions.every(isExcused)) faults.add(FAULTS.wrong)
  if (!passes.every((text) => instructions.includes(text))) faults.add(FAULTS.lost)

  const claims = said.filter(saysArrived)
  const isDenied = (one) => {
    const { answers = [] } = openings.findLast(({ askedAt }) => askedAt < one.at) ?? {}
    return saysNone(one) && answers.some((given) => isByVoice(given) && given.at < one.at)
  }
  if (claims.length > arrived.length || said.some(isDenied)) faults.add(FAULTS.untrue)
  return Object.values(FAULTS).filter((fault) => faults.has(fault))

  /** Whether every word of it had been said, since it was asked, when the person began to speak. */
  function wasHeard({ input, askedAt }, at) {
    const began = spoken.findLast((one) => one.at <= at)?.began ?? 0
    const heard = said.filter((one) => one.at > askedAt && one.at <= began)
    return input.questions
      .flatMap(({ question, options }) => [question, ...options])
      .every((text) => heard.some((one) => one.text.includes(text)))
  }
}

module.exports = { FAULTS, NOT_ARRIVED, judge, saysArrived, saysNone }
