'use strict'
// What Pi asks in RPC mode. Pure. A dialog says neither who opened it nor what for, and whatever is sent
// back is taken.

const { passedOn } = require('./pi-arguments.js')
const form = require('./pi-form.js')
const { areLabels, isLabels, objectsIn } = require('./pi-inside.js')

/** Frames that wait for a reply. */
const DIALOGS = new Set(['select', 'confirm', 'input', 'editor'])

/** The name of our extension's tool. */
const OURS = 'ask_user'

/** Words of one who asks whether something may be done, whatever tool it is for. */
const PERMISSION = new RegExp(
  '(?<![\\p{L}\\p{N}_])(?:' +
    [
      'allow(?:s|ed|ing|list)?',
      'always',
      'approv(?:e|es|ed|ing|al|als)',
      'authori[sz](?:e|es|ed|ing|ation)',
      'consent(?:s|ed|ing)?',
      'den(?:y|ies|ied|ying|ial)',
      'disallow(?:s|ed|ing)?',
      'forbid(?:s|den|ding)?',
      'grant(?:s|ed|ing)?',
      'permi(?:t|ts|tted|tting|ssion|ssions)',
      'refus(?:e|es|ed|ing|al)',
      'reject(?:s|ed|ing|ion)?',
      'trust(?:s|ed|ing)?',
    ].join('|') +
    ')(?![\\p{L}\\p{N}_])',
  'iu',
)

const isText = (value) => typeof value === 'string'
const speaksOfPermission = ({ title, options }) =>
  [title, ...options].some((text) => PERMISSION.test(text))

/**
 * The questions in the arguments of a tool call that a dialog with this text and these options asks: an
 * object with both. `isNext` is whether those of the same form that stand before it have been asked, and it
 * has not.
 */
function inArguments(call, { title, options }) {
  const objects = objectsIn(call.args) ?? []
  const isAsked = (object) => call.asked.some(({ of }) => of === object)
  return objects.flatMap((object) => {
    const keys = Object.keys(object)
    const textKey = keys.find((key) => object[key] === title)
    const listKey = keys.find((key) => isLabels(object[key]) && areLabels(object[key], options))
    if (textKey === undefined || listKey === undefined) return []
    const alike = objects.filter((one) => isText(one[textKey]) && isLabels(one[listKey]))
    const isNext = alike.findIndex((one) => !isAsked(one)) === alike.indexOf(object)
    return [{ call, object, list: object[listKey], isNext }]
  })
}

/** The question of a plain dialog as a live call sees it; descriptions are the tool's own. */
function toQuestion({ title, options }, list) {
  const toOption = (label, n) => {
    const { description } = Object(list[n])
    return isText(description) && description !== '' ? { label, description } : { label }
  }
  return { question: title, options: options.map(toOption), multiSelect: false }
}

/**
 * What a dialog waits for; `null` where it waits for nobody. `calls` are the tool calls that run, and
 * `announced` the id of the one whose dialog our extension said that this is. A question comes with its
 * `call`, with the `questions` that are asked, and with what they are in the arguments (`of`).
 */
function toAsked(dialog, calls, askTools, announced) {
  const { method, title, options } = dialog
  if (!DIALOGS.has(method)) return null
  if (method === 'confirm') return { kind: 'permission' }
  if (method === 'input') return inForm(dialog, calls, announced) ?? { kind: 'other' }
  if (method === 'editor') return { kind: 'other' }
  if (!isText(title) || !isLabels(options) || !options.every(isText)) return { kind: 'permission' }
  // A gate before an ask tool itself comes while nothing else runs.
  if (speaksOfPermission(dialog)) return { kind: 'permission' }
  // A gate before another tool may ask in the very words that the model gave the ask tool.
  const isAskTool = ({ toolName, isCertain }) => isCertain && askTools.has(toolName)
  if (!calls.every(isAskTool)) return { kind: 'permission' }
  const found = calls.flatMap((call) => inArguments(call, dialog))
  if (found.length === 0) return { kind: 'permission' }
  const [{ call, object, list, isNext }] = found
  // Nobody says which of several calls it is of, or whether it is of a tool at all: a tool asks its
  // questions in their order, and the next one once it has heard of the one before.
  if (found.length > 1 || !isNext || call.asked.some(({ isWaiting }) => isWaiting())) {
    return { kind: 'other' }
  }
  return {
    kind: 'question',
    call,
    isForm: false,
    questions: [toQuestion(dialog, list)],
    of: object,
  }
}

/** A dialog of our extension, where it is certainly one. */
function inForm({ title }, calls, announced) {
  const call = calls.find(({ toolCallId }) => toolCallId === announced)
  if (call?.toolName !== OURS || !call.isCertain || call.asked.length > 0) return null
  const args = passedOn(call.args)
  if (!form.areQuestions(args) || title !== form.toTitle(args.questions)) return null
  const questions = args.questions.map(({ question, options, multiSelect = false }) => ({
    question,
    options: options.map(({ label, description }) =>
      description ? { label, description } : { label },
    ),
    multiSelect,
  }))
  return { kind: 'question', call, isForm: true, questions, of: args }
}

module.exports = { OURS, toAsked }
