'use strict'
// What every adapter has in common, where no adapter of this package comes to it: hosts that prove nothing,
// that cannot be written to, with private questions and questions that end by themselves.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { SpokenQuestion } = require('..')
const { Newest } = require('../main/hosts/newest.js')
const { Openings } = require('../main/hosts/openings.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { FACTS, warnings } = require('./asking.js')

const QUESTIONS = [{ question: 'Which?', options: ['a', 'b'] }]
const asked = (more) => ({ kind: 'question', sessionId: 's', questions: QUESTIONS, ...more })

/** Openings, everything they handed over and everything they told. */
function made(options) {
  const openings = new Openings({ proof: 'host', feeding: 'feed it', ...options })
  const seen = { given: [], events: [], withdrawn: 0 }
  openings.handle.watch('s', (event) => seen.events.push(event))
  const hooks = {
    handOver: (given) => seen.given.push(given),
    withdraw: () => (seen.withdrawn += 1),
  }
  return { openings, seen, hooks }
}

/** What a live call sends for the first question that is listed. */
async function answer({ openings }, inputId, index = 0, more) {
  const input = { inputId, ...asked() }
  return openings.handle.resolveInput(
    {
      inputId,
      sessionId: 's',
      expectDigest: new SpokenQuestion(input).digest,
      optionIndexes: [[index]],
      resolvedBy: FACTS,
      ...more,
    },
    { signal: new AbortController().signal },
  )
}

const brief = ({ events }) =>
  events.map(({ type, reason }) => [type, reason].filter(Boolean).join(' '))

test('a host that proves nothing: submitted, told, and never known', async () => {
  const world = made({ proof: 'none' })
  const inputId = world.openings.open(asked(), {}, world.hooks)
  assert.deepEqual(await answer(world, inputId), { status: 'submitted' })
  assert.deepEqual(brief(world.seen), ['input.requested', 'input.resolved'])
  assert.deepEqual(await world.openings.handle.settlement(inputId), { status: 'unknown' })
  const again = { status: 'rejected', code: 'already-resolved' }
  assert.deepEqual(await answer(world, inputId), again)
  assert.deepEqual(await world.openings.answerOnDesktop(inputId, [['a']]), again)
  assert.equal(world.seen.given.length, 1)
})

test('a host that cannot be written to: not sent, said so, and open still', async () => {
  const world = made()
  let isBroken = true
  const handOver = (given) => {
    if (isBroken) throw new Error('the pipe is closed')
    world.seen.given.push(given)
    world.openings.proved(inputId)
  }
  const inputId = world.openings.open(asked(), {}, { handOver })
  const seen = await warnings(async () => {
    assert.deepEqual(await answer(world, inputId), { status: 'not-sent' })
    assert.deepEqual(await world.openings.answerOnDesktop(inputId, [['a']]), { status: 'not-sent' })
  })
  assert.deepEqual(seen, Array(2).fill('an answer was not handed over: the pipe is closed'))
  assert.deepEqual(await world.openings.handle.settlement(inputId), { status: 'open' })
  isBroken = false
  // Proved while it is handed over.
  assert.deepEqual(await answer(world, inputId), { status: 'resolved' })
})

for (const [name, during, reply, last] of [
  ['its host is lost', (openings) => openings.lost(), { status: 'unknown' }, 'canceled unproved'],
  [
    'it is answered elsewhere',
    (openings, inputId) => openings.answeredElsewhere(inputId, [[1]]),
    { status: 'rejected', code: 'already-resolved' },
    'resolved',
  ],
  [
    'it is proved',
    (openings, inputId) => openings.proved(inputId),
    { status: 'resolved' },
    'resolved',
  ],
]) {
  for (const isBroken of [false, true]) {
    test(`while an answer is handed over ${name}${isBroken ? ', and that fails' : ''}: told once, and over`, async () => {
      const world = made()
      const { openings, seen } = world
      const handOver = (given) => {
        seen.given.push(given)
        during(openings, inputId)
        if (isBroken) throw new Error('the pipe is closed')
      }
      const inputId = openings.open(asked(), {}, { handOver })
      await warnings(async () => assert.deepEqual(await answer(world, inputId), reply))
      // Whatever comes later, the second answer is not handed over.
      const again = { status: 'rejected', code: 'already-resolved' }
      assert.deepEqual(await answer(world, inputId), again)
      assert.deepEqual([seen.given.length, brief(seen).at(-1)], [1, `input.${last}`])
      assert.equal(brief(seen).length, 2)
    })
  }
}

test('a host that proves nothing may lose nothing either, while it is written to', async () => {
  const world = made({ proof: 'none' })
  const { openings } = world
  const inputId = openings.open(asked(), {}, { handOver: () => openings.lost() })
  assert.deepEqual(await answer(world, inputId), { status: 'submitted' })
})

test('handed over by a promise that is rejected: unknown at once, and nothing crashes', async () => {
  const world = made()
  const handOver = async () => {
    throw new Error('the socket is closed')
  }
  const inputId = world.openings.open(asked(), {}, { handOver })
  const seen = await warnings(async () => {
    assert.deepEqual(await answer(world, inputId), { status: 'unknown' })
  })
  assert.equal(seen[0], 'an answer was perhaps not handed over: the socket is closed')
  // The proof may come all the same.
  world.openings.proved(inputId)
  assert.equal((await world.openings.handle.settlement(inputId)).status, 'resolved')
})

test('the same of one that is never proved: submitted, as before', async () => {
  const world = made({ proof: 'none' })
  const handOver = () => Promise.reject(new Error('the socket is closed'))
  const inputId = world.openings.open(asked(), {}, { handOver })
  const seen = await warnings(async () => {
    assert.deepEqual(await answer(world, inputId), { status: 'submitted' })
  })
  assert.deepEqual(seen, ['an answer was perhaps not handed over: the socket is closed'])
  assert.deepEqual(brief(world.seen), ['input.requested', 'input.resolved'])
})

for (const isThrown of [false, true]) {
  test(`an answer that did not leave, and the next one is given within its hand-over${isThrown ? ', which throws' : ''}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const world = made()
    const { openings, seen } = world
    const later = []
    const handOver = (given) => {
      seen.given.push(given)
      if (seen.given.length > 1) return
      openings.notSent(inputId)
      later.push(answer(world, inputId, 1))
      if (isThrown) throw new Error('the pipe is closed')
    }
    const inputId = openings.open(asked(), {}, { handOver })
    assert.deepEqual(await answer(world, inputId), { status: 'not-sent' })
    // The second is still on its way, and has a time of its own.
    assert.deepEqual(await openings.handle.settlement(inputId), { status: 'unknown' })
    t.mock.timers.tick(10_000)
    openings.notSent(inputId)
    assert.deepEqual(await later[0], { status: 'not-sent' })
    const third = answer(world, inputId)
    t.mock.timers.tick(5_000)
    openings.proved(inputId)
    assert.deepEqual(await third, { status: 'resolved' })
    assert.deepEqual(brief(seen), ['input.requested', 'input.resolved'])
  })
}

test('a hand-over that fails after the next answer was given says nothing of that one', async () => {
  const world = made()
  const { openings, seen } = world
  let fail
  const handOver = (given) => {
    seen.given.push(given)
    return seen.given.length === 1 ? new Promise((_, reject) => (fail = reject)) : undefined
  }
  const inputId = openings.open(asked(), {}, { handOver })
  const first = answer(world, inputId)
  openings.notSent(inputId)
  assert.deepEqual(await first, { status: 'not-sent' })
  const second = answer(world, inputId, 1)
  await warnings(() => fail(new Error('the socket is closed')))
  openings.proved(inputId)
  assert.deepEqual(await second, { status: 'resolved' })
  assert.deepEqual(brief(seen), ['input.requested', 'input.resolved'])
})

for (const [name, asking, during] of [
  ['its time ends', { expiresAt: 10_000 }, (_, __, { timers }) => timers.tick(10_000)],
  ['whoever asked goes', {}, (openings, inputId) => openings.cancel(inputId, 'expired')],
]) {
  for (const isThrown of [false, true]) {
    test(`while an answer is on its way ${name}, and it did not leave${isThrown ? ', it throws' : ''}: over`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
      const { openings, seen, hooks } = made({ proof: isThrown ? 'none' : 'host' })
      const handOver = () => {
        if (!isThrown) return
        during(openings, inputId, t.mock)
        throw new Error('the pipe is closed')
      }
      const inputId = openings.open(asked(asking), {}, { ...hooks, handOver })
      const given = openings.answerOnDesktop(inputId, [['a']])
      if (!isThrown) {
        during(openings, inputId, t.mock)
        openings.notSent(inputId)
      }
      assert.deepEqual(await given, { status: 'not-sent' })
      assert.deepEqual(brief(seen), ['input.requested', 'input.canceled expired'])
      assert.deepEqual(await openings.handle.openInputs('s'), [])
      assert.equal(seen.withdrawn, 1)
      // Its warning is its own.
      await nextTurn()
    })
  }
}

test('a call that stops waiting while it is handed over does not wait for the proof', async () => {
  const world = made()
  const stop = new AbortController()
  const inputId = world.openings.open(asked(), {}, { handOver: () => stop.abort() })
  const { digest } = new SpokenQuestion({ inputId, ...asked() })
  const resolution = { inputId, expectDigest: digest, optionIndexes: [[0]], resolvedBy: FACTS }
  const given = world.openings.handle.resolveInput(resolution, { signal: stop.signal })
  assert.deepEqual(await given, { status: 'unknown' })
})

test('an answer that turns out not to have left: open as before, and the next one counts', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = made()
  const { openings, seen, hooks } = world
  const inputId = openings.open(asked(), {}, hooks)
  openings.notSent(inputId)
  const first = answer(world, inputId)
  openings.notSent(inputId)
  assert.deepEqual(await first, { status: 'not-sent' })
  assert.deepEqual(await openings.handle.settlement(inputId), { status: 'open' })
  openings.proved(inputId)
  // What was waited for is not waited for any more.
  t.mock.timers.tick(15_000)
  const second = answer(world, inputId, 1)
  openings.proved(inputId)
  assert.deepEqual(await second, { status: 'resolved' })
  openings.notSent(inputId)
  assert.deepEqual(brief(seen), ['input.requested', 'input.resolved'])
  assert.deepEqual(
    seen.given.map(({ optionIndexes }) => optionIndexes),
    [[[0]], [[1]]],
  )
})

test('one input that is never proved, of a host that proves others: submitted, and never known', async () => {
  const world = made()
  const { openings, seen, hooks } = world
  const inputId = openings.open(asked({ proof: 'none' }), {}, hooks)
  assert.equal((await openings.handle.openInputs('s'))[0].proof, undefined)
  assert.deepEqual(await answer(world, inputId), { status: 'submitted' })
  openings.proved(inputId)
  const { resolvedBy } = seen.given[0]
  const event = { type: 'input.resolved', inputId, optionIndexes: [[0]], resolvedBy, proof: 'none' }
  assert.deepEqual(seen.events.slice(1), [event])
  assert.deepEqual(await openings.handle.settlement(inputId), { status: 'unknown' })
  const again = { status: 'rejected', code: 'already-resolved' }
  assert.deepEqual(await openings.answerOnDesktop(inputId, [['a']]), again)
  // The others are.
  const other = openings.open(asked(), {}, hooks)
  const given = openings.answerOnDesktop(other, [['a']])
  openings.proved(other)
  assert.deepEqual(await given, { status: 'resolved' })
  assert.equal(seen.events.at(-1).proof, undefined)
})

test('the host goes on without a word: submitted, never known, and a late proof is nothing', async () => {
  const world = made()
  const { openings, seen, hooks } = world
  const inputId = openings.open(asked(), {}, hooks)
  openings.submitted(inputId)
  assert.deepEqual(await openings.handle.settlement(inputId), { status: 'open' })
  const given = answer(world, inputId)
  openings.submitted(inputId)
  openings.proved(inputId)
  openings.refused(inputId)
  openings.submitted(inputId)
  assert.deepEqual(await given, { status: 'submitted' })
  const { resolvedBy } = seen.given[0]
  const event = { type: 'input.resolved', inputId, optionIndexes: [[0]], resolvedBy, proof: 'none' }
  assert.deepEqual(seen.events.slice(1), [event])
  assert.deepEqual(await openings.handle.settlement(inputId), { status: 'unknown' })
  const again = { status: 'rejected', code: 'already-resolved' }
  assert.deepEqual(await openings.answerOnDesktop(inputId, [['b']]), again)
  // Declined, nothing was chosen.
  const declined = openings.open(asked(), {}, hooks)
  const none = { declined: true, resolvedBy: { kind: 'desktop' } }
  const reply = openings.answerOnDesktop(declined, () => none)
  openings.submitted(declined)
  assert.deepEqual(await reply, { status: 'submitted' })
  assert.equal(brief(seen).at(-1), 'input.canceled declined')
})

test('the host goes on when its answer was given up already: that it is unknown stays', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const world = made()
  const inputId = world.openings.open(asked(), {}, world.hooks)
  const given = answer(world, inputId)
  t.mock.timers.tick(15_000)
  world.openings.submitted(inputId)
  assert.deepEqual(await given, { status: 'unknown' })
  world.openings.proved(inputId)
  assert.equal((await world.openings.handle.settlement(inputId)).status, 'resolved')
  await nextTurn()
})

test('a live call never takes such an answer for proved', async (t) => {
  const { openings, hooks } = made()
  const voice = createFakeVoice()
  const clock = createManualClock()
  const call = openLiveCall({ session: { id: 's' }, host: openings.handle, voice, clock })
  t.after(() => call.close())
  openings.open(asked({ proof: 'none' }), {}, hooks)
  await clock.advance()
  const { settled } = call.instruct(
    { requestId: 'r', instruction: 'b' },
    { speechStartedAt: clock.now() },
  )
  await clock.advance()
  assert.equal((await settled).state, 'submitted')
})

test('who makes the card’s answer answers meanwhile: one of the two is handed over', async () => {
  const { openings, seen, hooks } = made({ proof: 'none' })
  const inputId = openings.open(asked(), {}, hooks)
  let inner
  const outer = openings.answerOnDesktop(inputId, () => {
    inner = openings.answerOnDesktop(inputId, [['b']])
    return { answers: [['a']], resolvedBy: { kind: 'desktop' } }
  })
  assert.deepEqual(await outer, { status: 'rejected', code: 'already-resolved' })
  assert.deepEqual(await inner, { status: 'submitted' })
  assert.deepEqual(
    seen.given.map(({ answers }) => answers),
    [[['b']]],
  )
})

test('who watches may act at once: the id is known, and everybody hears things in their order', async () => {
  const { openings, seen, hooks } = made()
  let known
  const act = ({ type, input }) => {
    if (type === 'input.requested') openings.cancel(input.inputId, known)
  }
  openings.handle.watch('s', act)
  const later = []
  openings.handle.watch('s', ({ type, reason }) => later.push([type, reason]))
  const inputId = openings.open(asked(), {}, { ...hooks, opened: (id) => (known = `of ${id}`) })
  const told = [
    ['input.requested', undefined],
    ['input.canceled', `of ${inputId}`],
  ]
  assert.deepEqual(later, told)
  assert.deepEqual(brief(seen), ['input.requested', `input.canceled of ${inputId}`])
})

test('who stops and watches anew in an event is not told of that event again', () => {
  const { openings, hooks } = made()
  let told = 0
  let stop
  const again = () => {
    if (++told > 10) return
    stop()
    stop = openings.handle.watch('s', again)
  }
  stop = openings.handle.watch('s', again)
  // One who was stopped meanwhile is told nothing any more.
  const late = []
  const stopLate = openings.handle.watch('t', () => stopOther())
  const stopOther = openings.handle.watch('t', (event) => late.push(event))
  openings.open(asked(), {}, hooks)
  openings.open(asked({ sessionId: 't' }), {}, hooks)
  stopLate()
  assert.deepEqual([told, late], [1, []])
})

test('a private question is for the card alone', async () => {
  const world = made()
  const { openings, seen, hooks } = world
  const inputId = openings.open(asked({ private: true }), {}, hooks)
  const shown = { kind: 'other', inputId, sessionId: 's' }
  assert.deepEqual(await openings.handle.openInputs('s'), [shown])
  assert.deepEqual(await answer(world, inputId), { status: 'rejected', code: 'not-found' })
  const card = openings.answerOnDesktop(inputId, [['b']])
  openings.proved(inputId)
  assert.deepEqual(await card, { status: 'resolved' })
  assert.deepEqual(seen.events, [
    { type: 'input.requested', input: shown },
    { type: 'input.resolved', inputId, resolvedBy: { kind: 'desktop' } },
  ])
  assert.equal((await openings.handle.settlement(inputId)).optionIndexes, undefined)
})

test('a private question that is never proved: what is told of it says so', async () => {
  const { openings, seen, hooks } = made({ proof: 'none' })
  const inputId = openings.open(asked({ private: true }), {}, hooks)
  const card = await openings.answerOnDesktop(inputId, [['b']])
  assert.deepEqual(card, { status: 'submitted' })
  const resolvedBy = { kind: 'desktop' }
  assert.deepEqual(seen.events.slice(1), [
    { type: 'input.resolved', inputId, resolvedBy, proof: 'none' },
  ])
})

test('a question of one speaker', async () => {
  const world = made({ proof: 'none' })
  const inputId = world.openings.open(asked({ askedOf: 'ada' }), {}, world.hooks)
  const by = (id) => ({ resolvedBy: { ...FACTS, speaker: { id, attribution: 'app' } } })
  const invalid = { status: 'rejected', code: 'invalid' }
  assert.deepEqual(await answer(world, inputId), invalid)
  assert.deepEqual(await answer(world, inputId, 0, by('bob')), invalid)
  assert.deepEqual(await answer(world, inputId, 0, by('ada')), { status: 'submitted' })
})

test('a question that ends by itself: canceled, and whoever asked is let go', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const world = made()
  const { openings, seen, hooks } = world
  const first = openings.open(asked({ expiresAt: 60_000 }), {}, hooks)
  t.mock.timers.tick(60_000)
  assert.deepEqual(brief(seen), ['input.requested', 'input.canceled expired'])
  assert.equal(seen.withdrawn, 1)
  assert.deepEqual(await answer(world, first), { status: 'rejected', code: 'not-found' })
  // What was handed over in time is the host's to judge.
  const second = openings.open(asked({ expiresAt: 70_000 }), {}, hooks)
  const given = answer(world, second)
  t.mock.timers.tick(10_000)
  openings.proved(second)
  assert.deepEqual(await given, { status: 'resolved' })
  assert.equal(seen.withdrawn, 1)
})

test('what is said of inputs that are over, or never were, is nothing', async () => {
  const { openings, seen, hooks } = made()
  const inputId = openings.open(asked(), {}, hooks)
  openings.cancel(inputId, 'first')
  const before = seen.events.length
  for (const id of [inputId, 'never']) {
    openings.proved(id)
    openings.refused(id)
    openings.answeredElsewhere(id)
    openings.cancel(id, 'again')
    assert.deepEqual([openings.given(id), openings.original(id)], [null, undefined])
  }
  assert.equal(seen.events.length, before)
  assert.deepEqual(
    openings.find(() => true),
    [],
  )
})

test('an answer that was not given proves nothing', async () => {
  const { openings, seen, hooks } = made()
  const inputId = openings.open(asked(), {}, hooks)
  openings.proved(inputId)
  assert.deepEqual(await openings.handle.settlement(inputId), { status: 'open' })
  assert.deepEqual(brief(seen), ['input.requested'])
})

test('the newest hundred answers that nothing proved can still be proved', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { openings, seen, hooks } = made()
  const ids = Array.from({ length: 101 }, (_, n) =>
    openings.open(asked({ id: `i${n}` }), {}, hooks),
  )
  for (const id of ids) void openings.answerOnDesktop(id, [['a']])
  t.mock.timers.tick(15_000)
  seen.events.length = 0
  for (const id of ids) openings.proved(id)
  assert.equal(seen.events.length, 100)
  assert.equal(
    seen.events.some(({ inputId }) => inputId === ids[0]),
    false,
  )
  // The oldest is over: what became of it is not known, and no other input has its id.
  assert.deepEqual(await openings.handle.settlement('i0'), { status: 'unknown' })
  const again = { status: 'rejected', code: 'already-resolved' }
  assert.deepEqual(await openings.answerOnDesktop('i0', [['a']]), again)
  assert.notEqual(openings.open(asked({ id: 'i0' }), {}, hooks), 'i0')
  // Its warnings are its own.
  await nextTurn()
})

test('the newest so many values are remembered, and one that comes again is new', () => {
  const newest = new Newest(2)
  for (const value of ['a', 'b', 'a', 'c']) newest.add(value)
  assert.deepEqual(
    ['a', 'b', 'c'].map((value) => newest.has(value)),
    [true, false, true],
  )
})

test('what an adapter does later to what it said changes nothing; what it throws is its own affair', async () => {
  const { openings, seen, hooks } = made()
  const questions = structuredClone(QUESTIONS)
  const withdraw = () => {
    throw new Error('a defect of the adapter')
  }
  const inputId = openings.open(asked({ questions }), {}, { ...hooks, withdraw })
  questions[0].options.length = 0
  assert.deepEqual((await openings.handle.openInputs('s'))[0].questions, QUESTIONS)
  const warned = await warnings(() => openings.cancel(inputId, 'over'))
  assert.deepEqual(warned, ['whoever asked was not let go: a defect of the adapter'])
  assert.deepEqual(brief(seen), ['input.requested', 'input.canceled over'])
})

test('mistakes of an adapter', async () => {
  const code = (name) => ({ name: 'TypeError', code: name })
  for (const [options, name] of [
    [undefined, 'INVALID_OPTIONS'],
    [{ proof: 'perhaps', feeding: 'x' }, 'INVALID_PROOF'],
    [{ proof: 'host' }, 'INVALID_FEEDING'],
  ]) {
    assert.throws(() => new Openings(options), code(name))
  }
  const { openings, hooks } = made()
  for (const [input, with_, name] of [
    [undefined, hooks, 'INVALID_INPUT'],
    [asked({ questions: [() => {}] }), hooks, 'INVALID_INPUT'],
    [asked({ kind: 'wish' }), hooks, 'INVALID_INPUT'],
    [asked({ questions: undefined }), hooks, 'INVALID_INPUT'],
    [asked({ questions: [null] }), hooks, 'INVALID_INPUT'],
    [asked({ questions: Array(1) }), hooks, 'INVALID_INPUT'],
    [asked({ questions: [{ question: 'Which?' }] }), hooks, 'INVALID_INPUT'],
    [asked({ sessionId: '' }), hooks, 'INVALID_SESSION_ID'],
    [asked({ proof: 'perhaps' }), hooks, 'INVALID_PROOF'],
    [asked({ private: 'yes' }), hooks, 'INVALID_PRIVATE'],
    [asked({ expiresAt: NaN }), hooks, 'INVALID_EXPIRES_AT'],
    [asked({ expiresAt: '5' }), hooks, 'INVALID_EXPIRES_AT'],
    [asked({ askedOf: 7 }), hooks, 'INVALID_ASKED_OF'],
    [asked(), undefined, 'INVALID_HAND_OVER'],
    [asked(), null, 'INVALID_HOOKS'],
    [asked(), { ...hooks, withdraw: 1 }, 'INVALID_WITHDRAW'],
    [asked(), { ...hooks, fits: [] }, 'INVALID_FITS'],
    [asked(), { ...hooks, opened: 'x' }, 'INVALID_OPENED'],
  ]) {
    assert.throws(() => openings.open(input, {}, with_), code(name))
  }
  const world = made()
  const inputId = world.openings.open(asked(), {}, world.hooks)
  for (const given of [undefined, Promise.resolve(null), { answers: [['a']] }, 'a']) {
    const answered = world.openings.answerOnDesktop(inputId, () => given)
    await assert.rejects(answered, code('INVALID_ANSWER'))
  }
  for (const signal of [null, {}, { aborted: false }]) {
    await assert.rejects(world.openings.handle.resolveInput({}, { signal }), code('INVALID_SIGNAL'))
  }
  assert.deepEqual([world.seen.given, brief(world.seen)], [[], ['input.requested']])
})

test('of some answers nothing more is heard: the others are still waited for', async () => {
  const world = made()
  const { openings, seen } = world
  const [lost, kept] = ['lost', 'kept'].map((name) => openings.open(asked(), { name }, world.hooks))
  const given = answer(world, lost)
  answer(world, kept)
  openings.lost(({ name }) => name === 'lost')
  assert.deepEqual(await given, { status: 'unknown' })
  assert.deepEqual(brief(seen).at(-1), 'input.canceled unproved')
  openings.proved(kept)
  assert.equal((await openings.handle.settlement(kept)).status, 'resolved')
})
