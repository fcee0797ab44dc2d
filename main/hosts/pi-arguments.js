'use strict'
// The arguments of our tool as Pi passes them on. Models are careless: what they write is made to fit the
// tool's schema before the tool sees it, and told to clients as it was written. Pure.

const { isArray, isObject } = require('../own.js')

const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)
const toText = (value) => (isScalar(value) || value === null ? String(value) : value)
/** One thing where a list belongs is a list of it. */
const toList = (value) => (isArray(value) ? value : [value])

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
const toBoolean = (value) =>
  isScalar(value) ? (BOOLEANS.get(String(value).toLowerCase()) ?? value) : value

/** An object with these properties changed, where it has them; `null` is none for one that may be left out. */
function changed(object, required, optional) {
  if (!isObject(object)) return object
  const copy = { ...object }
  for (const [name, change] of Object.entries(required)) {
    if (Object.hasOwn(copy, name)) copy[name] = change(copy[name])
  }
  for (const [name, change] of Object.entries(optional)) {
    if (copy[name] === null || copy[name] === undefined) delete copy[name]
    else copy[name] = change(copy[name])
  }
  return copy
}

const toOption = (option) => changed(option, { label: toText }, { description: toText })
const toQuestion = (question) =>
  changed(
    question,
    { question: toText, options: (options) => toList(options).map(toOption) },
    { multiSelect: toBoolean },
  )

const passedOn = (args) =>
  changed(args, { questions: (questions) => toList(questions).map(toQuestion) }, {})

module.exports = { passedOn }
