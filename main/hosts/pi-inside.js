'use strict'
// Looking into what a tool of Pi's was called with, and at lists of labels in it. Pure.

const { isObject } = require('./arguments.js')

/** How far one looks. */
const DEPTH = 8
const VALUES = 2_000

const isText = (value) => typeof value === 'string'
const labelOf = (option) => (isObject(option) ? option.label : option)

/** Whether a list holds exactly these labels, in this order. */
const areLabels = (list, labels) =>
  list.length === labels.length && labels.every((label, n) => labelOf(list[n]) === label)

/** Whether it is a list of labels. */
const isLabels = (list) =>
  Array.isArray(list) && list.length > 0 && Array.from(list, labelOf).every(isText)

/** All objects inside of a value, in the order in which they stand; `null` where they are too deep or many. */
function objectsIn(value) {
  const found = []
  let left = VALUES
  const look = (one, depth) => {
    left -= depth > DEPTH ? VALUES + 1 : 1
    if (left < 0 || !isObject(one)) return
    if (!Array.isArray(one)) found.push(one)
    for (const inner of Object.values(one)) if (left >= 0) look(inner, depth + 1)
  }
  look(value, 0)
  return left < 0 ? null : found
}

module.exports = { areLabels, isLabels, objectsIn }
