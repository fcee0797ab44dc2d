'use strict'
// What every agent host must do, as checks. They know a host by the agent that asks through it, the card
// that answers beside the voice, and what reached the agent; nothing of how it is made.

const assert = require('node:assert/strict')
const { SpokenQuestion } = require('../..')
const { checksOf } = require('./check.js')
const { Session, answering, isRejected, isTaken, patiently, wasTaken } = require('./session.js')

const labels = (...texts) => texts.map((label) => ({ label }))

const SHIP = {
  question: 'Which version should ship?',
  options: labels('0.16.0-beta.1', 'local only'),
}
const SURE = { question: 'Are you sure?', options: labels('Yes', 'No') }
/** Labels that a careless join, trim or quote would change. */
const PARTS = {
  question: 'Which parts?',
  options: labels('Red, green', 'the "fast" way', ' spaced ', 'caf\u0065\u0301'),
  multiSelect: true,
}

/** A question with those, as far as this host can ask it. */
function difficult({ several = true, multiSelect = true } = {}) {
  const parts = { ...PARTS, multiSelect }
  return several ? [SHIP, parts] : [parts]
}

/** What is not an answer to a question with two options of which one may be chosen. */
const WRONG = {
  'an option that is not there': [[2]],
  'a negative position': [[-1]],
  'half a position': [[0.5]],
  'two options where one is asked for': [[0, 1]],
  'the same option twice': [[0, 0]],
  'no option': [[]],
  'no question': [],
  'one question too many': [[0], [0]],
  'a text': '0',
  nothing: undefined,
}

const CLOSED = ['not-found', 'already-resolved']

