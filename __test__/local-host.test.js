'use strict'
// The local host: who wins, what is checked again, what each handle sees, and what the calling
// program may get wrong.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { SpokenQuestion } = require('..')
const { createLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { FACTS, byVoice, outcome, pause, question, warnings } = require('./asking.js')

test('the first answer wins, and the handle says who answered, not the message', async () => {
  const host = await createLocalHost()
  const answered = host.ask(question())
  assert.deepEqual(await host.voice.resolveInput(byVoice(question(), [[1]])), {
    status: 'resolved',
  })
  assert.deepEqual(host.desktop.resolveInput('input-1', [['secret yes']]), {
    status: 'rejected',
    code: 'already-resolved',
  })
  const { digest } = new SpokenQuestion(question())
  const resolvedBy = { ...FACTS, digest, shortened: false }
  assert.deepEqual(await answered, { answers: [['secret no']], resolvedBy })
  assert.deepEqual(await host.voice.settlement('input-1'), {
    status: 'resolved',
    optionIndexes: [[1]],
    resolvedBy,
  })
  await host.close()
})

test('an answer by voice is checked again, and nothing but a choice is written', async () => {
  const host = await createLocalHost()
  const answered = host.ask(question())
  const table = [
    ['question-changed', byVoice(question(), [[0]], { expectDigest: '1:00' })],
    ['not-found', byVoice({ ...question(), inputId: 'another' }, [[0]])],
    ['invalid', byVoice(question(), [[2]])],
    ['invalid', byVoice(question(), [[0, 1]])],
    ['invalid', byVoice(question(), [[]])],
    ['invalid', byVoice(question(), [[0], [0]])],
    ['invalid', byVoice(question(), [new Array(1)])],
    ['invalid', byVoice(question(), null)],
  ]
  for (const [code, resolution] of table) {
    assert.deepEqual(
      await host.voice.resolveInput(resolution),
      { status: 'rejected', code },
      JSON.stringify(resolution.optionIndexes),
    )
  }
  assert.deepEqual((await host.voice.settlement('input-1')).status, 'open')
  assert.deepEqual(host.desktop.resolveInput('input-1', [['free text'], null]), {
    status: 'rejected',
    code: 'invalid',
  })
  assert.deepEqual(host.desktop.resolveInput('input-1', [['free text']]), { status: 'resolved' })
  assert.deepEqual(await answered, { answers: [['free text']], resolvedBy: { kind: 'desktop' } })
  await host.close()
})

test('the same question asked again, however soon, is a new opening', async () => {
  const host = await createLocalHost()
  const first = host.ask(question())
  host.desktop.resolveInput('input-1', [['secret yes']])
  const second = host.ask(question())
  assert.equal((await host.voice.settlement('input-1')).status, 'open')
  assert.deepEqual((await first).answers, [['secret yes']])
  const third = host.ask(question())
  assert.equal(await outcome(third), 'ALREADY_OPEN')
  host.desktop.resolveInput('input-1', [['secret no']])
  assert.deepEqual((await second).answers, [['secret no']])
  await host.close()
})

test('later changes to what was asked change nothing; an id that is open is not opened again', async () => {
  const host = await createLocalHost()
  const asked = question()
  const answered = host.ask(asked)
  asked.questions[0].options[0] = 'changed'
  await assert.rejects(host.ask(question()), { code: 'ALREADY_OPEN' })
  await assert.rejects(host.ask({ questions: [] }), { code: 'INVALID_QUESTION' })
  // Passed over, they would let everybody answer.
  for (const option of ['private', 'askedOf', 'expiresAt', 'signal']) {
    const message = `${option} is an option of ask`
    const misplaced = { ...question('another'), [option]: 'ada' }
    await assert.rejects(host.ask(misplaced), { code: 'INVALID_QUESTION', message })
  }
  await host.voice.resolveInput(byVoice(question(), [[0]]))
  assert.deepEqual((await answered).answers, [['secret yes']])
  await host.close()
})

test('aborted, canceled, expired and closed: whoever waits is told, and so are those who watch', async () => {
  const host = await createLocalHost()
  const events = []
  const stop = host.voice.watch('session-1', ({ type, inputId, reason }) =>
    events.push([type, inputId, reason].filter(Boolean).join(' ')),
  )
  const controller = new AbortController()
  const asked = [
    host.ask(question('aborted'), { signal: controller.signal }),
    host.ask(question('canceled')),
    host.ask(question('expired'), { expiresAt: Date.now() + 20 }),
    host.ask(question('closed')),
  ]
  const codes = Promise.all(asked.map((one) => one.catch((error) => error.code)))
  controller.abort()
  host.cancel('canceled', 'moved on')
  await new Promise((resolve) => setTimeout(resolve, 60))
  await host.close()
  assert.deepEqual(await codes, new Array(4).fill('CANCELED'))
  assert.deepEqual(
    events.filter((event) => event.startsWith('input.canceled')),
    [
      'input.canceled aborted aborted',
      'input.canceled canceled moved on',
      'input.canceled expired expired',
      'input.canceled closed host-closed',
    ],
  )
  stop()
})

test('who answered is made anew of known facts: nothing else of a message is kept', async () => {
  const host = await createLocalHost()
  const long = 'x'.repeat(257)
  const refused = [
    undefined,
    null,
    'voice',
    {},
    { ...FACTS, callId: undefined },
    { ...FACTS, operationId: long },
    { ...FACTS, requestId: '' },
    { ...FACTS, readOut: 'shouted' },
    { ...FACTS, basis: 'secret words' },
    { ...FACTS, at: '1' },
    { ...FACTS, at: NaN },
    { ...FACTS, provider: long },
    { ...FACTS, speaker: 'alice' },
    { ...FACTS, speaker: { id: 'alice', attribution: long } },
  ]
  const answered = host.ask(question())
  for (const resolvedBy of refused) {
    assert.deepEqual(
      await host.voice.resolveInput(byVoice(question(), [[0]], { resolvedBy })),
      { status: 'rejected', code: 'invalid' },
      JSON.stringify(resolvedBy),
    )
  }
  const speaker = { id: 'alice', attribution: 'microphone', text: 'secret words' }
  const resolvedBy = {
    ...FACTS,
    kind: 'desktop',
    provider: 'p',
    speaker,
    digest: 'another',
    shortened: true,
    text: 'secret words',
  }
  await host.voice.resolveInput(byVoice(question(), [[0]], { resolvedBy }))
  assert.deepEqual((await answered).resolvedBy, {
    ...FACTS,
    provider: 'p',
    speaker: { id: 'alice', attribution: 'microphone' },
    digest: new SpokenQuestion(question()).digest,
    shortened: false,
  })
  await host.close()
})

test('a question that is asked of somebody is answered by voice only by them', async () => {
  const host = await createLocalHost()
  const answered = host.ask(question(), { askedOf: 'alice' })
  const says = (id) => {
    const speaker = id && { id, attribution: 'microphone' }
    return host.voice.resolveInput(
      byVoice(question(), [[0]], { resolvedBy: { ...FACTS, speaker } }),
    )
  }
  assert.deepEqual(
    [await says(undefined), await says('bob'), await says('alice')],
    [
      { status: 'rejected', code: 'invalid' },
      { status: 'rejected', code: 'invalid' },
      { status: 'resolved' },
    ],
  )
  assert.equal((await answered).resolvedBy.speaker.id, 'alice')
  await host.close()
})

test('of a private question the voice sees that something waits, and the card sees all of it', async () => {
  const host = await createLocalHost()
  const seen = { voice: [], desktop: [] }
  for (const handle of ['voice', 'desktop']) {
    host[handle].watch('session-1', (event) => seen[handle].push(event))
  }
  const answered = host.ask(question(), { private: true })
  const other = { kind: 'other', inputId: 'input-1', sessionId: 'session-1' }
  const whole = {
    ...question(),
    kind: 'question',
    private: true,
    expiresAt: undefined,
    askedOf: undefined,
  }
  assert.deepEqual(await host.voice.openInputs('session-1'), [other])
  assert.deepEqual(await host.desktop.openInputs('session-1'), [whole])
  assert.deepEqual(await host.voice.resolveInput(byVoice(question(), [[0]])), {
    status: 'rejected',
    code: 'not-found',
  })
  host.desktop.resolveInput('input-1', [['secret no']])
  assert.deepEqual((await answered).answers, [['secret no']])
  const canceled = host.ask(question('input-2'), { private: true })
  host.cancel('input-2', 'secret words')
  assert.equal(await outcome(canceled), 'CANCELED')
  const resolvedBy = { kind: 'desktop' }
  assert.deepEqual(seen.voice, [
    { type: 'input.requested', input: other },
    { type: 'input.resolved', inputId: 'input-1', resolvedBy },
    { type: 'input.requested', input: { ...other, inputId: 'input-2' } },
    { type: 'input.canceled', inputId: 'input-2' },
  ])
  assert.deepEqual(seen.desktop, [
    { type: 'input.requested', input: whole },
    { type: 'input.resolved', inputId: 'input-1', optionIndexes: [[1]], resolvedBy },
    { type: 'input.requested', input: { ...whole, inputId: 'input-2' } },
    { type: 'input.canceled', inputId: 'input-2', reason: 'secret words' },
  ])
  assert.deepEqual(await host.voice.settlement('input-1'), {
    status: 'resolved',
    optionIndexes: undefined,
    resolvedBy,
  })
  await host.close()
})

test('a private question in a live call: nothing of it is said, and nothing said answers it', async () => {
  const host = await createLocalHost()
  const clock = createManualClock()
  const voice = createFakeVoice()
  const forwarded = []
  const call = openLiveCall({
    session: { id: 'session-1' },
    host: host.voice,
    voice,
    clock,
    onForward: ({ instruction }) => forwarded.push(instruction),
  })
  const asked = outcome(host.ask(question(), { private: true }))
  await clock.advance(10)
  const { settled } = call.instruct({ requestId: 'r', instruction: 'secret yes' })
  await clock.advance(10)
  assert.deepEqual(
    [(await settled).state, forwarded, call.pending()],
    [
      'forwarded',
      ['secret yes'],
      { kind: 'other', text: 'Something is waiting.', more: 0, sessionId: 'session-1' },
    ],
  )
  assert.ok(!voice.texts().join('').includes('secret'))
  const closed = call.close()
  await clock.advance(1_000)
  await closed
  await host.close()
  assert.equal(await asked, 'CANCELED')
})

test('the card answers each question with labels that fit it, free text, or null', async () => {
  const host = await createLocalHost()
  const asked = {
    inputId: 'i',
    sessionId: 's',
    questions: [
      { question: 'One?', options: ['Yes', 'No'] },
      { question: 'Some?', options: ['A', 'B'], multiSelect: true },
      { question: 'What?', options: [] },
    ],
  }
  const answered = host.ask(asked)
  const refused = [
    null,
    [],
    [['Yes'], ['A']],
    [['Yes', 'No'], ['A'], null],
    [['Yes', 'No', 'Yes'], ['A'], null],
    [['Yes'], ['A', 'A'], null],
    [[], ['A'], null],
    [['Yes'], [], null],
    [[1], ['A'], null],
    ['Yes', ['A'], null],
    [undefined, ['A'], null],
  ]
  for (const answers of refused) {
    assert.deepEqual(
      host.desktop.resolveInput('i', answers),
      { status: 'rejected', code: 'invalid' },
      JSON.stringify(answers),
    )
  }
  const answers = [['something else'], ['B', 'A'], null]
  assert.deepEqual(host.desktop.resolveInput('i', answers), { status: 'resolved' })
  assert.deepEqual(await answered, { answers, resolvedBy: { kind: 'desktop' } })
  await host.close()
})

test('a question that only the voice cannot take is one for the card', async () => {
  const host = await createLocalHost()
  const many = Array.from({ length: 9 }, () => ({ question: 'q', options: ['a'] }))
  const large = { question: 'q'.repeat(70_000), options: ['a'] }
  const alike = { question: 'q', options: ['a', 'a '] }
  for (const questions of [many, [large], [alike]]) {
    const answered = host.ask({ inputId: 'i', sessionId: 's', questions })
    const answers = questions.map(() => ['a'])
    assert.deepEqual(host.desktop.resolveInput('i', answers), { status: 'resolved' })
    assert.deepEqual((await answered).answers, answers)
  }
  await host.close()
})

test('a time far away is waited for, and a time that is none is refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const host = await createLocalHost()
  const day = 86_400_000
  let code
  outcome(host.ask(question(), { expiresAt: 60 * day })).then((end) => (code = end))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const at = async (days) => {
    // Never past a moment at which a timer is set anew.
    for (const until = days * day; Date.now() < until;) t.mock.timers.tick(day)
    await settled()
    return code
  }
  assert.deepEqual([await at(1), await at(59), await at(61)], [undefined, undefined, 'CANCELED'])
  for (const expiresAt of [Infinity, NaN, '1', null]) {
    assert.equal(await outcome(host.ask(question(), { expiresAt })), 'TypeError INVALID_EXPIRES_AT')
  }
  await host.close()
})

