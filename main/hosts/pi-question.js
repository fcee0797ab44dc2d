'use strict'
// What Pi asks in RPC mode, and what its tools make of an answer. Pure. A dialog says neither who opened it
// nor what for, and whatever is sent back is taken.

const { isObject } = require('./arguments.js')
const form = require('./pi-form.js')

/** Frames that wait for a reply. */
const DIALOGS = new Set(['select', 'confirm', 'input', 'editor'])

/** How far into the arguments and the result of a tool one looks. */
const DEPTH = 6
const VALUES = 2_000

const isText = (value) => typeof value === 'string'
const labelOf = (option) => (isObject(option) ? option.label : option)
const areSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** Everything inside of a value, itself included; what is too deep or too much is left out. */
function inside(value) {
  const found = [value]
  let layer = [value]
  for (let depth = 0; depth < DEPTH && layer.length > 0; depth++) {
    layer = layer.filter(isObject).flatMap((one) => Object.values(one))
    if (found.length + layer.length > VALUES) break
    found.push(...layer)
  }
  return found
}

/** The questions in the arguments of a tool that a dialog with this text and these options asks. */
function inArguments(args, { title, options }) {
  return inside(args).flatMap((one) => {
    if (!isObject(one) || Array.isArray(one)) return []
    const values = Object.values(one)
    const isList = (list) => Array.isArray(list) && areSame(list.map(labelOf), options)
    const list = values.includes(title) ? values.find(isList) : undefined
    return list === undefined ? [] : [list]
  })
}

/** The question of a plain dialog as a live call sees it; descriptions are the tool's own. */
function toQuestion({ title, options }, list) {
  const toOption = (label, n) => {
    const description = isObject(list[n]) ? list[n].description : undefined
    return isText(description) && description !== '' ? { label, description } : { label }
  }
  return { question: title, options: options.map(toOption), multiSelect: false }
}

/**
 * What a dialog waits for; `null` where it waits for nobody. `calls` are the tool calls that run, and
 * `announced` the id of the one whose dialog our extension said that this is. A question comes with its
 * `call`, and with the `questions` that are asked.
 */
function toAsked(dialog, calls, askTools, announced) {
  const { method, title, options } = dialog
  if (!DIALOGS.has(method)) return null
  if (method === 'confirm') return { kind: 'permission' }
  if (method === 'input') return inForm(dialog, calls, announced) ?? { kind: 'other' }
  if (method === 'editor') return { kind: 'other' }
  const isSelect = isText(title) && Array.isArray(options) && Array.from(options).every(isText)
  if (!isSelect || options.length === 0) return { kind: 'permission' }
  // A gate before another tool may ask in the very words that the model gave the ask tool.
  if (!calls.every(({ toolName }) => askTools.has(toolName))) return { kind: 'permission' }
  const found = calls.flatMap((call) =>
    inArguments(call.args, dialog).map((list) => ({ call, list })),
  )
  // Nobody says which of several calls it is of, or whether it is asked once more.
  if (found.length > 1 || found[0]?.call.asked.has(title)) return { kind: 'other' }
  if (found.length === 0) return { kind: 'permission' }
  const [{ call, list }] = found
  return { kind: 'question', call, isForm: false, questions: [toQuestion(dialog, list)] }
}

/** A dialog of our extension, where it is certainly one. */
function inForm({ title }, calls, announced) {
  const call = calls.find(({ toolCallId }) => toolCallId === announced)
  if (call === undefined || !form.areQuestions(call.args)) return null
  const { questions } = call.args
  if (title !== form.toTitle(questions)) return null
  const asked = questions.map(({ question, options, multiSelect = false }) => ({
    question,
    options: options.map(({ label, description }) =>
      description ? { label, description } : { label },
    ),
    multiSelect,
  }))
  return { kind: 'question', call, isForm: true, questions: asked }
}

/**
 * The position of the option that the details of a tool's result hold; `undefined` where they hold none, or
 * several. A list of all of them is the question once more. `asked` are all the dialogs of the tool call:
 * where others offer the same, only a list with one place for each of them tells which is which.
 */
function toldIn(result, dialog, asked = [dialog]) {
  const { options } = dialog
  const isList = (list) =>
    Array.isArray(list) && asked.some((one) => areSame(list.map(labelOf), one.options))
  const values = inside(without(isObject(result) ? result.details : undefined, isList))
  const held = (all) => only(new Set(options.filter((label) => all.includes(label))), options)
  if (isDistinct(dialog, asked)) return held(values)
  const places = values.filter((list) => Array.isArray(list) && list.length === asked.length)
  const told = places.map((list) => held(inside(list[asked.indexOf(dialog)])))
  const [position, ...more] = new Set(told.filter((one) => one !== undefined))
  return more.length > 0 ? undefined : position
}

/** Whether a tool's result holds this option, and no other: its details, or else its text. */
function isTold(result, dialog, position, asked = [dialog]) {
  const { title, options } = dialog
  const told = toldIn(result, dialog, asked)
  if (told !== undefined || !isDistinct(dialog, asked)) return told === position
  // Those stand in any text.
  if (options.some((label) => /^(\d+|.?)$/u.test(label))) return false
  const content = isObject(result) && Array.isArray(result.content) ? result.content : []
  const texts = content.map((part) => (isText(part?.text) ? part.text : ''))
  let text = texts.join('\n').replaceAll(title, '\n')
  const found = new Set()
  // The longest first: one may be part of another.
  for (const label of [...options].sort((a, b) => b.length - a.length)) {
    const rest = text.split(word(label)).join('\n')
    if (rest !== text) found.add(label)
    text = rest
  }
  return only(found, options) === position
}

/** Whether no other dialog offers any of its options. */
function isDistinct(dialog, asked) {
  const others = asked.filter((one) => one !== dialog)
  const offered = new Set(others.flatMap(({ options }) => options))
  return !dialog.options.some((label) => offered.has(label))
}

/** The position of a label where it is the only one. */
const only = (labels, options) => (labels.size === 1 ? options.indexOf([...labels][0]) : undefined)

/** A label, where it is not part of a longer word. */
const word = (label) => {
  const literal = label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u')
}

/** A value without the parts that are such ones. */
function without(value, isSuch, depth = DEPTH) {
  if (!isObject(value)) return value
  if (isSuch(value) || depth === 0) return null
  const kept = Object.entries(value).map(([key, one]) => [key, without(one, isSuch, depth - 1)])
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept)
}

module.exports = { isTold, toAsked, toldIn }
