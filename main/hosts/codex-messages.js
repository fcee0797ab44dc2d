'use strict'
// What Codex asks in messages, on one connection. The server keeps nothing of it, so a question stays open
// after its turn, an answer is a message of the user, and that message in the thread is the proof.

const { randomUUID } = require('node:crypto')
const { isId, isObject } = require('./arguments.js')
const {
  isAsked,
  textOf,
  toPositions,
  toQuestions,
  toReplies,
  toText,
  withoutReplies,
} = require('./codex-message.js')
const { Newest } = require('./newest.js')

/** A thread that is not as it was: its questions cannot be answered any more. */
const GONE = new Set(['thread/closed', 'thread/deleted', 'thread/archived', 'thread/reverted'])

/** So many messages that are over are remembered: what a thread holds is told again. */
const DONE = 1_000

class Messages {
  #openings
  #send
  /** What is asked and what was handed over, by the id of its item; oldest first. */
  #waiting = new Map()
  /** The ids of what was answered, or dropped. */
  #done = new Newest(DONE)

  constructor(openings, { send }) {
    this.#openings = openings
    this.#send = send
  }

  hear({ id, method, params, result, error }) {
    if (method === undefined) return this.#replied(id, result, error)
    if (!isObject(params)) return
    const { threadId, item, turn } = params
    if (method === 'item/completed' && isObject(item)) {
      if (isAsked(item)) this.#asked(params)
      else if (item.type === 'userMessage') this.#said(threadId, item)
    }
    if (method === 'turn/completed' && isObject(turn)) this.#turnOver(turn)
    if (GONE.has(method)) this.#end((entry) => entry.threadId === threadId, 'closed')
  }

  /** The connection is gone. */
  end(reason) {
    this.#end(() => true, reason)
  }

  #asked({ threadId, turnId, item }) {
    const id = `${threadId}:${turnId}:${item.id}`
    if (!isId(threadId) || this.#waiting.has(id) || this.#done.has(id)) return
    this.#open({ id, threadId, original: structuredClone(item) })
  }

  #open(entry) {
    const { id, threadId, original } = entry
    this.#waiting.set(id, entry)
    const asked = { kind: 'question', id, sessionId: threadId, questions: toQuestions(original) }
    this.#openings.open(asked, original, {
      opened: (inputId) => (entry.inputId = inputId),
      handOver: (answer) => this.#handOver(entry, answer),
    })
  }

  /** Starts a turn with it; where one runs, the server takes it into that. */
  #handOver(entry, { answers, declined }) {
    if (declined) {
      // Nobody waits for an answer, so none is all there is to send.
      this.#forget(entry)
      return this.#openings.proved(entry.inputId)
    }
    const { original, threadId } = entry
    const id = `spoken-answer:${randomUUID()}`
    const text = toText(original, answers)
    const input = [{ type: 'text', text, text_elements: [] }]
    // What becomes of it may be said before it is written.
    Object.assign(entry, { sent: id, text })
    try {
      const params = { threadId, input, clientUserMessageId: id }
      return this.#send({ id, method: 'turn/start', params })
    } catch (error) {
      entry.sent = undefined
      throw error
    }
  }

  /** What the server says to our message. One that it did not take can be answered again. */
  #replied(id, result, error) {
    const entry = this.#find(({ sent }) => sent !== undefined && sent === id)
    if (entry === undefined) return
    if ((error ?? null) === null) {
      entry.turnId = result?.turn?.id
      return
    }
    entry.sent = undefined
    this.#openings.notSent(entry.inputId)
    if (entry.missed !== undefined) this.#answered(entry, entry.missed)
    // After so long a time that nobody waited for it any more.
    if (this.#openings.given(entry.inputId) === null) return
    this.#forget(entry)
    this.#openings.refused(entry.inputId)
  }

  /** A message is in the thread: ours, or another client's answer to the same. */
  #said(threadId, item) {
    const text = textOf(item)
    if (text === null) return
    const ours = this.#find(({ sent }) => sent !== undefined && sent === item.clientId)
    if (ours?.text === text && ours.threadId === threadId) {
      this.#forget(ours)
      return this.#openings.proved(ours.inputId)
    }
    const replies = toReplies(text)
    if (replies.length === 0) return
    for (const entry of this.#waiting.values()) {
      if (entry.threadId !== threadId) continue
      // One that is on its way arrives all the same: nothing but the card keeps the second one back.
      if (entry.sent === undefined) this.#answered(entry, replies)
      else entry.missed = [...(entry.missed ?? []), ...replies]
    }
  }

  /** Another client answers: everything, or some of it, and then the rest is asked anew. */
  #answered(entry, replies) {
    const { original, inputId } = entry
    const rest = withoutReplies(original, replies)
    if (rest === original) return
    if (rest === null) {
      this.#forget(entry)
      return this.#openings.answeredElsewhere(inputId, toPositions(original, replies))
    }
    // Ours that was given up was not taken, and would be in the way of the rest.
    if (this.#openings.given(inputId) !== null) this.#openings.refused(inputId)
    else this.#openings.cancel(inputId, 'answered-in-part')
    // Whoever was told may have ended the connection.
    if (this.#waiting.get(entry.id) !== entry) return
    this.#open({ id: entry.id, threadId: entry.threadId, original: rest })
  }

  /** A turn that is over took what it was given, or dropped it. */
  #turnOver({ id }) {
    this.#end(({ turnId }) => turnId !== undefined && turnId === id, 'closed')
  }

  #end(isOver, reason) {
    const over = new Set()
    for (const entry of this.#waiting.values()) {
      if (!isOver(entry)) continue
      // What nobody has answered may be told again, and be open again; it is told with all its questions.
      const isUntouched = entry.sent === undefined && entry.original.places === undefined
      if (isUntouched) this.#waiting.delete(entry.id)
      else this.#forget(entry)
      this.#openings.cancel(entry.inputId, reason)
      over.add(entry.original)
    }
    if (over.size > 0) this.#openings.lost((original) => over.has(original))
  }

  #forget({ id }) {
    this.#waiting.delete(id)
    this.#done.add(id)
  }

  #find(isSuch) {
    for (const entry of this.#waiting.values()) if (isSuch(entry)) return entry
  }
}

module.exports = { Messages }