test('a time that is further than a timer reaches is not now', async () => {
  const host = await createLocalHost()
  let code
  let asked
  const said = await warnings(async () => {
    asked = outcome(host.ask(question(), { expiresAt: Date.now() + 30 * 86_400_000 }))
    asked.then((end) => (code = end))
    await pause(20)
  })
  assert.deepEqual([code, said], [undefined, []])
  await host.close()
  assert.equal(await asked, 'CANCELED')
})

test('a question whose time is over is not answered, however late its timer is', async () => {
  const host = await createLocalHost()
  const codes = [question('card'), question('voice')].map((asked) =>
    outcome(host.ask(asked, { expiresAt: Date.now() + 5 })),
  )
  const until = Date.now() + 10
  while (Date.now() < until);
  const notFound = { status: 'rejected', code: 'not-found' }
  assert.deepEqual(host.desktop.resolveInput('card', [['secret yes']]), notFound)
  assert.deepEqual(await host.voice.resolveInput(byVoice(question('voice'), [[0]])), notFound)
  assert.deepEqual(await Promise.all(codes), ['CANCELED', 'CANCELED'])
  await host.close()
})

test('mistakes of the calling program are named', async () => {
  for (const [options, code] of [
    [null, 'INVALID_OPTIONS'],
    ['journal', 'INVALID_OPTIONS'],
    [{ journal: 5 }, 'INVALID_JOURNAL'],
    [{ journal: '' }, 'INVALID_JOURNAL'],
  ]) {
    assert.equal(await outcome(createLocalHost(options)), `TypeError ${code}`)
  }
  const host = await createLocalHost()
  const fine = question()
  const [one] = fine.questions
  for (const [asked, options, code] of [
    [undefined, undefined, 'INVALID_QUESTION'],
    [null, undefined, 'INVALID_QUESTION'],
    [{}, undefined, 'INVALID_QUESTION'],
    [{ ...fine, f() {} }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, kind: 'permission' }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, inputId: '' }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, inputId: 'x'.repeat(257) }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, inputId: '\ud800' }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, sessionId: 5 }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: undefined }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [] }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [null] }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [{ ...one, question: 5 }] }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [{ ...one, options: undefined }] }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [{ ...one, options: [null] }] }, undefined, 'INVALID_QUESTION'],
    [{ ...fine, questions: [{ ...one, multiSelect: 1 }] }, undefined, 'INVALID_QUESTION'],
    [fine, null, 'INVALID_OPTIONS'],
    [fine, { signal: {} }, 'INVALID_SIGNAL'],
    [fine, { private: 'yes' }, 'INVALID_PRIVATE'],
    [fine, { askedOf: 5 }, 'INVALID_ASKED_OF'],
  ]) {
    assert.equal(await outcome(host.ask(asked, options)), `TypeError ${code}`)
  }
  const held = { kind: 'plan', inputId: 'i', sessionId: 's' }
  for (const [call, code] of [
    [() => host.hold(), 'INVALID_INPUT'],
    [() => host.hold({ ...held, kind: 'question' }), 'INVALID_INPUT'],
    [() => host.hold({ ...held, inputId: 5 }), 'INVALID_INPUT'],
    [() => host.hold({ ...held, sessionId: '' }), 'INVALID_INPUT'],
    [() => host.cancel(), 'INVALID_INPUT_ID'],
    [() => host.cancel('i', 5n), 'INVALID_REASON'],
    [() => host.voice.watch(5, () => {}), 'INVALID_SESSION_ID'],
    [() => host.desktop.watch('s'), 'INVALID_ON_EVENT'],
  ]) {
    assert.throws(call, { name: 'TypeError', code })
  }
  assert.equal(await outcome(host.voice.resolveInput(null)), 'TypeError INVALID_RESOLUTION')
  assert.deepEqual(await host.desktop.openInputs('session-1'), [], 'nothing was opened')
  await host.close()
})