const CHECKS = {
  'it says whether it proves anything, and what it says of an answer fits that': async (
    session,
  ) => {
    const { host, proof } = session
    assert.ok(['host', 'none'].includes(host.proof), `proof is ${host.proof}`)
    const status = { host: 'resolved', none: 'submitted' }[proof]
    assert.deepEqual(await session.resolve(await session.ask(SHIP), [[0]]), { status })
  },

  'a question is listed as it was asked': async (session) => {
    const questions = difficult(session.rig.asks)
    const input = await session.ask(...questions)
    const view = new SpokenQuestion(input)
    assert.equal(input.kind, 'question')
    assert.equal(view.unanswerable, null)
    const asked = { inputId: input.inputId, sessionId: input.sessionId, questions }
    assert.deepEqual(view.questions, new SpokenQuestion(asked).questions)
    const labelsOf = ({ options }) => options.map((option) => option.label ?? option)
    assert.deepEqual(input.questions.map(labelsOf), asked.questions.map(labelsOf))
  },

  'a question is of its session only': async (session) => {
    const others = []
    await session.watch('another session', (event) => others.push(event))
    const input = await session.ask(SHIP)
    assert.equal(input.sessionId, session.rig.sessionId)
    assert.deepEqual(await session.host.openInputs('another session', patiently()), [])
    await session.resolve(input, [[0]])
    await session.arrived(input, [['0.16.0-beta.1']])
    assert.deepEqual(others, [])
  },

  'a question that opens is told to whoever watches': async (session) => {
    const input = await session.ask(SHIP)
    const event = await session.told(input, 'input.requested')
    assert.deepEqual(event.input, input)
  },

  'nothing is told after unsubscribing': async (session) => {
    const heard = []
    const stop = await session.watch(session.rig.sessionId, (event) => heard.push(event))
    stop()
    session.stop()
    const before = session.events.length
    await session.resolve(await session.ask(SHIP), [[0]])
    assert.deepEqual([heard, session.events.length], [[], before])
  },

  'a listener that throws harms nobody': async (session) => {
    const heard = []
    const onPurpose = Object.assign(new Error('a listener of the checks throws, on purpose'), {
      stack: '',
    })
    await session.watch(session.rig.sessionId, () => {
      throw onPurpose
    })
    await session.watch(session.rig.sessionId, (event) => heard.push(event))
    const input = await session.ask(SHIP)
    wasTaken(await session.resolve(input, [[0]]))
    await session.until(() => heard.length > 0, 'the others are told')
  },

  'what is listed and told are copies': async (session) => {
    const input = await session.ask(SHIP)
    const event = await session.told(input, 'input.requested')
    const before = structuredClone(input)
    for (const copy of [input, event.input]) {
      copy.questions.length = 0
      copy.inputId = 'changed'
    }
    assert.deepEqual(await session.listed(before.inputId), before)
  },

  'an answer reaches the agent once, in its own labels': async (session) => {
    const questions = difficult(session.rig.asks)
    const chosen = questions.map(({ options, multiSelect }) =>
      multiSelect ? [...options.keys()] : [0],
    )
    const input = await session.ask(...questions)
    wasTaken(await session.resolve(input, chosen))
    const labelsOf = (indexes, n) => indexes.map((index) => questions[n].options[index].label)
    await session.arrived(input, chosen.map(labelsOf))
  },

  'an answered question is told, gone from the list, and known': async (session) => {
    const input = await session.ask(SHIP)
    const resolution = answering(input, [[1]])
    await session.send(resolution)
    const event = await session.told(input, 'input.resolved')
    assert.equal(await session.listed(input.inputId), undefined)
    const settled = await session.host.settlement(input.inputId, patiently())
    if (session.proof === 'host') assert.equal(settled.status, 'resolved')
    else assert.notEqual(settled.status, 'open')
    // Who answered, or, where the host keeps nobody, what; never something else.
    for (const { optionIndexes, resolvedBy } of settled.status === 'resolved'
      ? [event, settled]
      : [event]) {
      if (resolvedBy !== undefined) {
        assert.equal(resolvedBy.kind, 'voice')
        assert.equal(resolvedBy.operationId, resolution.resolvedBy.operationId)
      }
      if (optionIndexes !== undefined) assert.deepEqual(optionIndexes, [[1]])
      assert.ok(resolvedBy ?? optionIndexes, 'it is known who answered, or what')
    }
  },

  'an answer to another question than the one that is open is refused': async (session) => {
    const input = await session.ask(SHIP)
    for (const expectDigest of ['1:of another question', '', undefined]) {
      isRejected(await session.resolve(input, [[0]], { expectDigest }), 'question-changed')
    }
    await session.untouched(input)
  },

  'what the question does not offer is refused': async (session) => {
    const input = await session.ask(SHIP)
    for (const [what, optionIndexes] of Object.entries(WRONG)) {
      const reply = await session.resolve(input, optionIndexes)
      assert.deepEqual(reply, { status: 'rejected', code: 'invalid' }, what)
    }
    await session.untouched(input)
  },

  'what is no resolution answers nothing': async (session) => {
    const input = await session.ask(SHIP)
    for (const wrong of [undefined, null, 'yes', {}, { inputId: input.inputId }]) {
      const reply = await session.send(wrong).catch((error) => error)
      if (!(reply instanceof TypeError)) assert.equal(reply?.status, 'rejected')
    }
    await session.untouched(input)
  },

  'what is not open cannot be answered': async (session) => {
    const input = { ...(await session.ask(SHIP)), inputId: 'never asked' }
    isRejected(await session.resolve(input, [[0]]), 'not-found')
    assert.deepEqual(await session.host.settlement('never asked', patiently()), {
      status: 'unknown',
    })
  },

  'a second answer is refused': async (session) => {
    const input = await session.ask(SHIP)
    await session.resolve(input, [[0]])
    for (const indexes of [[[0]], [[1]]]) {
      isRejected(await session.resolve(input, indexes), 'already-resolved')
    }
    await session.arrived(input, [['0.16.0-beta.1']])
  },

  'of two answers at the same time one arrives': async (session) => {
    const input = await session.ask(SHIP)
    const replies = await Promise.all([
      session.resolve(input, [[0]]),
      session.resolve(input, [[1]]),
    ])
    const won = replies.findIndex(isTaken)
    assert.notEqual(won, -1)
    isRejected(replies[1 - won], 'already-resolved')
    await session.arrived(input, [[SHIP.options[won].label]])
  },

  'answered on the card first: the voice is refused': async (session) => {
    const input = await session.ask(SHIP)
    await session.rig.answerOnCard(input.inputId, [[1]])
    isRejected(await session.resolve(input, [[0]]), 'already-resolved')
    const { resolvedBy } = await session.told(input, 'input.resolved')
    assert.notEqual(resolvedBy?.kind, 'voice')
    await session.arrived(input, [['local only']])
  },

  'the card and the voice at the same time: one of them': async (session) => {
    const input = await session.ask(SHIP)
    const [, voice] = await Promise.all([
      session.rig.answerOnCard(input.inputId, [[0]]),
      session.resolve(input, [[1]]),
    ])
    const isVoice = isTaken(voice)
    if (!isVoice) isRejected(voice, 'already-resolved')
    await session.arrived(input, [[isVoice ? 'local only' : '0.16.0-beta.1']])
  },

  'a question that is withdrawn is told, gone, and takes no answer': async (session) => {
    const input = await session.ask(SHIP)
    await session.rig.withdraw(input.inputId)
    await session.told(input, 'input.canceled')
    assert.equal(await session.listed(input.inputId), undefined)
    isRejected(await session.resolve(input, [[0]]), 'not-found')
    const settled = await session.host.settlement(input.inputId, patiently())
    assert.ok(['canceled', 'unknown'].includes(settled.status), `it is ${settled.status}`)
    assert.deepEqual(session.received(input), [])
  },

  'of two open questions each gets its own answer': async (session) => {
    const first = await session.ask(SHIP)
    const second = await session.ask(SURE)
    wasTaken(await session.resolve(second, [[1]]))
    wasTaken(await session.resolve(first, [[0]]))
    await session.arrived(first, [['0.16.0-beta.1']])
    await session.arrived(second, [['No']])
  },

  'the same question asked again is not answered by what was for the first': async (session) => {
    const first = await session.ask(SHIP)
    const late = answering(first, [[0]])
    await session.rig.withdraw(first.inputId)
    await session.until(async () => !(await session.listed(first.inputId)), 'it is off the list')
    const second = await session.ask(SHIP)
    assert.notEqual(second.inputId, first.inputId)
    isRejected(await session.send(late), ...CLOSED)
    await session.untouched(second)
  },

  'looking changes nothing': async (session) => {
    const input = await session.ask(SHIP)
    for (let n = 0; n < 3; n++) {
      const settled = await session.host.settlement(input.inputId, patiently())
      assert.deepEqual(settled, { status: 'open' })
      assert.deepEqual(await session.listed(input.inputId), input)
    }
    await session.untouched(input)
  },

  'a call that does not wait any more is told nothing untrue': async (session) => {
    const input = await session.ask(SHIP)
    const signal = AbortSignal.abort()
    const reply = await session.send(answering(input, [[1]]), { signal })
    if (reply.status === 'not-sent' || reply.status === 'rejected') return session.untouched(input)
    if (reply.status !== 'unknown') {
      wasTaken(reply)
      await session.arrived(input, [['local only']])
    }
  },

  'what is no question takes no answer': async (session) => {
    if (session.rig.hold === undefined) return
    const inputId = await session.rig.hold()
    const input = await session.until(() => session.listed(inputId), 'what waits is listed')
    assert.ok(['permission', 'plan', 'goal', 'other'].includes(input.kind), `it is ${input.kind}`)
    const asked = { ...input, kind: 'question', questions: [SURE] }
    isRejected(await session.resolve(asked, [[0]]), 'not-found', 'invalid', 'question-changed')
    assert.deepEqual(await session.listed(inputId), input)
    assert.deepEqual(session.received(input), [])
  },
}

function hostChecks(makeHost, options) {
  const table = Object.entries(CHECKS).map(([name, check]) => [
    name,
    async (rig, until) => {
      const session = new Session(rig, until)
      await session.begin()
      await check(session)
    },
  ])
  return checksOf(Object.fromEntries(table), makeHost, options)
}

module.exports = { hostChecks }
