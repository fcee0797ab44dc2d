'use strict'
// What the end of a tool call of Pi's says of a question that the call asked, and of our answer. Pure.

const form = require('./pi-form.js')
const { isSilent, isTold, toldIn } = require('./pi-told.js')

const PROVED = { is: 'proved' }
const REFUSED = { is: 'refused' }
const NOTHING = { is: 'nothing' }

/**
 * `'proved'`: it had what was `given`; `'refused'`: it had nothing; `'elsewhere'`: it had something else,
 * with the `optionIndexes` of that; `'nothing'`: it does not say. `asked` are all dialogs of the call.
 */
function toVerdict(question, given, asked, { result, isError }) {
  const { isForm, original, entries } = question
  // What does not say that it is no error is one.
  return isForm
    ? ofForm(original.args.questions, entries, result, isError !== false)
    : ofSelect(original.dialog, given, asked, result, isError !== false)
}

function ofForm(questions, entries, result, isError) {
  const had = form.readResult(questions, result, isError)
  if (had === null) return REFUSED
  if (had === undefined) return NOTHING
  if (JSON.stringify(had.answers) === JSON.stringify(entries)) return PROVED
  return { is: 'elsewhere', optionIndexes: had.answers && form.toPositions(had.answers) }
}

function ofSelect(dialog, given, asked, result, isError) {
  if (isError) return REFUSED
  const isProved = () =>
    given.declined
      ? isSilent(result, dialog, asked)
      : isTold(result, dialog, dialog.options.indexOf(given.answers[0][0]), asked)
  if (given !== null && isProved()) return PROVED
  const told = toldIn(result, dialog, asked)
  return told === undefined ? NOTHING : { is: 'elsewhere', optionIndexes: [[told]] }
}

module.exports = { toVerdict }
