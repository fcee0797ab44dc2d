'use strict'
// What every voice must do, as checks. They know a voice by what reached its provider.

const assert = require('node:assert/strict')
const { checksOf } = require('./check.js')

/** What is said of a text that the provider has. */
const DELIVERED = new Set(['context-only', 'sent', 'spoken', 'interrupted'])
/** What a live call takes for read out. */
const READ_OUT = new Set(['sent', 'spoken'])

/** Texts as a live call sends them, and some that a careless voice would change. */
const TEXTS = [
  'Question 1 of 1: "Which version should ship?"\n1. "0.16.0-beta.1"\n2. "local only"',
  '  "a" & <b>, \\u0041 \t caf\u0065\u0301 はい 👩‍👩‍👧 \u2028 ',
  'x'.repeat(1_100),
]

let last = 0

/** One delivery: its outcome, where a rejection counts as not sent. */
async function deliver({ voice }, text, { signal = new AbortController().signal } = {}) {
  const feedback = {
    feedbackId: `checks:${++last}`,
    kind: 'interaction-required',
    text,
    speak: true,
  }
  try {
    return await voice.deliver(feedback, { signal })
  } catch {
    return 'not-sent'
  }
}

const count = (rig, text) => rig.received().filter((one) => one === text).length

const CHECKS = {
  'it has a name that is text, or none': async ({ voice }) => {
    assert.ok(voice.name === undefined || typeof voice.name === 'string')
  },

  'it says of a text that was delivered that it was': async (rig) => {
    const outcome = await deliver(rig, TEXTS[0])
    assert.ok(DELIVERED.has(outcome), `it says ${outcome}`)
  },

  'a text reaches the provider as it is, and once': async (rig) => {
    for (const text of TEXTS) await deliver(rig, text)
    assert.deepEqual(rig.received(), TEXTS)
  },

  'the same text twice is two texts': async (rig) => {
    await deliver(rig, TEXTS[0])
    await deliver(rig, TEXTS[0])
    assert.ok(count(rig, TEXTS[0]) > 1, 'the second one is left out')
  },

  'texts keep their order': async (rig) => {
    const texts = ['one', 'two', 'three', 'four']
    await Promise.all(texts.map((text) => deliver(rig, text)))
    assert.deepEqual([...new Set(rig.received())], texts)
  },

  'a text that is not wanted any more is not delivered': async (rig) => {
    const outcome = await deliver(rig, TEXTS[0], { signal: AbortSignal.abort() })
    assert.ok(!READ_OUT.has(outcome), `it says ${outcome}`)
    assert.equal(count(rig, TEXTS[0]), 0)
  },

  'withdrawn while the line is busy: it settles, and is never delivered': async (rig, until) => {
    if (rig.busy === undefined) return
    const quiet = rig.busy()
    const abort = new AbortController()
    let said = null
    const delivery = deliver(rig, TEXTS[0], abort).then((outcome) => (said = `${outcome}`))
    await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    await Promise.race([
      delivery,
      until(() => said !== null, 'a delivery that is withdrawn settles'),
    ])
    assert.ok(!READ_OUT.has(said), `it says ${said}`)
    await quiet()
    await deliver(rig, 'after it')
    assert.equal(count(rig, TEXTS[0]), 0)
  },

  'a line that is gone: nothing counts as read out': async (rig) => {
    if (rig.disconnect === undefined) return
    await rig.disconnect()
    const outcome = await deliver(rig, TEXTS[0])
    assert.ok(!READ_OUT.has(outcome), `it says ${outcome}`)
  },
}

function voiceChecks(makeVoice, options) {
  return checksOf(CHECKS, makeVoice, options)
}

module.exports = { voiceChecks }