test('a listener that fails is a warning, whatever it throws; the others are told', async () => {
  const host = await createLocalHost()
  const thrown = [new Error('mine'), Object.create(null), Symbol('odd'), undefined]
  const seen = []
  const stops = thrown.map((error) =>
    host.voice.watch('session-1', () => {
      throw error
    }),
  )
  stops.push(host.voice.watch('session-1', async () => Promise.reject(new Error('later'))))
  host.voice.watch('session-1', (event) => {
    // What one does to its copy is its own affair.
    if (event.input) event.input.questions[0].options.length = 0
  })
  host.voice.watch('session-1', (event) => seen.push(event.input?.questions[0].options.length))
  const told = await warnings(async () => {
    const answered = host.ask(question())
    for (const stop of stops) stop()
    assert.deepEqual(host.desktop.resolveInput('input-1', [['secret no']]), { status: 'resolved' })
    await answered
  })
  const what = 'a listener to the events of a host failed'
  assert.deepEqual(told, [
    `${what}: mine`,
    `${what}: an error that cannot be shown`,
    `${what}: Symbol(odd)`,
    `${what}: undefined`,
    `${what}: later`,
  ])
  assert.deepEqual(seen, [2, undefined])
  await host.close()
})

test('what is held is shown to wait, whatever it is, and nothing said answers it', async () => {
  const host = await createLocalHost()
  const kinds = ['permission', 'plan', 'goal', 'other']
  const inputs = kinds.map((kind) => ({ kind, inputId: kind, sessionId: 'session-1' }))
  const holds = inputs.map((input) => host.hold(input))
  assert.deepEqual(await host.voice.openInputs('session-1'), inputs)
  for (const { inputId } of inputs) {
    const reply = await host.voice.resolveInput(byVoice(question(inputId), [[0]]))
    assert.deepEqual(reply, { status: 'rejected', code: 'not-found' })
  }
  for (const { release } of holds) release()
  assert.deepEqual(await host.voice.openInputs('session-1'), [])
  await host.close()
})

