'use strict'
// Label sets of many kinds × the ways in which people answer. Each template knows what would be right;
// choosing nothing is never wrong.

const { random } = require('./random.js')
const { match } = require('./score.js')

const WORDS =
  `deploy staging production local cloud cache test unit integration database server client
  fast slow red green blue yellow small large old new main branch merge rebase commit push pull release
  beta stable nightly weekly daily default custom manual automatic read write admin user guest public
  private backup restore delete keep archive move copy rename update upgrade install remove build run
  stop start pause resume retry skip cancel proceed open close light dark tabs spaces strict loose json
  yaml toml python rust typescript go java postgres sqlite redis kafka docker podman linux windows mac
  east west north south alpha gamma delta first second third last one two three both all none not never
  only now later today tomorrow the a to with without and or of for in on this that yes no use make do
  option number version question answer file files folder page form letter money time week month year`
    .split(/\s+/)
    .filter(Boolean)
const NAMES =
  `PostgreSQL|Node.js|C++|C#|F#|.NET 8|gpt-5.2-mini|us-east-1|eu-west-2|x86_64|arm64|UTF-8|README.md|
  Don't ask again|Yes, and don't ask again|No, cancel|Ship it!|Hybrid (local + cloud)|R&D|50%|$20|Wi-Fi|A/B test|
  Side-by-side|v2.0|Option A: rewrite|Plan B|Phase 2|Step 3: verify`
    .split('|')
    .map((name) => name.trim())
const SCRIPTS =
  `本地|云同步|混合模式|全部|第一版|取消|ローカルのみ|クラウド同期|両方|最初の案|キャンセル|Облако|Локально|
  Отмена|سحابة|محلي|클라우드|로컬|ไฟล์|मेघ|Größe|Über alles|Sí, claro|Première|Último|Niño|Ça va`
    .split('|')
    .map((name) => name.trim())
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const TOO_FAR = ['ninth', 'tenth', 'twelfth']

/** Words after which more must come. */
const CONNECTIVES = new Set('and or to with without not no'.split(' '))

/** Words before a position. */
const CARRIERS = new Set(
  'option number answer letter choice options numbers answers letters choices'.split(' '),
)

/** Words that may stand in an answer without being part of a label's name. */
const LITTLE = new Set('the a an of to in on for with and it that this as is my'.split(' '))

function generated(count, seed) {
  const chance = random(seed)
  const counts = { cases: count, answerable: 0, right: 0, missed: 0, wrong: 0 }
  const wrong = []
  for (let n = 0; n < count; n++) {
    const options = labels(chance)
    const multiSelect = chance.chance(0.3)
    const { utterance, right } = chance.pick(TEMPLATES)(chance, options, multiSelect)
    const { status, answers = [], reason } = match({ utterance, options, multiSelect })
    const got = answers.flatMap((answer) => answer.options.map((label) => options.indexOf(label)))
    if (right.length > 0) counts.answerable++
    if (status !== 'matched') counts.missed += right.length > 0 ? 1 : 0
    else if (right.some((choice) => fits(choice, got, options))) counts.right++
    else {
      counts.wrong++
      wrong.push({ kind: 'wrong', utterance, options, expect: right, got, reason })
    }
  }
  return { counts, wrong }
}

/** A choice is positions, or words that every chosen label must have. */
function fits(choice, got, options) {
  if (Array.isArray(choice)) return JSON.stringify(choice) === JSON.stringify(got)
  return got.length === 1 && choice.words.every((word) => words(options[got[0]]).includes(word))
}

/** Numbers as digits. */
function words(text) {
  const found = text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
  return found.map((word) => (NUMBERS.includes(word) ? `${NUMBERS.indexOf(word) + 1}` : word))
}

function labels(chance) {
  const count = 2 + chance.below(7)
  const made = new Set()
  const kind = chance.below(6)
  while (made.size < count) {
    const label = one(chance, kind, [...made])
    // As the host's own labels: alike ones are refused before anybody is asked.
    if (label !== '') made.add(label)
  }
  return [...made]
}

function one(chance, kind, before) {
  switch (chance.chance(0.15) ? chance.below(6) : kind) {
    case 0:
      return chance.pick(NAMES)
    case 1:
      return `${2 ** chance.below(10)} ${chance.pick(['workers', 'MB', 'days', 'files'])}`
    case 2: {
      const version = [chance.below(3), chance.below(20), chance.below(4)].join('.')
      return chance.chance(0.5) ? version : `${version}-beta.${1 + chance.below(4)}`
    }
    case 3:
      return chance.pick(SCRIPTS)
    case 4:
      return nearDuplicate(chance, before)
    default:
      return phrase(chance, 1 + chance.below(6))
  }
}

function phrase(chance, count) {
  const text = chance.sample(WORDS, count).join(' ')
  return chance.chance(0.7) ? text[0].toUpperCase() + text.slice(1) : text
}

function nearDuplicate(chance, before) {
  if (before.length === 0) return phrase(chance, 2 + chance.below(3))
  const parts = chance.pick(before).split(' ')
  const at = chance.below(parts.length)
  const change = chance.below(4)
  if (change === 0) parts.splice(at, 1, chance.pick(WORDS))
  else if (change === 1) parts.push(chance.pick(WORDS))
  else if (change === 2)
    parts.splice(at, 0, chance.pick(['not', 'no', 'without', 'new', 'the', '2']))
  else parts[at] = parts[at].endsWith('s') ? parts[at].slice(0, -1) : `${parts[at]}s`
  return parts.join(' ').trim()
}

const wrap = (chance, said) =>
  chance.pick([
    said,
    said.toLowerCase(),
    said.toUpperCase(),
    `${said} please`,
    `um, ${said}`,
    `let's go with ${said}`,
    `I'd like ${said}`,
    `the ${said} one`,
    `I think ${said}`,
    `okay, ${said}, thanks`,
    `${said}.`,
  ])

