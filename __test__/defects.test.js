'use strict'
// What easily goes wrong when an open question is answered by voice. Each test is one such defect,
// named by what it prevents; others are prevented by the scenarios of live-call.test.js.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { SpokenQuestion, formatQuestionFeedback, validateAnswer } = require('..')
const { createLocalHost } = require('../main/hosts/local.js')
const { createFakeVoice } = require('../main/testing.js')
const { outcome, question, rig } = require('./rig.js')
const { choose, one } = require('./support.js')

const never = () => new Promise(() => {})
const texts = (voice, part) => voice.texts().filter((text) => text.includes(part))
/** So many, each of its own. */
const times = (n, make) => Array.from({ length: n }, (_, index) => make(index))
const verdict = ({ status, reason }) => reason ?? status

// ── what is read out

test('a cut never splits a character', () => {
  const { text } = formatQuestionFeedback(one([`${'x'.repeat(118)}👩‍👩‍👧👩‍👩‍👧`, 'b']))
  assert.match(text, /x…"/)
  assert.doesNotMatch(text, /[\uD800-\uDFFF]/u, 'half of a character')
})

test('a label is answered by what was read out of it, however long it is or wherever it was cut', () => {
  const labels = [
    'x'.repeat(500),
    `${'y'.repeat(118)} and more`,
    'two\n  lines',
    'a\uFEFFb',
    'c\u0085d',
    ' e ',
  ]
  const spoken = new SpokenQuestion(one(labels))
  for (const [index, label] of spoken.questions[0].options.entries()) {
    assert.deepEqual(spoken.validate(choose(label)).answers, [[labels[index]]], label)
  }
})

test('what was not read out cannot be chosen, and the text says how much is on the card only', () => {
  const nine = one(['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th'])
  assert.equal(verdict(validateAnswer(nine, choose('9th'))), 'option-not-offered')
  assert.match(formatQuestionFeedback(nine).text, /1 more option is on the card/)
})

test('a question that voice cannot answer is not read out: the card is named, and an answer is told why', async () => {
  const fine = { question: 'Which?', options: ['a'] }
  const table = [
    ['nine questions', times(9, () => fine), 'too-many-questions'],
    ['no option', [{ question: 'Which?', options: [] }], 'question-unanswerable'],
    ['the same label twice', [{ question: 'Which?', options: ['a', 'a'] }], 'ambiguous-options'],
    [
      'two labels that are the same where they are cut',
      [{ question: 'Which?', options: ['1', '2'].map((end) => 'x'.repeat(120) + end) }],
      'ambiguous-options',
    ],
    [
      'one question that does not fit, among others that do',
      [fine, { question: '選'.repeat(300), options: ['選'.repeat(120)] }, fine],
      'question-unanswerable',
    ],
  ]
  for (const [label, questions, reason] of table) {
    const { call, clock, voice, seen, say, ask } = await rig({ classify: async () => choose('a') })
    await ask({ ...question(), questions })
    assert.match(
      voice.texts().join('\n'),
      /^A question is waiting that can't be answered.*card/,
      label,
    )
    const { settled } = say('a')
    await clock.advance(10)
    assert.equal(outcome(await settled), `refused: ${reason}`, label)
    assert.deepEqual([voice.texts().length, seen.resolves], [2, 0], label)
    await call.close()
  }
})

test('no question is left out of the messages or read twice, and only the last message asks for a choice', async () => {
  const four = ['one', 'two', 'three', 'four'].map((text) => ({
    question: text,
    options: ['x'.repeat(100), 'y'.repeat(100)],
  }))
  const { call, voice, ask } = await rig({ budget: 600 })
  await ask({ ...question(), questions: four })
  const pages = voice.texts()
  const numbers = pages.flatMap((text) => text.match(/Question \d of 4/g))
  assert.deepEqual(
    numbers,
    [1, 2, 3, 4].map((number) => `Question ${number} of 4`),
  )
  for (const [index, text] of pages.entries()) {
    const isLast = index === pages.length - 1
    assert.equal(text.includes('pass their choice for every question on'), isLast)
    assert.equal(text.includes('do not pass a choice on yet'), !isLast)
    assert.ok(Buffer.byteLength(text) <= 600)
  }
  await call.close()
})

test('a number that was read out is the option it was read out with', async () => {
  for (const [index, label] of ['Left', 'Right', 'Back'].entries()) {
    const { call, clock, voice, say, ask } = await rig()
    const asked = await ask(question('input-1', ['Left', 'Right', 'Back']))
    assert.ok(voice.texts()[0].includes(`\n${index + 1}. "${label}"`))
    say(`${index + 1}`)
    await clock.advance(10)
    assert.deepEqual(asked.done.answers, [[label]])
    await call.close()
  }
})

test('descriptions are read out; control, bidi and invisible characters are not', () => {
  const option = { label: 'a\u202Eb\u0007\u200Bc', description: 'nothing\u2066 leaves' }
  const { text } = formatQuestionFeedback(one([option]))
  assert.match(text, /\n1\. "abc": "nothing leaves"$/)
})

test('a question that was open before the call, or in the session it turns to, is read out', async () => {
  const { call, clock, host, voice, ask } = await rig({ session: null })
  await ask()
  host.ask({ ...question('input-2', ['Left']), sessionId: 'session-2' }).catch(() => {})
  assert.deepEqual(voice.texts(), [])
  call.setSession({ id: 'session-1' })
  await clock.advance(10)
  assert.match(voice.texts().at(-1), /1\. "Yes"/)
  call.setSession({ id: 'session-2' })
  await clock.advance(10)
  assert.match(voice.texts().at(-1), /1\. "Left"/)
  await call.close()
})

test('the same question asked again is read out again', async () => {
  const { call, clock, host, voice, ask } = await rig()
  for (const round of [1, 2, 3]) {
    await ask()
    assert.equal(texts(voice, 'Shall I?').length, round)
    host.desktop.resolveInput('input-1', [['Yes']])
    await clock.advance(10)
  }
  await call.close()
})

test('a question that the voice had no room for is given to it again', async () => {
  const outcomes = ['not-sent', 'sent']
  const { call, clock, voice, say, ask } = await rig({
    voice: createFakeVoice({ outcome: () => outcomes.shift() ?? 'sent' }),
  })
  await ask()
  await clock.advance(500)
  assert.equal(texts(voice, 'Shall I?').length, 2)
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'accepted')
  await call.close()
})

