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
function toBoolean(value) {
  if (value === null) return false
  return isScalar(value) ? (BOOLEANS.get(String(value).toLowerCase()) ?? value) : value
}

/** An object with these properties changed, where it has them. */
function changed(object, changes) {
  if (!isObject(object)) return object
  const copy = { ...object }
  for (const [name, change] of Object.entries(changes)) {
    if (Object.hasOwn(copy, name)) copy[name] = change(copy[name])
  }
  return copy
}

/** Without this property where it is `null`: that is none, where it may be left out. */
function without(object, name) {
  if (!isObject(object) || object[name] !== null) return object
  const { [name]: _, ...rest } = object
  return rest
}

// First what is left out, in what are lists already; then what is converted.
const inLists = (each) => (value) => (isArray(value) ? value.map(each) : value)
const leftOut = {
  questions: inLists((question) =>
    changed(without(question, 'multiSelect'), {
      options: inLists((option) => without(option, 'description')),
    }),
  ),
}
const toOption = (option) => changed(option, { label: toText, description: toText })
const toQuestion = (question) =>
  changed(question, {
    question: toText,
    options: (options) => toList(options).map(toOption),
    multiSelect: toBoolean,
  })
const converted = { questions: (questions) => toList(questions).map(toQuestion) }

const passedOn = (args) => changed(changed(args, leftOut), converted)

module.exports = { passedOn }
