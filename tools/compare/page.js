'use strict'
// The tables of COMPARE.md, each between two comments of its name.

const { table } = require('../eval/table.js')
const { FAULTS } = require('./judge.js')

const KINDS = Object.values(FAULTS)

function tables(rows) {
  const ways = Object.keys(rows[0].faults)
  const count = (way, isSuch) => rows.filter(({ faults }) => isSuch(faults[way])).length
  const summary = ways.map((way) => ({
    way,
    right: count(way, (faults) => faults.length === 0),
    ...Object.fromEntries(
      KINDS.map((kind) => [kind, count(way, (faults) => faults.includes(kind))]),
    ),
  }))
  const cell = (faults) => (faults.length === 0 ? 'right' : `**${faults.join(', ')}**`)
  const scenarios = rows.map(({ scenario: { name, happens, seen = '' }, faults }, n) => ({
    '': n + 1,
    scenario: `${name}: ${happens}`,
    ...Object.fromEntries(ways.map((way) => [way, cell(faults[way])])),
    'seen in': linked(seen),
  }))
  const script = rows.flatMap(({ scenario: { steps, readsOut } }, n) =>
    steps
      .filter(([, act]) => act === 'says')
      .map(([, , words, { model, why }]) => ({
        '': n + 1,
        'the person says': words,
        'the model': `${readsOut ? 'reads out a summary; ' : ''}${doing(model)}`,
        because: why,
      })),
  )
  return { summary: table(summary), scenarios: table(scenarios), script: table(script) }
}

/** `owner/repository#number, …` as links to what was reported. */
function linked(seen) {
  return seen.replace(/([\w.-]+\/[\w.-]+)#(\d+)/g, '[$&](https://github.com/$1/issues/$2)')
}

function doing({ name, value }) {
  if (name === 'says') return `says “${value}”`
  return `\`${name}\`: ${[value]
    .flat()
    .map((one) => short(one))
    .join(', ')}`
}

const short = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text)

/** The page with these tables in the place of those that it has. */
function withTables(page, made) {
  return Object.entries(made).reduce((text, [name, lines]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->\n`]
    const [before, rest] = text.split(start)
    return `${before}${start}${lines}\n${end}${rest.split(end)[1]}`
  }, page)
}

module.exports = { tables, withTables }
