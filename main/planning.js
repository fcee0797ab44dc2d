'use strict'
// Grants, plans and bindings as an app sees them: frozen values that say what they are. Each stands for
// the object of the addon that really is it; one that somebody wrote by hand stands for nothing.

const { randomUUID } = require('node:crypto')
const { performance } = require('node:perf_hooks')
const addon = require('../addon.js')
const { mistake } = require('./mistake.js')
const { isObject, own } = require('./own.js')

/** What each list, each plan, and each binding stands for. */
const lists = new WeakMap()
const plans = new WeakMap()
const bindings = new WeakMap()

function parseGrants(settings, override) {
  const made = new addon.Grants(settings, override)
  const grants = standing(lists, made, { actorIds: Object.freeze(made.actorIds) })
  return { grants, errors: made.errors }
}

function planTurn(turn, grants, now = performance.now(), wall = Date.now()) {
  const asked = own(turn, ['lane', 'actorId', 'durable', 'binding'])
  if (isObject(asked) && asked.lane === 'voice') {
    asked.binding = asked.binding && bindings.get(asked.binding)
  }
  const made = addon.planTurn(asked, lists.get(grants), now, wall)
  return standing(plans, made, made.view())
}

class SpeakerBindings {
  /** The beginning of every id is another in each connection. */
  #bindings = new addon.SpeakerBindings(randomUUID())

  /** Methods that are called on something else are the calling program's mistake. */
  static #of(self) {
    if (isObject(self) && #bindings in self) return self.#bindings
    throw mistake('INVALID_THIS', 'this must be an object of SpeakerBindings')
  }

  reserve(speaker, now = performance.now(), wall = Date.now()) {
    return SpeakerBindings.#of(this).reserve(own(speaker, ['id', 'utterance']), now, wall)
  }

  attach(bindingId, responseId) {
    return SpeakerBindings.#of(this).attach(bindingId, responseId)
  }

  take(responseId, now = performance.now(), wall = Date.now()) {
    const taken = SpeakerBindings.#of(this).take(responseId, now, wall)
    return taken === null ? null : standing(bindings, taken, taken.view())
  }

  release(bindingId) {
    return SpeakerBindings.#of(this).release(bindingId)
  }

  close() {
    SpeakerBindings.#of(this).close()
  }
}

/** A frozen value that stands for an object of the addon. */
function standing(table, made, view) {
  Object.freeze(view)
  table.set(view, made)
  return view
}

module.exports = { SpeakerBindings, lists, parseGrants, planTurn, plans }
