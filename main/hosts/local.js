'use strict'
// The agent host for apps whose agent runs in their own code: `ask` waits, and the card and the
// voice answer through handles of their own. The first answer wins.

const { SpokenQuestion } = require('../..')
const { openJournal } = require('./journal.js')

/** Answers that can still be looked up. */
const REMEMBERED = 1_000

async function createLocalHost(options = {}) {
  return new LocalHost(options.journal === undefined ? null : openJournal(options.journal))
}

class LocalHost {
  #journal
  #asked = new Map()
  #held = new Map()
  #settled = new Map()
  #watchers = new Map()

  constructor(journal) {
    this.#journal = journal
    for (const [inputId, { optionIndexes, resolvedBy }] of journal?.answers ?? []) {
      this.#settled.set(inputId, { status: 'resolved', optionIndexes, resolvedBy })
    }
    /** What a live call gets. Whatever a message claims, an answer through it is one by voice. */
    this.voice = Object.freeze({
      proof: 'host',
      watch: (sessionId, onEvent) => this.#watch(sessionId, onEvent),
      openInputs: async (sessionId) => this.#openInputs(sessionId),
      resolveInput: async (resolution) => this.#resolveByVoice(resolution),
      settlement: async (inputId) => this.#settlement(inputId),
    })
    /** What the card gets. */
    this.desktop = Object.freeze({
      resolveInput: (inputId, answers) => this.#resolveOnDesktop(inputId, answers),
    })
  }