test('what the provider only has in its context, or only says it will say, is not what the person heard', async () => {
  const table = [
    ['context-only', 'sent'],
    ['unknown', 'sent'],
    ['sent', 'spoken'],
  ]
  for (const [became, readOut] of table) {
    const voice = createFakeVoice({ outcome: () => became })
    const { call, clock, seen, say, ask } = await rig({ voice, readOut })
    await ask()
    const { settled } = say('Yes')
    await clock.advance(10)
    assert.equal(outcome(await settled), 'refused: question-not-read-out', became)
    assert.equal(seen.resolves, 0)
    await call.close()
  }
})

test('a delivery that was reported lost and was heard all the same counts', async () => {
  const pages = []
  const voice = createFakeVoice({
    outcome: (page) => (pages.push(page) === 1 ? 'unknown' : never()),
  })
  const { call, clock, say, ask } = await rig({ voice })
  await ask()
  await clock.advance(31_000)
  assert.deepEqual([pages.length, pages[1].signal.aborted], [2, false])
  call.delivered(pages[0].feedbackId, 'spoken')
  assert.equal(pages[1].signal.aborted, true, 'it is not read a second time')
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'accepted')
  await call.close()
})

// ── what is an answer

test('an empty choice is no answer, and the host is not told that the question was skipped', async () => {
  assert.equal(verdict(validateAnswer(one(['a', 'b']), choose())), 'option-missing')
  const { call, clock, seen, say, ask } = await rig({ classify: async () => choose() })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.deepEqual([outcome(await settled), seen.resolves], ['refused: option-missing', 0])
  await call.close()
})

test('the largest answer there can be has room', () => {
  const options = times(8, (n) => `${n}${'選'.repeat(119)}`)
  const largest = {
    ...question(),
    questions: times(8, () => ({ question: 'q', options, multiSelect: true })),
  }
  const answers = largest.questions.map((_, questionIndex) => ({ questionIndex, options }))
  assert.equal(verdict(validateAnswer(largest, answers)), 'accepted')
  assert.equal(verdict(validateAnswer(largest, JSON.stringify({ answers }))), 'accepted')
})

test('what a classifier is shown of a question is bounded, however large the question is', async () => {
  const option = (n) => ({ label: `${n}${'x'.repeat(200)}`, description: 'd'.repeat(500) })
  const large = {
    ...question(),
    questions: times(8, () => ({ question: 'q'.repeat(900), options: times(9, option) })),
  }
  let shown
  const { call, clock, say, ask } = await rig({
    budget: 5_000,
    classify: async ({ question: seen }) => (shown = seen),
  })
  await ask(large)
  say('the first')
  await clock.advance(10)
  for (const { question: text, options } of shown.questions) {
    const lengths = [text, ...options].map(({ length }) => length)
    assert.deepEqual(lengths, [300, ...times(8, () => 120)])
  }
  await call.close()
})

test('a question with the same labels is not answered by an answer to the one before it', async () => {
  const card = (host) => host.desktop.resolveInput('input-1', [['No']])
  const table = [
    ['answered on the card', card, 'input-2', 'answered-elsewhere'],
    ['answered, and asked anew under its id', card, 'input-1', 'answered-elsewhere'],
    ['withdrawn', (host) => host.cancel('input-1'), 'input-2', 'question-closed'],
  ]
  for (const [label, close, next, reason] of table) {
    let classified
    const classify = () => new Promise((resolve) => (classified = resolve))
    const { call, clock, host, seen, say, ask } = await rig({ classify })
    await ask()
    const { settled } = say('Yes')
    await clock.advance(10)
    close(host)
    const asked = await ask(question(next))
    classified(choose('Yes'))
    await clock.advance(10)
    assert.equal(outcome(await settled), `refused: ${reason}`, label)
    assert.deepEqual([asked.done, seen.resolves], [null, 0], label)
    await call.close()
  }
})

