'use strict'
// What a tool of Pi's told the model of an answer by a plain dialog. Pure. A tool says it as it likes, and
// much of what it says is no answer: what it asked, what it recommends, that nobody answered. So only what
// stands where answers stand counts, and where something was not looked at nothing does.

const { isObject } = require('./arguments.js')
const { areLabels } = require('./pi-inside.js')

/** Under these keys of its details, and in lists under them, a tool keeps answers. */
const KEYS = new Set(['answer', 'answers', 'chosen', 'choice', 'selected', 'selection', 'value'])
/** What such a key says beside this is no answer of anybody. */
const NOBODY = ['aborted', 'canceled', 'cancelled', 'dismissed', 'expired', 'skipped', 'timedOut']

/** How far one looks. */
const DEPTH = 8
const VALUES = 2_000

const QUOTES = ['""', "''", '``', '“”', '‘’', '«»', '„“']

const isText = (value) => typeof value === 'string'

/** Everything that stands as an answer in a value; `null` where it was not all looked at. */
function answersIn(value, isQuestion, isAnswer = false) {
  const found = []
  let left = VALUES
  const look = (one, counts, depth) => {
    left -= depth > DEPTH ? VALUES + 1 : 1
    // A list of what was offered is the question once more.
    if (left < 0 || isQuestion(one)) return
    if (counts) found.push(one)
    if (!isObject(one) || NOBODY.some((key) => one[key] === true)) return
    for (const [key, inner] of Object.entries(one)) {
      if (left < 0) return
      if (Array.isArray(one)) look(inner, counts, depth + 1)
      else if (KEYS.has(key)) look(inner, true, depth + 1)
    }
  }
  look(value, isAnswer, 0)
  return left < 0 ? null : found
}

/** Whether no other dialog offers any of its options. */
function isDistinct(dialog, asked) {
  const others = asked.filter((one) => one !== dialog)
  const offered = new Set(others.flatMap(({ options }) => options))
  return !dialog.options.some((label) => offered.has(label))
}

/**
 * The labels that the details of a result hold as answers; `null` where they do not tell. `asked` are all
 * dialogs of the tool call: where others offer the same, only a list with one place for each of them tells
 * which is which.
 */
function inDetails(result, dialog, asked) {
  const isQuestion = (one) =>
    Array.isArray(one) && asked.some(({ options }) => areLabels(one, options))
  const held = (values) => values && dialog.options.filter((label) => values.includes(label))
  const values = answersIn(isObject(result) ? result.details : undefined, isQuestion)
  if (values === null || isDistinct(dialog, asked)) return held(values)
  const places = values.filter((list) => Array.isArray(list) && list.length === asked.length)
  const told = places.map((list) => held(answersIn(list[asked.indexOf(dialog)], isQuestion, true)))
  const [first = null] = told
  return told.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : null
}

/** Whether a text is this label, or holds it in quotation marks, or after a colon to the end of a line. */
function holds(text, label) {
  if (text.trim() === label.trim()) return true
  if (label.trim() === '') return false
  const quoted = QUOTES.map(([open, close]) => `${open}${label}${close}`)
  if ([...quoted, JSON.stringify(label)].some((one) => text.includes(one))) return true
  const parts = text.split(label)
  return parts.some(
    (before, n) =>
      n + 1 < parts.length &&
      /[:：]$/.test(before.replace(/[^\S\n]+$/, '')) &&
      /^[.!]?[^\S\n]*(\n|$)/.test(parts[n + 1]),
  )
}

/** Whether a text holds this label at all, and not as part of a longer word. */
function mentions(text, label) {
  const literal = label.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** The text of a result. */
function textOf(result) {
  const content = isObject(result) && Array.isArray(result.content) ? result.content : []
  return content.map((part) => (isText(part?.text) ? part.text : '')).join('\n')
}

/** The position of the option that the details of a result hold; `undefined` where they tell none. */
function toldIn(result, dialog, asked = [dialog]) {
  const [label, ...more] = inDetails(result, dialog, asked) ?? []
  return label === undefined || more.length > 0 ? undefined : dialog.options.indexOf(label)
}

/** Whether a result holds this option, and no other: its details, or else its text. */
function isTold(result, dialog, position, asked = [dialog]) {
  const { title, options } = dialog
  const details = inDetails(result, dialog, asked)
  if (details === null || details.length > 0) {
    const told = toldIn(result, dialog, asked)
    return told !== undefined && told === position
  }
  if (!isDistinct(dialog, asked)) return false
  // A number or a letter stands in any text, and so does what the question itself holds.
  if (options.some((label) => /^(\d+|.?)$/u.test(label) || holds(title, label))) return false
  const text = textOf(result)
  const [label, ...more] = options.filter((one) => holds(text, one))
  return label !== undefined && more.length === 0 && options.indexOf(label) === position
}

/** Whether a result certainly tells none of the options: its text does not even mention one. */
function isSilent(result, dialog, asked = [dialog]) {
  const details = inDetails(result, dialog, asked)
  if (details === null || details.length > 0) return false
  if (!isDistinct(dialog, asked)) return true
  const { title, options } = dialog
  // The question may mention them, but not where it is one.
  const isLabel = options.some((label) => label.includes(title))
  const text = isLabel ? textOf(result) : textOf(result).replaceAll(title, '\n')
  return !options.some((label) => mentions(text, label))
}

module.exports = { isSilent, isTold, toldIn }
