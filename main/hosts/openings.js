'use strict'
// What a host of somebody else's has open: the part that every adapter has in common. An adapter says
// what is asked and what the host proved; the card and the voice answer here, and the first one is the
// only one.

const { randomUUID } = require('node:crypto')
const { SpokenQuestion } = require('../..')
const { warn } = require('../warn.js')
const { answerByVoice, answerOfCard } = require('./answers.js')
const { checkedOpen, checkedOpenings, checkedResolution, checkedWatch } = require('./arguments.js')
const { discreetEvent, discreetInput } = require('./discreet.js')
const { Opening } = require('./opening.js')
const { Settlements } = require('./settlements.js')
const { Watchers } = require('./watchers.js')

/** Inputs of which nothing was heard any more, and whose proof may still come: the newest so many. */
const OVERDUE = 100

class Openings {
  #proof
  #feeding
  #openings = new Map()
  #settled = new Settlements([])
  #watchers = new Watchers()
  #messagesHeard = 0

  /**
   * `proof` is whether this host ever proves that an answer arrived; `feeding` says what the app has to
   * pass on so that it is seen.
   */
  constructor(settings) {
    const { proof, feeding } = checkedOpenings(settings)
    this.#proof = proof
    this.#feeding = feeding
    /** What a live call gets. */
    this.handle = Object.freeze({
      proof,
      watch: (sessionId, onEvent) => this.#watch(sessionId, onEvent),
      openInputs: async (sessionId) => this.#openInputs(sessionId),
      resolveInput: async (resolution, options) =>
        this.#resolveByVoice(resolution, options?.signal),
      settlement: async (inputId) => this.#settlement(inputId),
    })
  }

  // ---- what the adapter says ----

