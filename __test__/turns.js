'use strict'
// What tests of turns share: an agent whose sessions do what the test says, and a room.

const { SpeakerBindings, parseGrants, planTurn, runTurn } = require('../main/authority.js')
const { createManualClock } = require('../main/testing.js')

const ADA = '100000000000000001'
const BOB = '200000000000000002'
const { grants } = parseGrants([ADA])
const DEADLINE_MS = 600_000
const STOP_MS = 5_000

/** An agent whose sessions do what the test says, and write down what was done to them. */
function agent(answer = async () => 'done', more = {}) {
  const made = []
  function session(kind, options) {
    const one = {
      kind,
      options,
      prompts: [],
      log: [],
      tools: kind === 'machine' ? ['bash'] : [],
      machineTools: () => one.tools,
      prompt: async (text, { signal }) => {
        one.prompts.push(text)
        one.signal = signal
        return answer(text, one)
      },
      abort: async () => void one.log.push('abort'),
      dispose: async () => {
        one.log.push('dispose')
        one.tools = []
      },
      ...more,
    }
    made.push(one)
    return one
  }
  const rooms = new Map()
  const sessions = {
    shared: async (name, options) => {
      if (!rooms.has(name)) rooms.set(name, session('shared', options))
      return rooms.get(name)
    },
    oneShot: async (tools, options) => session(tools, options),
  }
  return { made, rooms, sessions }
}

/** A room in which people ask for something. */
function room({ sessions, ...given }) {
  const clock = createManualClock()
  const said = []
  const ask = (actorId, request = `${actorId} asks`, more = {}) =>
    runTurn({
      plan: planTurn({ lane: 'text', actorId }, grants),
      room: 'lounge',
      message: { speaker: actorId, request, utterance: null },
      sessions,
      clock,
      say: (text, { code }) => void said.push([code, text]),
      ...given,
      ...more,
    })
  return { ask, clock, said }
}

/** A promise, and how to settle it. */
function later() {
  const one = {}
  one.promise = new Promise((resolve, reject) => Object.assign(one, { resolve, reject }))
  return one
}

/** Binds a speaker, as an app does. */
function spoken(id, response = 'response-1') {
  const bindings = new SpeakerBindings()
  bindings.attach(bindings.reserve({ id, utterance: 'do it' }), response)
  return planTurn({ lane: 'voice', binding: bindings.take(response) }, grants)
}

module.exports = { ADA, BOB, DEADLINE_MS, STOP_MS, agent, grants, later, room, spoken }