/** Whole labels with the same words as a label, which are as right. */
function same(options, at) {
  const key = (label) =>
    words(label)
      .filter((word) => !LITTLE.has(word))
      .join(' ')
  return options.flatMap((label, index) => (key(label) === key(options[at]) ? [[index]] : []))
}

/** A position, and the label that is called by its word. */
function placed(options, at, word) {
  const called = options.flatMap((label, index) => (words(label).includes(word) ? [[index]] : []))
  return [[at], ...called]
}

const TEMPLATES = [
  (chance, options) => {
    const at = chance.below(options.length)
    return { utterance: wrap(chance, options[at]), right: same(options, at) }
  },
  (chance, options) => {
    const at = chance.below(options.length)
    const parts = words(options[at])
    const start = chance.below(parts.length)
    const part = parts.slice(start, start + 1 + chance.below(parts.length - start))
    const named = part.filter((word) => !LITTLE.has(word))
    // "The option two one": that is a position.
    if (part.some((word) => CARRIERS.has(word)) || CONNECTIVES.has(part.at(-1)))
      return { utterance: options[at], right: same(options, at) }
    return {
      utterance: wrap(chance, part.join(' ')),
      right: [{ words: named }, ...positionOf(part, options)],
    }
  },
  (chance, options) => {
    const at = chance.below(options.length)
    const utterance = wrap(chance, chance.pick([`the ${ORDINALS[at]} one`, `the ${ORDINALS[at]}`]))
    return { utterance, right: placed(options, at, ORDINALS[at]) }
  },
  (chance, options) => {
    const at = chance.below(options.length)
    const said = chance.pick([
      `option ${NUMBERS[at]}`,
      `number ${at + 1}`,
      `option ${'ABCDEFGH'[at]}`,
    ])
    return { utterance: wrap(chance, said), right: marked(options, at) }
  },
  (chance, options) => {
    const at = options.length - 1
    return { utterance: wrap(chance, 'the last one'), right: placed(options, at, 'last') }
  },
  (chance, options) => {
    const [a, b] = chance.sample([...options.keys()], 2)
    const said = chance.pick(['no wait,', 'actually', 'sorry,', 'scratch that,', 'I mean'])
    return { utterance: `${options[a]}, ${said} ${options[b]}`, right: same(options, b) }
  },
  (chance, options) => {
    const [a, b] = chance.sample([...options.keys()], 2)
    return {
      utterance: `not the ${ORDINALS[a]} one, the ${ORDINALS[b]} one`,
      right: placed(options, b, ORDINALS[b]),
    }
  },
  (chance, options, multiSelect) => {
    const [a, b] = chance.sample([...options.keys()], 2).sort((x, y) => x - y)
    // With labels that begin or end with "and", nobody could tell.
    if (options.some((label) => /^and\b|\band$/i.test(label))) return { utterance: '', right: [] }
    const both = joined(options, `${options[a]} and ${options[b]}`)
    return {
      utterance: `${options[a]} and ${options[b]}`,
      right: multiSelect ? [[a, b], ...both] : both,
    }
  },
  (chance, options, multiSelect) => {
    const [a] = chance.sample([...options.keys()], 1)
    const rest = [...options.keys()].filter((index) => index !== a)
    const right = multiSelect || rest.length === 1 ? [rest] : []
    return { utterance: `everything except the ${ORDINALS[a]} one`, right }
  },
  // From here on nothing may be chosen.
  (chance, options) => {
    const [a, b] = chance.sample([...options.keys()], 2)
    const said = chance.pick([
      `maybe ${options[a]}`,
      `either ${options[a]} or ${options[b]}`,
      `what about ${options[a]}?`,
      `is ${options[a]} better than ${options[b]}?`,
      `I'm not sure about ${options[a]}`,
      `I already tried ${options[a]} yesterday`,
      `my colleague hates the ${ORDINALS[a]} one`,
      `tell me more about the ${ORDINALS[a]} one`,
      `the ${chance.pick(TOO_FAR)} one`,
      'none of those',
      'give me a second',
      `remind me what the ${ORDINALS[a]} one was`,
    ])
    return { utterance: said, right: joined(options, said) }
  },
  // A word that is not theirs in the middle of a label.
  (chance, options) => {
    const at = chance.below(options.length)
    const parts = options[at].split(' ')
    parts.splice(
      chance.below(parts.length + 1),
      0,
      chance.pick(['giraffe', 'quantum', 'seventeen', 'Barbara']),
    )
    return { utterance: parts.join(' '), right: joined(options, parts.join(' ')) }
  },
]

/** A part that is also a position, or says all of a question's answers. */
function positionOf(part, options) {
  if (part.length !== 1) return []
  const all = [...options.keys()]
  const at = [
    ORDINALS.indexOf(part[0]),
    NUMBERS.indexOf(part[0]),
    Number(part[0]) - 1,
    'abcdefgh'.indexOf(part[0]),
  ]
  const found = at.filter((index) => index >= 0 && index < options.length).map((index) => [index])
  if (part[0] === 'last') found.push([options.length - 1])
  if (part[0] === 'both' || part[0] === 'all') found.push(all)
  return found
}

/** "Option B", where labels are marked so themselves. */
function marked(options, at) {
  const own = options.flatMap((label, index) =>
    /^(?:option|plan|phase|step|number|choice|answer) \w+/i.test(label) ? [[index]] : [],
  )
  return [[at], ...own]
}

/** A label that is what was said, word for word. */
function joined(options, said) {
  const key = words(said).join(' ')
  return options.flatMap((label, index) => (words(label).join(' ') === key ? [[index]] : []))
}

module.exports = { generated }
