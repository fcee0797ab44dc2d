'use strict'
// Until the package understands what people say: an exact label, or its number.

/**
 * What was typed → answers. Questions are separated by `;`, several options of one by `,`. Labels
 * outrank numbers, and whatever is neither is passed on as it is: the package refuses it.
 */
function toAnswers(typed, views) {
  const whole = views.length === 1 ? [typed] : typed.split(';')
  return whole.map((part, questionIndex) => ({
    questionIndex,
    options: toLabels(part.trim(), views[questionIndex]),
  }))
}

function toLabels(text, view) {
  if (view === undefined || view.options.includes(text)) return [text]
  const parts = view.multiSelect ? text.split(',') : [text]
  return parts.map((part) => toLabel(part.trim(), view))
}

function toLabel(text, { options }) {
  if (options.includes(text) || !/^[0-9]{1,3}$/.test(text)) return text
  return options[Number(text) - 1] ?? text
}

module.exports = { toAnswers }
