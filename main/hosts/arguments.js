'use strict'
// What the calling program passes to the local host, checked before anything is done with it. What a
// question means and who can answer it by voice is the addon's to say.

const { createHash } = require('node:crypto')
const { LIMITS, SpokenQuestion } = require('../..')
const { mistake } = require('./failure.js')

const KINDS = ['permission', 'plan', 'goal', 'other']

const isObject = (value) => value !== null && typeof value === 'object'
const isText = (value) => typeof value === 'string'
const isFunction = (value) => typeof value === 'function'
const isAbsent = (value) => value === undefined || value === null

/** An id that everything after it can carry. */
function isId(value) {
  if (!isText(value) || value === '' || value.length > LIMITS.idBytes) return false
  return Buffer.byteLength(value) <= LIMITS.idBytes && !/\p{Surrogate}/u.test(value)
}

function checkedId(value, code) {
  if (isId(value)) return value
  throw mistake(code, `an id must be well-formed text of 1 to ${LIMITS.idBytes} bytes`)
}

const isOption = (option) => isText(option) || (isObject(option) && isText(option.label))

const isQuestion = (question) =>
  isObject(question) &&
  isText(question.question) &&
  Array.isArray(question.options) &&
  question.options.every(isOption) &&
  (isAbsent(question.multiSelect) || typeof question.multiSelect === 'boolean')

/** A question as it was asked: a copy, what the addon makes of it, and what it is known by. */
function checkedQuestion(question) {
  let copy
  try {
    copy = structuredClone(question)
  } catch (cause) {
    throw mistake('INVALID_QUESTION', 'a question must be plain data', cause)
  }
  const wrong = (what) => mistake('INVALID_QUESTION', `a question needs ${what}`)
  if (!isObject(copy)) throw wrong('to be an object')
  if (copy.kind !== undefined && copy.kind !== 'question') throw wrong('to be of kind question')
  for (const option of ['private', 'askedOf', 'expiresAt', 'signal']) {
    // Here it would be passed over, and somebody else could answer.
    if (option in copy) throw mistake('INVALID_QUESTION', `${option} is an option of ask`)
  }
  const { inputId, sessionId, questions } = copy
  if (!isId(inputId) || !isId(sessionId)) {
    throw wrong(`an inputId and a sessionId of 1 to ${LIMITS.idBytes} bytes`)
  }
  // Array.from: a hole is no question.
  if (!Array.isArray(questions) || questions.length === 0) throw wrong('a list of questions')
  if (!Array.from(questions).every(isQuestion)) {
    throw wrong('a text and a list of labels in each of its questions')
  }
  const spoken = new SpokenQuestion(copy)
  return { copy, spoken, fingerprint: spoken.digest || hash(copy) }
}

/** What the addon does not read to its end has no digest: this stands for it in the journal. */
function hash({ inputId, sessionId, questions }) {
  const texts = questions.map(({ question, options }) => [
    question,
    ...options.map((option) => option.label ?? option),
  ])
  const text = JSON.stringify([inputId, sessionId, texts])
  return `0:${createHash('sha256').update(text).digest('hex')}`
}

/** An `AbortSignal`, if any. */
function checkedSignal(signal) {
  const isSignal =
    typeof signal?.aborted === 'boolean' &&
    isFunction(signal.addEventListener) &&
    isFunction(signal.removeEventListener)
  if (signal !== undefined && !isSignal) {
    throw mistake('INVALID_SIGNAL', 'signal must be an AbortSignal')
  }
}

function checkedResolution(resolution, signal) {
  if (!isObject(resolution)) throw mistake('INVALID_RESOLUTION', 'a resolution must be an object')
  checkedSignal(signal)
}

/** Who may hear a question and answer it, and until when. */
function checkLimits({ private: isPrivate, expiresAt, askedOf }) {
  if (isPrivate !== undefined && typeof isPrivate !== 'boolean') {
    throw mistake('INVALID_PRIVATE', 'private must be a boolean')
  }
  if (expiresAt !== undefined && !Number.isFinite(expiresAt)) {
    throw mistake('INVALID_EXPIRES_AT', 'expiresAt must be a finite number of epoch milliseconds')
  }
  if (askedOf !== undefined) checkedId(askedOf, 'INVALID_ASKED_OF')
}

