'use strict'
// What was said, as it is now: a caller may go on with its own objects.

const addon = require('../addon.js')
const { isArray, isObject, own, read } = require('./own.js')

/** The lines of a context that are ever read; the others are only counted. */
const LINES = 50

function copied(message) {
  const copy = own(message, ['speaker', 'request', 'utterance', 'context', 'actorId'])
  if (isObject(copy) && isArray(copy.context)) copy.context = lines(copy.context)
  return copy
}

function lines(context) {
  const copy = []
  copy.length = context.length
  for (let at = Math.max(0, copy.length - LINES); at < copy.length; at++) {
    copy[at] = own(read(context, at), ['speaker', 'text', 'actorId'])
  }
  return copy
}

function frameTurn(message, budget) {
  return addon.frameTurn(copied(message), budget)
}

/** At most so many UTF-16 units of a text, whole characters, with "…" where it was cut. */
function cut(text, units) {
  if (text.length <= units) return text
  const half = /[\uD800-\uDBFF]$/
  return `${text.slice(0, units - 1).replace(half, '')}…`
}

module.exports = { copied, cut, frameTurn }