  /**
   * The host waits for something; returns its input id, which is `id` where that is one and was none
   * before. The other arguments are those of {@link Opening}.
   */
  open(asked, original, hooks) {
    const { id, proof = this.#proof, ...copy } = checkedOpen(asked, hooks)
    const isFresh = id !== undefined && !this.#openings.has(id) && !this.#settled.has(id)
    const input = { ...copy, inputId: isFresh ? id : randomUUID() }
    const { inputId, expiresAt } = input
    const spoken = input.kind === 'question' ? new SpokenQuestion(input) : null
    const opening = new Opening(input, spoken, proof, original, hooks)
    this.#openings.set(inputId, opening)
    if (expiresAt !== undefined) opening.arm(() => this.#cancel(opening, 'expired'))
    // Whoever is told may act at once.
    hooks?.opened?.(inputId)
    this.#emit(input, { type: 'input.requested', input })
    return inputId
  }

  /** The host's own request of an input that is open. */
  original(inputId) {
    return this.#openings.get(inputId)?.original
  }

  /** The answer that was handed over and waits for its proof; `null` where there is none. */
  given(inputId) {
    return this.#openings.get(inputId)?.answer ?? null
  }

  /** The inputs whose original is such a one. */
  find(isSuch) {
    const found = [...this.#openings].filter(([, { original }]) => isSuch(original))
    return found.map(([inputId]) => inputId)
  }

  /** The host was heard: the app passes on what it says. */
  heard() {
    this.#messagesHeard += 1
  }

  /** The host proved that exactly the answer that was handed over arrived. */
  proved(inputId) {
    const opening = this.#openings.get(inputId)
    if (opening?.answer) this.#resolved(opening, opening.answer, { status: 'resolved' })
  }

  /** The host went on, and will never prove the answer that was handed over. */
  submitted(inputId) {
    const opening = this.#openings.get(inputId)
    if (opening?.state === 'given') this.#resolved(opening, opening.answer, { status: 'submitted' })
  }

  /** The host has another answer than what was handed over, if anything was. */
  answeredElsewhere(inputId, optionIndexes) {
    const opening = this.#openings.get(inputId)
    if (opening === undefined) return
    const answer = { optionIndexes, resolvedBy: { kind: 'host' } }
    this.#resolved(opening, answer, rejected('already-resolved'))
    opening.withdraw()
  }

  /** The host did not take the answer, or whoever asked does not wait any more, and says so. */
  refused(inputId) {
    const opening = this.#openings.get(inputId)
    if (opening?.answer) this.#canceled(opening, 'not-taken', rejected('not-taken'))
    else if (opening) this.#cancel(opening, 'not-taken')
  }

  /** Certainly nothing of the answer that was handed over went to the host: it is open as before. */
  notSent(inputId) {
    this.#openings.get(inputId)?.takeBack()
  }

  /** The host has said all that it will say of the answers to these that were handed over. */
  lost(isSuch = () => true) {
    for (const opening of this.#openings.values()) if (isSuch(opening.original)) opening.lose()
  }

  /** Whoever asked does not wait any more. What was handed over is still for the host to say. */
  cancel(inputId, reason) {
    const opening = this.#openings.get(inputId)
    if (opening) this.#cancel(opening, reason)
  }

  /** An answer of the card: labels, free text or `null` for each question, or a function that makes one. */
  async answerOnDesktop(inputId, answers) {
    const opening = this.#openings.get(inputId)
    const why = this.#whyNot(opening, inputId)
    if (why !== null) return rejected(why)
    const given = answerOfCard(opening, answers)
    return given === null ? rejected('invalid') : this.#give(opening, given)
  }

  // ---- answers ----

  #resolveByVoice(resolution, signal) {
    checkedResolution(resolution, signal)
    const { inputId, expectDigest, optionIndexes, resolvedBy } = resolution
    const opening = this.#openings.get(inputId)
    // The voice is not told of a private question, so there is none.
    const why = opening?.input.private ? 'not-found' : this.#whyNot(opening, inputId)
    if (why !== null) return rejected(why)
    if (opening.spoken.digest !== expectDigest) return rejected('question-changed')
    const answer = answerByVoice(opening, optionIndexes, resolvedBy)
    if (answer === null || !opening.fits(answer.optionIndexes)) return rejected('invalid')
    return signal?.aborted ? { status: 'not-sent' } : this.#give(opening, answer, signal)
  }

  /** Why an input takes no answer; `null` where it does. */
  #whyNot(opening, inputId) {
    if (opening?.input.expiresAt <= Date.now()) this.#cancel(opening, 'expired')
    if (!this.#openings.has(inputId)) return this.#settled.whyNot(inputId)
    if (opening.answer) return 'already-resolved'
    return opening.isAnswerable ? null : 'invalid'
  }

  #give(opening, answer, signal) {
    // Whoever was asked for the answer may have given another one meanwhile.
    const why = this.#whyNot(opening, opening.input.inputId)
    if (why !== null) return rejected(why)
    const heard = this.#messagesHeard
    const isProved = opening.proof === 'host'
    const overdue = isProved ? () => this.#overdue(opening, heard) : undefined
    const told = opening.give(answer, signal, overdue)
    if (!isProved) this.submitted(opening.input.inputId)
    return told
  }

  /** Nothing is known of an answer, and it is not waited for any more. Its proof may still come. */
  #overdue(opening, heard) {
    const { input } = opening
    const why =
      heard === this.#messagesHeard ? this.#feeding : 'the host has not said what became of it'
    warn(`nothing proves that the answer to input ${input.inputId} arrived`, why)
    opening.tell({ status: 'unknown' })
    this.#emit(input, { type: 'input.canceled', inputId: input.inputId, reason: 'unproved' })
    const overdue = [...this.#openings.values()].filter(({ state }) => state === 'overdue')
    if (overdue.length <= OVERDUE) return
    this.#close(overdue[0])
    this.#settled.unproved(overdue[0].input.inputId)
  }

  #resolved(opening, { optionIndexes, resolvedBy, declined }, reply) {
    if (declined) return this.#canceled(opening, 'declined', reply)
    const { inputId, private: isPrivate } = opening.input
    this.#close(opening)
    // What is not proved is not known, whoever handed it over.
    const proof = reply.status === 'submitted' ? { proof: 'none' } : {}
    const how = { optionIndexes, resolvedBy, ...proof }
    this.#settled.resolved(inputId, { ...how, private: isPrivate })
    this.#emit(opening.input, { type: 'input.resolved', inputId, ...how })
    opening.tell(reply)
  }

  #cancel(opening, reason) {
    if (opening.state === 'given') opening.callOff ??= () => this.#cancel(opening, reason)
    if (opening.state !== 'open') return
    this.#canceled(opening, reason)
    opening.withdraw()
  }

  #canceled(opening, reason, reply) {
    const { inputId } = opening.input
    this.#close(opening)
    this.#settled.canceled(inputId)
    this.#emit(opening.input, { type: 'input.canceled', inputId, reason })
    opening.tell(reply)
  }

  #close(opening) {
    opening.close()
    this.#openings.delete(opening.input.inputId)
  }

  // ---- what is seen ----

  #watch(sessionId, onEvent) {
    checkedWatch(sessionId, onEvent)
    return this.#watchers.add(sessionId, onEvent)
  }

  /** What was answered stays on the list until the host has proved it: it is not over. */
  #openInputs(sessionId) {
    const isShown = ({ input, state }) => input.sessionId === sessionId && state !== 'overdue'
    const shown = [...this.#openings.values()].filter(isShown)
    return structuredClone(shown.map(({ input }) => discreetInput(input)))
  }

  #settlement(inputId) {
    const opening = this.#openings.get(inputId)
    if (opening) return { status: opening.state === 'open' ? 'open' : 'unknown' }
    return this.#settled.get(inputId)
  }

  #emit(input, event) {
    this.#watchers.tell(input.sessionId, input.private ? discreetEvent(event) : event)
  }
}

const rejected = (code) => ({ status: 'rejected', code })

module.exports = { Openings }
