'use strict'
// The sets of answers, and what is asked of each. Those written for this project are in `cases`; the
// third-party ones are not part of it.

const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('../run.js')

const EIGHT = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Foxtrot', 'Golf', 'Hotel']

function sets(elsewhere) {
  const own = (name) => read(path.join(ROOT, 'cases', name))
  const other = (name) => read(path.join(elsewhere, name))
  const recognised = own('choices-recognised.json')
  // The first recogniser writes as people do; the noisier one without capitals or full stops.
  const isNoisy = ({ utterance }) => /^[a-z' ]+$/.test(utterance) && !/^[a-z]+-/.test(utterance)
  const yesNo = other('yes-no.json')
  const kind = (name) => yesNo?.filter(({ category }) => category === `clinc-${name}`)
  const recognizers = other('recognizers.json')
  return [
    {
      name: 'choices',
      cases: own('choices.json'),
      ...atLeast(0.85),
    },
    {
      name: 'choices-recognised, Whisper',
      cases: recognised.filter((one) => !isNoisy(one)),
      ...atLeast(0.6),
    },
    {
      name: 'choices-recognised, noisier',
      cases: recognised.filter(isNoisy),
      ...atMost(1),
    },
    { name: 'spoken', cases: own('spoken.json'), ...atLeast(0.6) },
    { name: 'unrelated', cases: other('unrelated.json'), ...atMost(2) },
    { name: 'yes-no: yes', cases: kind('yes'), ...atLeast(0.8) },
    { name: 'yes-no: no', cases: kind('no'), ...atLeast(0.8) },
    { name: 'yes-no: maybe', cases: kind('maybe'), ...atMost(0) },
    { name: 'indirect', cases: other('indirect.json'), ...atMost(1) },
    {
      name: 'recognizers: short yes/no',
      cases: recognizers && yesOrNo(recognizers, true),
      ...atLeast(0.9),
    },
    {
      name: 'recognizers: longer yes/no',
      cases: recognizers && yesOrNo(recognizers, false),
      ...atMost(0),
    },
    {
      name: 'recognizers: plain ordinals',
      cases: recognizers && ordinals(recognizers, true),
      ...atLeast(0.9),
    },
    {
      name: 'recognizers: ordinals in sentences',
      cases: recognizers && ordinals(recognizers, false),
      ...atMost(0),
    },
  ]
}

function atLeast(share) {
  return {
    goal: `${share * 100} % of the answerable, none wrong`,
    isMet: ({ right, answerable, wrong }) => right >= share * answerable && wrong === 0,
  }
}

function atMost(wrong) {
  return { goal: `at most ${wrong} wrong`, isMet: (counts) => counts.wrong <= wrong }
}

function read(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** Few words, none of which an answer could do without. */
function isShort(text, lang, most) {
  const words = text.replace(/[\p{P}\s]+/gu, ' ').trim()
  return lang === 'zh' || lang === 'ja' ? words.length <= 2 * most : words.split(' ').length <= most
}

function yesOrNo({ boolean }, short) {
  const chosen = boolean.filter(({ text, lang }) => isShort(text, lang, 3) === short)
  return chosen.map(({ text, value }) => ({
    utterance: text,
    options: ['Yes', 'No'],
    expect: [value ? 0 : 1],
  }))
}

/** Plain: nothing but the ordinal, perhaps with an article. Positions over eight do not exist. */
function ordinals({ ordinal }, plain) {
  const isPlain = ({ text, lang }) =>
    isShort(text, lang, 2) && !/^(?:1ère femme|[a-z]+ [a-z]+ce)/i.test(text)
  return ordinal
    .filter((one) => isPlain(one) === plain && !one.value.startsWith('current'))
    .map(({ text, value }) => {
      const at = value.startsWith('end') ? 7 + Number(value.slice(3)) : Number(value) - 1
      return { utterance: text, options: EIGHT, expect: at >= 0 && at < 8 ? [at] : [] }
    })
}

module.exports = { sets }