  ask(question, { signal, private: isPrivate, expiresAt, askedOf } = {}) {
    const copy = structuredClone(question)
    const spoken = new SpokenQuestion(copy)
    const { inputId } = copy
    if (typeof inputId !== 'string' || typeof copy.sessionId !== 'string') {
      return Promise.reject(
        failure('INVALID_QUESTION', 'a question needs an inputId and a sessionId'),
      )
    }
    if (this.#asked.has(inputId)) {
      return Promise.reject(failure('ALREADY_OPEN', `input ${inputId} is open already`))
    }
    if (signal?.aborted) return Promise.reject(failure('CANCELED', 'canceled before it was asked'))
    const journaled = this.#journal?.answers.get(inputId)
    if (journaled?.digest === spoken.digest && journaled.optionIndexes) {
      // Answered before the process died; whoever asked did not hear of it. Told once.
      this.#journal.answers.delete(inputId)
      return Promise.resolve(answerOf(copy, journaled.optionIndexes, journaled.resolvedBy))
    }
    return new Promise((resolve, reject) => {
      const input = { kind: 'question', ...copy, private: isPrivate === true, expiresAt, askedOf }
      this.#append({
        type: 'input.requested',
        inputId,
        sessionId: copy.sessionId,
        digest: spoken.digest,
      })
      const timer =
        expiresAt && setTimeout(() => this.cancel(inputId, 'expired'), expiresAt - Date.now())
      timer?.unref?.()
      const onAbort = () => this.cancel(inputId, 'aborted')
      signal?.addEventListener('abort', onAbort, { once: true })
      const forget = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      this.#settled.delete(inputId)
      this.#asked.set(inputId, { input, spoken, resolve, reject, forget })
      this.#emit(copy.sessionId, { type: 'input.requested', input })
    })
  }

  hold({ kind, inputId, sessionId }) {
    const input = { kind, inputId, sessionId }
    this.#held.set(inputId, input)
    this.#emit(sessionId, { type: 'input.requested', input })
    return {
      release: () => {
        if (this.#held.delete(inputId)) this.#emit(sessionId, { type: 'input.canceled', inputId })
      },
    }
  }

  cancel(inputId, reason = 'canceled') {
    const asked = this.#take(inputId)
    if (asked === undefined) return
    try {
      this.#append({ type: 'input.canceled', inputId, reason })
    } catch (error) {
      // Without its line it is canceled all the same, when the journal is read the next time.
      process.emitWarning(error)
    }
    this.#remember(inputId, { status: 'canceled' })
    asked.reject(failure('CANCELED', `input ${inputId} was canceled: ${reason}`))
    this.#emit(asked.input.sessionId, { type: 'input.canceled', inputId, reason })
  }

  async close() {
    for (const inputId of this.#asked.keys()) this.cancel(inputId, 'host-closed')
    this.#watchers.clear()
    this.#journal?.close()
    this.#journal = null
  }

  // ---- answers ----

  #resolveByVoice({ inputId, expectDigest, optionIndexes, resolvedBy }) {
    const asked = this.#asked.get(inputId)
    if (asked === undefined) return this.#missing(inputId)
    const { input, spoken } = asked
    if (spoken.digest !== expectDigest) return rejected('question-changed')
    if (input.expiresAt !== undefined && input.expiresAt <= Date.now()) return rejected('not-found')
    // Whatever was checked before is checked again, against what is open now.
    const labels = (question, n) => optionIndexes[n].map((option) => question.options[option])
    let verdict
    try {
      verdict = spoken.validate(
        spoken.questions.map((question, n) => ({ questionIndex: n, options: labels(question, n) })),
      )
    } catch {
      return rejected('invalid')
    }
    if (verdict.status !== 'accepted' || optionIndexes.length !== verdict.answers.length) {
      return rejected('invalid')
    }
    return this.#resolve(inputId, verdict.answers, verdict.optionIndexes, {
      ...resolvedBy,
      kind: 'voice',
    })
  }

  #resolveOnDesktop(inputId, answers) {
    const asked = this.#asked.get(inputId)
    if (asked === undefined) return this.#missing(inputId)
    const { questions } = asked.input
    const isText = (value) => typeof value === 'string'
    const isAnswer = (answer) => answer === null || (Array.isArray(answer) && answer.every(isText))
    if (
      !Array.isArray(answers) ||
      answers.length !== questions.length ||
      !answers.every(isAnswer)
    ) {
      return rejected('invalid')
    }
    const position = (question, label) =>
      question.options.findIndex((option) => (option.label ?? option) === label)
    const optionIndexes = answers.map((answer, n) =>
      (answer ?? []).map((label) => position(questions[n], label)),
    )
    // Free text and skipped questions have no positions, and text is never written down.
    const known = answers.every((answer) => answer !== null) && !optionIndexes.flat().includes(-1)
    return this.#resolve(inputId, structuredClone(answers), known ? optionIndexes : undefined, {
      kind: 'desktop',
    })
  }

  /** The one place where an input is answered: on the disk first, then whoever waits is told. */
  #resolve(inputId, answers, optionIndexes, resolvedBy) {
    const { spoken, input } = this.#asked.get(inputId)
    const line = {
      type: 'input.resolved',
      inputId,
      digest: spoken.digest,
      optionIndexes,
      resolvedBy,
    }
    try {
      this.#append(line)
    } catch {
      return { status: 'not-sent' }
    }
    const { resolve } = this.#take(inputId)
    this.#remember(inputId, { status: 'resolved', optionIndexes, resolvedBy })
    resolve({ answers, resolvedBy })
    this.#emit(input.sessionId, { type: 'input.resolved', inputId, optionIndexes, resolvedBy })
    return { status: 'resolved' }
  }

  #missing(inputId) {
    return rejected(
      this.#settled.get(inputId)?.status === 'resolved' ? 'already-resolved' : 'not-found',
    )
  }

  #settlement(inputId) {
    if (this.#asked.has(inputId)) return { status: 'open' }
    return this.#settled.get(inputId) ?? { status: 'unknown' }
  }

  // ---- bookkeeping ----

  #openInputs(sessionId) {
    const inputs = [...this.#asked.values()].map(({ input }) => input)
    return [...inputs, ...this.#held.values()].filter((input) => input.sessionId === sessionId)
  }

  #take(inputId) {
    const asked = this.#asked.get(inputId)
    this.#asked.delete(inputId)
    asked?.forget()
    return asked
  }

  #remember(inputId, settlement) {
    this.#settled.delete(inputId)
    this.#settled.set(inputId, settlement)
    if (this.#settled.size > REMEMBERED) this.#settled.delete(this.#settled.keys().next().value)
  }

  #append(line) {
    this.#journal?.append({ ...line, at: Date.now() })
  }

  #watch(sessionId, onEvent) {
    const watchers = this.#watchers.get(sessionId) ?? new Set()
    this.#watchers.set(sessionId, watchers.add(onEvent))
    return () => watchers.delete(onEvent)
  }

  #emit(sessionId, event) {
    for (const onEvent of this.#watchers.get(sessionId) ?? []) {
      try {
        onEvent(event)
      } catch (error) {
        // A listener's defect is not the host's, and the others are told all the same.
        process.emitWarning(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
}

function answerOf({ questions }, optionIndexes, resolvedBy) {
  const labelOf = (option) => option.label ?? option
  const answers = optionIndexes.map((chosen, n) =>
    chosen.map((index) => labelOf(questions[n].options[index])),
  )
  return { answers, resolvedBy }
}

const rejected = (code) => ({ status: 'rejected', code })

const failure = (code, message) => Object.assign(new Error(message), { code })

module.exports = { createLocalHost, ...require('./ports.js') }
