'use strict'
// Plans and bindings as an app sees them: frozen values that say what they are. Each stands for the
// object of the addon that really is it; one that somebody wrote by hand stands for nothing.

const { randomUUID } = require('node:crypto')
const { performance } = require('node:perf_hooks')
const addon = require('../addon.js')

/** What each plan, and each binding, stands for. */
const plans = new WeakMap()
const bindings = new WeakMap()

function parseGrants(settings, override) {
  const grants = Object.freeze(new addon.Grants(settings, override))
  return { grants, errors: grants.errors }
}

function planTurn(turn, grants) {
  const isVoice = turn !== null && typeof turn === 'object' && turn.lane === 'voice'
  const asked = isVoice ? { ...turn, binding: turn.binding && bindings.get(turn.binding) } : turn
  return standing(plans, addon.planTurn(asked, grants))
}

class SpeakerBindings {
  /** The beginning of every id is another in each connection. */
  #bindings = new addon.SpeakerBindings(randomUUID())

  reserve(speaker, now = performance.now()) {
    return this.#bindings.reserve(speaker, now)
  }

  attach(bindingId, responseId) {
    return this.#bindings.attach(bindingId, responseId)
  }

  take(responseId, now = performance.now()) {
    const taken = this.#bindings.take(responseId, now)
    return taken === null ? null : standing(bindings, taken)
  }

  release(bindingId) {
    return this.#bindings.release(bindingId)
  }

  close() {
    this.#bindings.close()
  }
}

/** A frozen value that stands for an object of the addon. */
function standing(table, made) {
  const view = Object.freeze(made.view())
  table.set(view, made)
  return view
}

module.exports = { SpeakerBindings, parseGrants, planTurn, plans }
