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
} = require('./codex-message.js')

/** A thread that is not as it was: its questions cannot be answered any more. */
const GONE = new Set(['thread/closed', 'thread/deleted', 'thread/archived', 'thread/reverted'])

class Messages {
  #openings
  #send
  /** What is asked and what was handed over, oldest first. */
  #waiting = new Set()

  constructor(openings, { send }) {
    this.#openings = openings
    this.#send = send
  }

  hear({ id, method, params, result, error }) {
    if (method === undefined) return this.#replied(id, result, error)
    if (!isObject(params)) return
    const { threadId, item, turn } = params
    if (method === 'item/completed' && isObject(item)) {
      if (isAsked(item)) this.#open(params)
      else if (item.type === 'userMessage') this.#said(threadId, item)
    }
    if (method === 'turn/completed' && isObject(turn)) this.#turnOver(turn)
    if (GONE.has(method)) this.#end((entry) => entry.threadId === threadId, 'closed')
  }

  /** The connection is gone. */
  end(reason) {
    this.#end(() => true, reason)
  }

  #open({ threadId, turnId, item }) {
    const original = structuredClone(item)
    const id = `${threadId}:${turnId}:${item.id}`
    if (!isId(threadId) || this.#find((one) => one.id === id)) return
    const entry = { id, threadId, original }
    this.#waiting.add(entry)
    const asked = { kind: 'question', id, sessionId: threadId, questions: toQuestions(original) }
    entry.inputId = this.#openings.open(asked, original, {
      handOver: (answer) => this.#handOver(entry, answer),
      withdraw: () => this.#waiting.delete(entry),
    })
  }

  /** Starts a turn with it; where one runs, the server takes it into that. */
  #handOver(entry, { answers, declined }) {
    if (declined) {
      // Nobody waits for an answer, so none is all there is to send.
      this.#waiting.delete(entry)
      return this.#openings.proved(entry.inputId)
    }
    const { original, threadId } = entry
    const id = `spoken-answer:${randomUUID()}`
    const text = toText(original, answers)
    const input = [{ type: 'text', text, text_elements: [] }]
    this.#send({ id, method: 'turn/start', params: { threadId, input, clientUserMessageId: id } })
    Object.assign(entry, { sent: id, text })
  }

  /** What the server says to our message: an error is that it did not take it. */
  #replied(id, result, error) {
    const entry = this.#find(({ sent }) => sent !== undefined && sent === id)
    if (entry === undefined) return
    if (error !== undefined) {
      this.#waiting.delete(entry)
      return this.#openings.refused(entry.inputId)
    }
    entry.turnId = result?.turn?.id
  }

  /** A message is in the thread: ours, or another client's answer to the same. */
  #said(threadId, item) {
    const text = textOf(item)
    if (text === null) return
    const ours = this.#find(({ sent }) => sent !== undefined && sent === item.clientId)
    if (ours?.text === text) {
      this.#waiting.delete(ours)
      return this.#openings.proved(ours.inputId)
    }
    const replies = toReplies(text)
    for (const entry of this.#waiting) {
      const { original, inputId, sent } = entry
      const isOf = (reply) => reply.id === original.id
      // One that is on its way arrives all the same: nothing but the card keeps the second one back.
      if (entry.threadId !== threadId || sent !== undefined || !replies.some(isOf)) continue
      this.#waiting.delete(entry)
      this.#openings.answeredElsewhere(inputId, toPositions(original, replies))
    }
  }

  /** A turn that is over took what it was given, or dropped it. */
  #turnOver({ id }) {
    this.#end(({ turnId }) => turnId !== undefined && turnId === id, 'closed')
  }

  #end(isOver, reason) {
    for (const entry of this.#waiting) {
      if (!isOver(entry)) continue
      this.#waiting.delete(entry)
      this.#openings.cancel(entry.inputId, reason)
      this.#openings.lost((original) => original === entry.original)
    }
  }

  #find(isSuch) {
    return [...this.#waiting].find(isSuch)
  }
}

module.exports = { Messages }