test('a question that changes while the answer is on its way is not answered as it was', async () => {
  const faults = {
    resolveInput: {
      before: ({ inputId }) => {
        host.cancel(inputId)
        host.ask(question(inputId, ['No', 'Yes'])).catch(() => {})
      },
    },
  }
  const { call, clock, host, say, ask } = await rig({ faults })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'refused: question-changed')
  assert.equal((await host.voice.settlement('input-1')).status, 'open')
  await call.close()
})

test('a question whose time is over takes no answer', async () => {
  let over = false
  const faults = {
    openInputs: {
      after: (inputs) => inputs.map((input) => (over ? { ...input, expiresAt: 1 } : input)),
    },
  }
  const { call, clock, seen, say, ask } = await rig({ faults })
  await ask()
  over = true
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.deepEqual([outcome(await settled), seen.resolves], ['refused: question-closed', 0])
  await call.close()
})

test('an answer does not wait for ordinary work that was said before it', async () => {
  const { call, clock, say, ask } = await rig({
    classify: ({ instruction }) => (instruction === 'Yes' ? choose('Yes') : never()),
  })
  await ask()
  const work = say('run the tests')
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.equal(outcome(await settled), 'accepted')
  const { state } = call.operations().find(({ operationId }) => operationId === work.operationId)
  assert.equal(state, 'classifying')
  await call.close()
})

// ── what becomes of it

test('an answer whose reply is lost is settled by what the host tells everybody', async () => {
  const faults = { resolveInput: { after: never }, settlement: { before: never } }
  const { call, clock, seen, say, ask } = await rig({ faults })
  await ask()
  const { settled } = say('Yes')
  await clock.advance(10)
  assert.deepEqual([outcome(await settled), seen.resolves], ['accepted', 1])
  await call.close()
})

test('answers that nobody can settle do not take the places of later ones', async () => {
  const faults = { resolveInput: { before: never }, settlement: { before: never } }
  const { call, clock, host, say, ask } = await rig({ faults })
  for (let round = 0; round < 17; round++) {
    await ask(question(`input-${round}`))
    const { settled } = say('Yes')
    await clock.advance(30_000)
    assert.equal(outcome(await settled), 'unknown', `round ${round}`)
    host.cancel(`input-${round}`)
    await clock.advance(10)
  }
  await call.close()
})

test('one answer is told once, whoever answers as well at that moment', async () => {
  const host = await createLocalHost()
  const events = []
  const replies = []
  host.voice.watch('session-1', ({ type, inputId }) => {
    events.push(type)
    if (type === 'input.resolved') replies.push(host.desktop.resolveInput(inputId, [['No']]))
  })
  const answered = host.ask(question())
  for (const label of ['Yes', 'Yes', 'No']) {
    replies.push(host.desktop.resolveInput('input-1', [[label]]))
  }
  const late = { status: 'rejected', code: 'already-resolved' }
  // The first is from within the event.
  assert.deepEqual(replies, [late, { status: 'resolved' }, late, late])
  assert.deepEqual(events, ['input.requested', 'input.resolved'])
  assert.deepEqual((await answered).answers, [['Yes']])
  await host.close()
})

test('an answer that the host did not take leaves its question open for the next', async () => {
  let spoiled = true
  const faults = {
    resolveInput: {
      before: (resolution) => {
        if (spoiled) resolution.optionIndexes = [[9]]
        spoiled = false
      },
    },
  }
  const { call, clock, seen, say, ask } = await rig({ faults })
  const asked = await ask()
  const outcomes = []
  for (const label of ['Yes', 'No']) {
    const { settled } = say(label)
    await clock.advance(10)
    outcomes.push(outcome(await settled))
  }
  assert.deepEqual(outcomes, ['refused: host-rejected', 'accepted'])
  assert.deepEqual([asked.done.answers, seen.resolves], [[['No']], 2])
  await call.close()
})

test('an answer for another session is not taken, though its words and ids are the same', async () => {
  const host = await createLocalHost()
  host.ask(question()).catch(() => {})
  const elsewhere = new SpokenQuestion({ ...question(), sessionId: 'session-2' })
  const reply = await host.voice.resolveInput({
    inputId: 'input-1',
    sessionId: 'session-2',
    expectDigest: elsewhere.digest,
    optionIndexes: [[0]],
    answers: [['Yes']],
    resolvedBy: { kind: 'voice' },
  })
  assert.deepEqual(reply, { status: 'rejected', code: 'question-changed' })
  await host.close()
})

test('what is said about a request or a delivery that nobody knows leaves nothing behind', async () => {
  const { call, clock, voice, ask } = await rig()
  await ask()
  const before = voice.texts().length
  call.heard('nobody', { utterance: 'Yes' })
  call.delivered('call-1:99', 'spoken')
  call.delivered('another call', 'spoken')
  await clock.advance(10)
  assert.deepEqual([call.operations(), voice.texts().length], [[], before])
  await call.close()
})