test('whoever watches twice stops twice', async () => {
  const host = await createLocalHost()
  let count = 0
  const listener = () => (count += 1)
  const stops = [0, 1].map(() => host.voice.watch('session-1', listener))
  stops[0]()
  host.hold({ kind: 'plan', inputId: 'plan', sessionId: 'session-1' })
  stops[1]()
  host.hold({ kind: 'goal', inputId: 'goal', sessionId: 'session-1' })
  assert.equal(count, 1)
  await host.close()
})

test('what is held anew is not released by who held it before', async () => {
  const host = await createLocalHost()
  const plan = { kind: 'plan', inputId: 'plan', sessionId: 'session-1' }
  const before = host.hold(plan)
  const after = host.hold(plan)
  before.release()
  assert.deepEqual(await host.voice.openInputs('session-1'), [plan])
  after.release()
  assert.deepEqual(await host.voice.openInputs('session-1'), [])
  await host.close()
})

test('a host that is closed takes nothing, and says so', async () => {
  const host = await createLocalHost()
  const asked = outcome(host.ask(question('open')))
  let during
  host.voice.watch('session-1', () => (during ??= outcome(host.ask(question('during')))))
  const closing = host.close()
  const hostClosed = { status: 'rejected', code: 'host-closed' }
  assert.deepEqual(host.desktop.resolveInput('open', [['secret yes']]), hostClosed)
  assert.deepEqual(await host.voice.resolveInput(byVoice(question('open'), [[0]])), hostClosed)
  assert.deepEqual(
    [await asked, await during, await outcome(host.ask(question()))],
    ['CANCELED', 'HOST_CLOSED', 'HOST_CLOSED'],
  )
  assert.throws(() => host.hold({ kind: 'plan', inputId: 'i', sessionId: 's' }), {
    code: 'HOST_CLOSED',
  })
  await Promise.all([closing, host.close()])
  assert.deepEqual(await host.voice.openInputs('session-1'), [])
})
