'use strict'
// A session of a host that is checked: what is asked is waited for, what is told is kept, what reached
// the agent is compared.

const assert = require('node:assert/strict')
const { SpokenQuestion } = require('../..')

let operations = 0

/** An answer by voice, as a live call sends it. */
function answering(input, optionIndexes, more) {
  const { inputId, sessionId } = input
  const { digest } = new SpokenQuestion(input)
  const name = `operation-${++operations}`
  const resolvedBy = {
    kind: 'voice',
    callId: 'call-1',
    operationId: name,
    requestId: name,
    digest,
    readOut: 'sent',
    shortened: false,
    basis: 'instruction',
    at: 1_700_000_000_000,
  }
  const answers = [['what a message says of labels counts for nothing']]
  return { inputId, sessionId, expectDigest: digest, answers, optionIndexes, resolvedBy, ...more }
}

const patiently = () => ({ signal: new AbortController().signal })

/** A session with its agent: what is asked is waited for, what is told is kept. */
class Session {
  events = []

  constructor(rig, until) {
    this.rig = rig
    this.host = rig.host
    this.proof = rig.proof ?? rig.host.proof
    this.until = until
  }

  async begin() {
    this.stop = await this.watch(this.rig.sessionId, (event) => this.events.push(event))
  }

  /** Another listener; from when this returns on, nothing is missed. */
  async watch(sessionId, onEvent) {
    const stop = this.host.watch(sessionId, onEvent)
    await this.list()
    return stop
  }

  list() {
    return this.host.openInputs(this.rig.sessionId, patiently())
  }

  async listed(inputId) {
    return (await this.list()).find((input) => input.inputId === inputId)
  }

  /** Asks, and waits until it is open; returns it as it is listed. */
  async ask(...questions) {
    const inputId = await this.rig.ask(questions)
    return this.until(() => this.listed(inputId), 'what the agent asks is listed')
  }

  resolve(input, optionIndexes, more) {
    return this.send(answering(input, optionIndexes, more))
  }

  /** What the host says to an answer, and that it says anything. */
  async send(resolution, options = patiently()) {
    const reply = this.host.resolveInput(resolution, options)
    let isSettled = false
    const settle = () => (isSettled = true)
    reply.then(settle, settle)
    await this.until(() => isSettled, 'an answer gets a reply')
    return reply
  }

  /** What reached the agent: every answer to this input. */
  received({ inputId }) {
    return this.rig.received(inputId).map((answer) => answer.map((chosen) => [...chosen]))
  }

  told({ inputId }, type) {
    const isOf = (event) => (event.inputId ?? event.input?.inputId) === inputId
    return this.until(
      () => this.events.find((event) => event.type === type && isOf(event)),
      `${type} is told`,
    )
  }

  /** The one answer that reached the agent is this one. */
  async arrived(input, answer) {
    await this.until(() => this.received(input).length > 0, 'the answer reaches the agent')
    assert.deepEqual(this.received(input), [answer])
  }

  /** Nothing has: what is answered now is the first that does. */
  async untouched(input) {
    assert.deepEqual(this.received(input), [])
    wasTaken(await this.resolve(input, [[1]]))
    await this.arrived(input, [['local only']])
  }
}

/** Whether an answer was taken. What exactly is said of it is a check of its own. */
const isTaken = (reply) => ['resolved', 'submitted'].includes(reply?.status)
const wasTaken = (reply) => assert.ok(isTaken(reply), `it says ${JSON.stringify(reply)}`)
const isRejected = (reply, ...codes) => {
  assert.equal(reply?.status, 'rejected')
  assert.ok(codes.includes(reply.code), `the code is ${reply.code}, not one of ${codes.join(', ')}`)
}

module.exports = { Session, answering, isRejected, isTaken, patiently, wasTaken }
