'use strict'
// What an MCP server asks by elicitation, and what it takes for an answer. Pure. A form is a question only
// where everything it needs is chosen among options; whatever smells of consent is none.

const { LIMITS } = require('../..')
const { isObject } = require('./arguments.js')

const isText = (value) => typeof value === 'string'
const isList = (value) => Array.isArray(value)

/** Marks in `_meta` by which hosts dress a permission as a form. */
const isMark = (name) => /permission|approval|consent/i.test(name)

/** What a request waits for. */
function kindOf(params) {
  if (!isObject(params)) return 'other'
  const { _meta: marks, mode = 'form', requestedSchema } = params
  if (isObject(marks) && Object.keys(marks).some(isMark)) return 'permission'
  // Else it is a page to go to and to sign in at.
  if (mode !== 'form') return 'other'
  const fields = fieldsOf(requestedSchema)
  if (fields === null) return 'other'
  // To accept an empty form, or to tick or leave a box, is to consent.
  const isBox = ({ schema }) => [schema.type].flat().includes('boolean')
  if (fields.length === 0 || fields.some(isBox)) return 'permission'
  return toForm(params) === null ? 'other' : 'question'
}

/** The fields of a form; `null` where it is none, or wants one that it does not have. */
function fieldsOf(schema) {
  if (!isObject(schema) || !isObject(schema.properties)) return null
  const required = isList(schema.required) ? schema.required : []
  if (!required.every((name) => Object.hasOwn(schema.properties, name))) return null
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }))
  return fields.every((field) => isObject(field.schema)) ? fields : null
}

/**
 * A form with what it takes to answer it: for each field that is a choice its text, its options and their
 * values. `null` where a field that is needed is not a choice, where one that is left out would be filled in
 * by itself, where two of anything cannot be told apart, or where a text would not be read out to its end:
 * nobody answers what they have not heard.
 */
function toForm({ message, requestedSchema }) {
  const fields = fieldsOf(requestedSchema)
  const choices = []
  for (const field of fields ?? []) {
    const choice = choiceOf(field)
    if (choice !== null) choices.push(choice)
    else if (field.isRequired || field.schema.default !== undefined) return null
  }
  if (choices.length === 0) return null
  const areDistinct = (list) => new Set(list).size === list.length
  const isClear = ({ values, labels, min, max }) =>
    values.length > 1 &&
    areDistinct(values) &&
    areDistinct(labels) &&
    max > 0 &&
    // More than are read out cannot be chosen.
    min <= Math.min(max, LIMITS.options)
  if (!choices.every(isClear) || !areDistinct(choices.map(textOf))) return null
  const said = isFilled(message) ? [message] : []
  const form = choices.map((choice, n) => {
    // The message is read out with the first. Where it is all there is, the field's name says nothing more.
    const before = n === 0 ? said : []
    const own = choices.length === 1 && before.length > 0 ? choice.own : textsOf(choice)
    return Object.assign(choice, { text: `${countOf(choice)}${joined([...before, ...own])}` })
  })
  return form.every(({ text }) => [...text].length <= LIMITS.questionChars) ? form : null
}

const isFilled = (text) => isText(text) && text.trim() !== ''

/** What a field says of itself; its name where it says nothing. */
const textsOf = ({ own, name }) => (own.length > 0 ? own : [name])
const textOf = (choice) => joined(textsOf(choice))

/** Texts one after the other, each once. */
function joined(texts) {
  const distinct = [...new Set(texts.map((text) => text.trim()))]
  return distinct.reduce((all, text) => `${all}${/\p{P}$/u.test(all) ? ' ' : ': '}${text}`)
}

/** How many, where that is not one or any; first, as it is what to listen for. */
function countOf({ min, max, values }) {
  if (min > 1 && min === max) return `Choose ${min}. `
  if (min > 1) return max < values.length ? `Choose ${min} to ${max}. ` : `Choose ${min} or more. `
  return max > 1 && max < values.length ? `Choose ${max} at most. ` : ''
}

/** A field that is a choice: one of the five ways to write it. */
function choiceOf({ name, schema, isRequired }) {
  const { type, title, description } = schema
  const isMany = type === 'array'
  if (!isMany && type !== 'string') return null
  const options = optionsOf(isMany ? schema.items : schema, isMany ? 'anyOf' : 'oneOf')
  if (options === null) return null
  const count = options.values.length
  const min = isMany ? bound(schema.minItems, isRequired ? 1 : 0) : 1
  const max = isMany ? bound(schema.maxItems, count) : 1
  const own = [title, description].filter(isFilled)
  return { name, own, ...options, isMany, isRequired, min, max: Math.min(max, count) }
}

const bound = (value, otherwise) => (Number.isSafeInteger(value) && value >= 0 ? value : otherwise)

/** Values for the server and labels for people. */
function optionsOf(schema, titled) {
  if (!isObject(schema)) return null
  const { enum: values, enumNames: names } = schema
  if (isList(values)) {
    if (!Array.from(values).every(isText)) return null
    const areNamed = isList(names) && names.length === values.length && names.every(isText)
    return { values, labels: areNamed ? names : values }
  }
  const options = schema[titled]
  const isOption = (option) => isObject(option) && isText(option.const)
  if (!isList(options) || !Array.from(options).every(isOption)) return null
  return {
    values: options.map((option) => option.const),
    labels: options.map((option) => (isText(option.title) ? option.title : option.const)),
  }
}

/** The form as a live call sees it. */
function toQuestions(form) {
  return form.map(({ text, labels, isMany, max }) => ({
    question: text,
    options: labels.map((label) => ({ label })),
    multiSelect: isMany && max > 1,
  }))
}

/** Whether so many of each may be chosen. */
function fits(form, optionIndexes) {
  return form.every(({ min, max }, n) => {
    const { length } = optionIndexes[n]
    return length >= min && length <= max
  })
}

/** The answer for the server, in its own values. */
function toResult(form, optionIndexes) {
  const entries = form.map(({ name, values, isMany }, n) => {
    const chosen = optionIndexes[n].map((index) => values[index])
    return [name, isMany ? chosen : chosen[0]]
  })
  return { action: 'accept', content: Object.fromEntries(entries) }
}

/**
 * The same for the card, by labels, where `null` leaves a field out that is not needed; `null` where the
 * server would not take it.
 */
function toCardResult(form, answers) {
  if (!isList(answers) || answers.length !== form.length) return null
  const entries = []
  for (const [n, { name, labels, values, isMany, isRequired, min, max }] of form.entries()) {
    const answer = answers[n]
    if (answer === null) {
      if (isRequired) return null
      continue
    }
    if (!isList(answer) || answer.length < min || answer.length > max) return null
    const indexes = answer.map((label) => labels.indexOf(label))
    if (indexes.includes(-1) || new Set(indexes).size !== indexes.length) return null
    const chosen = indexes.map((index) => values[index])
    entries.push([name, isMany ? chosen : chosen[0]])
  }
  return { action: 'accept', content: Object.fromEntries(entries) }
}

module.exports = { fits, kindOf, toCardResult, toForm, toQuestions, toResult }