function checkedAskOptions(options = {}) {
  if (!isObject(options)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { signal, private: isPrivate = false, expiresAt, askedOf } = options
  checkedSignal(signal)
  checkLimits({ private: isPrivate, expiresAt, askedOf })
  return { signal, private: isPrivate, expiresAt, askedOf }
}

function checkedHold(input) {
  if (!isObject(input)) throw mistake('INVALID_INPUT', 'an input must be an object')
  const { kind, inputId, sessionId } = input
  if (!KINDS.includes(kind)) {
    throw mistake('INVALID_INPUT', `an input that is held is one of ${KINDS.join(', ')}`)
  }
  checkedId(inputId, 'INVALID_INPUT')
  checkedId(sessionId, 'INVALID_INPUT')
  return { kind, inputId, sessionId }
}

function checkedCancel(inputId, reason) {
  checkedId(inputId, 'INVALID_INPUT_ID')
  if (reason !== undefined && !isText(reason)) {
    throw mistake('INVALID_REASON', 'a reason must be text')
  }
}

function checkedWatch(sessionId, onEvent) {
  checkedId(sessionId, 'INVALID_SESSION_ID')
  if (typeof onEvent !== 'function') {
    throw mistake('INVALID_ON_EVENT', 'onEvent must be a function')
  }
}

const isProof = (value) => value === 'host' || value === 'none'

function checkedOpenings(options) {
  if (!isObject(options)) throw mistake('INVALID_OPTIONS', 'options must be an object')
  const { proof, feeding } = options
  if (!isProof(proof)) throw mistake('INVALID_PROOF', "proof must be 'host' or 'none'")
  if (!isText(feeding)) throw mistake('INVALID_FEEDING', 'feeding must be a text')
  return { proof, feeding }
}

/** What an adapter says is open: a copy. What its questions mean is the addon's to say. */
function checkedOpen(asked, hooks) {
  const copy = plainCopy(asked)
  const { kind, sessionId, questions, proof } = copy
  if (kind !== 'question' && !KINDS.includes(kind)) {
    throw mistake('INVALID_INPUT', `an input is a question or one of ${KINDS.join(', ')}`)
  }
  checkedId(sessionId, 'INVALID_SESSION_ID')
  checkLimits(copy)
  if (proof !== undefined && !isProof(proof)) {
    throw mistake('INVALID_PROOF', "proof must be 'host' or 'none'")
  }
  checkHooks(hooks, kind)
  if (
    kind === 'question' &&
    !(Array.isArray(questions) && Array.from(questions).every(isQuestion))
  ) {
    throw mistake('INVALID_INPUT', 'a question needs a list of texts, each with a list of labels')
  }
  // What is no id of ours is none at all.
  return isId(copy.id) ? copy : { ...copy, id: undefined }
}

function plainCopy(asked) {
  if (!isObject(asked)) throw mistake('INVALID_INPUT', 'an input must be an object')
  try {
    return structuredClone({ ...asked })
  } catch (cause) {
    throw mistake('INVALID_INPUT', 'an input must be plain data', cause)
  }
}

function checkHooks(hooks = {}, kind) {
  if (!isObject(hooks)) throw mistake('INVALID_HOOKS', 'hooks must be an object')
  if (kind === 'question' && !isFunction(hooks.handOver)) {
    throw mistake('INVALID_HAND_OVER', 'a question needs a function that hands an answer over')
  }
  for (const [name, code] of Object.entries(HOOKS)) {
    if (hooks[name] !== undefined && !isFunction(hooks[name])) {
      throw mistake(code, `${name} must be a function`)
    }
  }
}

const HOOKS = {
  opened: 'INVALID_OPENED',
  withdraw: 'INVALID_WITHDRAW',
  fits: 'INVALID_FITS',
}

/** What an adapter made of the card's answer: now, and not later. */
function checkedAnswer(given) {
  if (given === null || isText(given?.resolvedBy?.kind)) return given
  throw mistake('INVALID_ANSWER', 'an answer must be an object that says who gave it, or null')
}

module.exports = {
  checkedAnswer,
  checkedAskOptions,
  checkedCancel,
  checkedHold,
  checkedId,
  checkedOpen,
  checkedOpenings,
  checkedQuestion,
  checkedResolution,
  checkedWatch,
  isId,
  isObject,
}
