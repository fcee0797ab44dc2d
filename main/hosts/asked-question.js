'use strict'
// A question as the ask tools of hosts write it: a text, options with labels, and whether several may be
// chosen, under a name of the host's own. Pure.

const { isObject } = require('./arguments.js')

const isText = (value) => typeof value === 'string'
const isOption = (option) => isObject(option) && isText(option.label)

/** Whether it is one; `several` is the host's name. */
const isAskedQuestion = (question, several) =>
  isObject(question) &&
  isText(question.question) &&
  Array.isArray(question.options) &&
  Array.from(question.options).every(isOption) &&
  (question[several] === undefined || typeof question[several] === 'boolean')

/** The same as a live call sees it. Whatever else the host says of it is the card's. */
const toSpokenQuestion = (asked, several) => ({
  question: asked.question,
  options: asked.options.map(({ label, description }) =>
    isText(description) && description !== '' ? { label, description } : { label },
  ),
  multiSelect: asked[several] === true,
})

module.exports = { isAskedQuestion, toSpokenQuestion }
