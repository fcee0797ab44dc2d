'use strict'
// The checks for hosts and voices: those of this package pass, and each defect is seen exactly where it is.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { createFakeVoice, hostChecks, voiceChecks } = require('../main/testing.js')
const rigs = require('./host-rigs.js')

const { localInProcess } = rigs

for (const [name, makeHost] of Object.entries(rigs)) {
  for (const check of hostChecks(makeHost)) test(`${name}: ${check.name}`, check.run)
}

/** The names of the checks that fail. */
async function failing(checks) {
  const failed = []
  for (const { name, run } of checks) await run().catch(() => failed.push(name))
  return failed
}

/** A local host whose handle is changed; `change` gets the handle as it is, and its rig. */
const broken = (change) => async () => {
  const rig = await localInProcess()
  const host = { ...rig.host, ...change(rig.host, rig) }
  return { ...rig, host }
}

for (const [defect, change, names] of [
  [
    'it does not say whether it proves anything',
    () => ({ proof: undefined }),
    ['it says whether it proves anything, and what it says of an answer fits that'],
  ],
  [
    'it cleans the labels that it lists',
    (host) => ({
      openInputs: async (...args) => {
        const inputs = await host.openInputs(...args)
        for (const { questions = [] } of inputs) {
          for (const { options } of questions)
            options.forEach((one) => (one.label = one.label.trim()))
        }
        return inputs
      },
    }),
    ['a question is listed as it was asked', 'an answer reaches the agent once, in its own labels'],
  ],
  [
    'it lists the questions of every session',
    (host, { sessionId }) => ({ openInputs: (_, options) => host.openInputs(sessionId, options) }),
    ['a question is of its session only'],
  ],
  [
    'it tells everybody everything',
    (host, { sessionId }) => ({ watch: (_, onEvent) => host.watch(sessionId, onEvent) }),
    ['a question is of its session only'],
  ],
  [
    'it tells nobody what opens',
    (host) => ({ watch: without(host, 'input.requested') }),
    ['a question that opens is told to whoever watches', 'what is listed and told are copies'],
  ],
  [
    'it tells nobody what was answered',
    (host) => ({ watch: without(host, 'input.resolved') }),
    [
      'an answered question is told, gone from the list, and known',
      'answered on the card first: the voice is refused',
    ],
  ],
  [
    'it tells nobody what was withdrawn',
    (host) => ({ watch: without(host, 'input.canceled') }),
    ['a question that is withdrawn is told, gone, and takes no answer'],
  ],
  [
    'it goes on telling',
    (host) => ({
      watch: (...args) => {
        host.watch(...args)
        return () => {}
      },
    }),
    ['nothing is told after unsubscribing'],
  ],
  [
    'one listener that throws ends it for all',
    (host) => {
      let isOver = false
      return {
        watch: (sessionId, onEvent) =>
          host.watch(sessionId, (event) => {
            if (isOver) return
            try {
              onEvent(event)
            } catch {
              isOver = true
            }
          }),
      }
    },
    ['a listener that throws harms nobody'],
  ],
  [
    'what it lists is its own',
    (host) => {
      const inputs = new Map()
      return {
        openInputs: async (...args) => {
          const open = await host.openInputs(...args)
          for (const input of open) if (!inputs.has(input.inputId)) inputs.set(input.inputId, input)
          return open.map(({ inputId }) => inputs.get(inputId))
        },
      }
    },
    ['what is listed and told are copies'],
  ],
  [
    'it does not compare the digest',
    (host) => ({
      resolveInput: async (resolution, options) => {
        const { resolvedBy } = Object(resolution)
        const expectDigest = resolvedBy?.digest
        return host.resolveInput(resolvedBy ? { ...resolution, expectDigest } : resolution, options)
      },
    }),
    ['an answer to another question than the one that is open is refused'],
  ],
  [
    'it makes the best of positions that are wrong',
    (host) => ({
      resolveInput: async (resolution, options) => {
        const reply = await host.resolveInput(resolution, options)
        if (reply.code !== 'invalid') return reply
        return host.resolveInput({ ...resolution, optionIndexes: [[0]] }, options)
      },
    }),
    ['what the question does not offer is refused'],
  ],
  [
    'it never says anything to an answer',
    (host) => ({
      resolveInput: async (...args) => {
        const reply = await host.resolveInput(...args)
        return reply.status === 'resolved' ? new Promise(() => {}) : reply
      },
    }),
    [
      'it says whether it proves anything, and what it says of an answer fits that',
      'a question is of its session only',
      'nothing is told after unsubscribing',
      'a listener that throws harms nobody',
      'an answer reaches the agent once, in its own labels',
      'an answered question is told, gone from the list, and known',
      'an answer to another question than the one that is open is refused',
      'what the question does not offer is refused',
      'what is no resolution answers nothing',
      'a second answer is refused',
      'of two answers at the same time one arrives',
      'of two open questions each gets its own answer',
      'the same question asked again is not answered by what was for the first',
      'looking changes nothing',
      'a call that does not wait any more is told nothing untrue',
    ],
  ],
  [
    'it says yes to everything',
    () => ({ resolveInput: async () => ({ status: 'resolved' }) }),
    [
      'a question is of its session only',
      'an answer reaches the agent once, in its own labels',
      'an answered question is told, gone from the list, and known',
      'an answer to another question than the one that is open is refused',
      'what the question does not offer is refused',
      'what is no resolution answers nothing',
      'what is not open cannot be answered',
      'a second answer is refused',
      'of two answers at the same time one arrives',
      'answered on the card first: the voice is refused',
      'the card and the voice at the same time: one of them',
      'a question that is withdrawn is told, gone, and takes no answer',
      'of two open questions each gets its own answer',
      'the same question asked again is not answered by what was for the first',
      'looking changes nothing',
      'a call that does not wait any more is told nothing untrue',
      'what is no question takes no answer',
    ],
  ],
  [
    'it says yes when it is asked again',
    (host) => ({
      resolveInput: async (...args) => {
        const reply = await host.resolveInput(...args)
        return reply.code === 'already-resolved' ? { status: 'resolved' } : reply
      },
    }),
    [
      'a second answer is refused',
      'of two answers at the same time one arrives',
      'answered on the card first: the voice is refused',
      'the card and the voice at the same time: one of them',
    ],
  ],
  [
    'it says resolved where it proves nothing',
    () => ({ proof: 'none' }),
    ['it says whether it proves anything, and what it says of an answer fits that'],
  ],
  [
    'it says submitted where it proves everything',
    (host) => ({
      resolveInput: async (...args) => {
        const reply = await host.resolveInput(...args)
        return reply.status === 'resolved' ? { status: 'submitted' } : reply
      },
    }),
    ['it says whether it proves anything, and what it says of an answer fits that'],
  ],
  [
    'it waits a turn between comparing and writing',
    (host) => ({
      resolveInput: async (resolution, options) => {
        const { status } = await host.settlement(resolution?.inputId)
        await nextTurn()
        const reply = await host.resolveInput(resolution, options)
        return status === 'open' && reply.code === 'already-resolved'
          ? { status: 'resolved' }
          : reply
      },
    }),
    ['of two answers at the same time one arrives'],
  ],
  [
    'it forgets what it was answered',
    (host) => ({ settlement: always(host, 'resolved', { status: 'unknown' }) }),
    ['an answered question is told, gone from the list, and known'],
  ],
  [
    'it calls everything answered',
    () => ({ settlement: async () => ({ status: 'resolved', optionIndexes: [[1]] }) }),
    [
      'what is not open cannot be answered',
      'a question that is withdrawn is told, gone, and takes no answer',
      'looking changes nothing',
    ],
  ],
  [
    'it says that the voice answered, whoever it was',
    (host) => ({
      watch: (sessionId, onEvent) =>
        host.watch(sessionId, (event) => {
          if (event.resolvedBy) event.resolvedBy.kind = 'voice'
          onEvent(event)
        }),
    }),
    ['answered on the card first: the voice is refused'],
  ],
  [
    'it does not say who answered, nor what',
    (host) => ({
      watch: (sessionId, onEvent) =>
        host.watch(sessionId, ({ type, inputId, input }) => onEvent({ type, inputId, input })),
    }),
    ['an answered question is told, gone from the list, and known'],
  ],
  [
    'it lists what is answered',
    (host) => {
      const seen = new Map()
      return {
        openInputs: async (...args) => {
          for (const input of await host.openInputs(...args)) seen.set(input.inputId, input)
          return structuredClone(
            [...seen.values()].filter(({ sessionId }) => sessionId === args[0]),
          )
        },
      }
    },
    [
      'an answered question is told, gone from the list, and known',
      'a question that is withdrawn is told, gone, and takes no answer',
      'the same question asked again is not answered by what was for the first',
    ],
  ],
  [
    'it says that nothing was sent, and sends it',
    (host) => ({
      resolveInput: async (resolution, options) => {
        const reply = await host.resolveInput(resolution, options)
        return options.signal.aborted ? { status: 'not-sent' } : reply
      },
    }),
    ['a call that does not wait any more is told nothing untrue'],
  ],
  [
    'it shows a permission as a question',
    (host) => ({
      openInputs: async (...args) => {
        const inputs = await host.openInputs(...args)
        const questions = [{ question: 'Allow?', options: ['Yes', 'No'] }]
        for (const input of inputs) {
          if (input.kind !== 'question') Object.assign(input, { kind: 'question', questions })
        }
        return inputs
      },
    }),
    ['what is no question takes no answer'],
  ],
]) {
  test(`a host: ${defect}`, async () => {
    assert.deepEqual(await failing(hostChecks(broken(change), { looks: 20 })), names)
  })
}

/** Watches without one type of event. */
function without(host, type) {
  return (sessionId, onEvent) =>
    host.watch(sessionId, (event) => event.type !== type && onEvent(event))
}

/** Looks, and says something else where it would say `status`. */
function always(host, status, instead) {
  return async (...args) => {
    const settled = await host.settlement(...args)
    return settled.status === status ? instead : settled
  }
}

// ---- voices ----

/** The fake voice, as the checks know it; `change` gets it as it is, and what it was given. */
const fake = (change) => () => {
  const voice = createFakeVoice()
  return { voice: { ...voice, ...change?.(voice) }, received: voice.texts }
}

/** A voice as an app has one: a line that may be busy or gone, texts that wait for it in their order. */
function line() {
  const received = []
  let isGone = false
  let busy = Promise.resolve()
  let last = Promise.resolve()
  const voice = {
    name: 'line',
    deliver(feedback, { signal }) {
      const turn = last.then(() => busy)
      const said = turn.then(() => {
        if (signal.aborted || isGone) return 'not-sent'
        received.push(feedback.text)
        return 'spoken'
      })
      last = said
      const aborted = new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve('not-sent'), { once: true }),
      )
      return Promise.race([said, aborted])
    },
  }
  return {
    voice,
    received: () => received,
    disconnect: () => (isGone = true),
    busy() {
      let quiet
      busy = new Promise((resolve) => (quiet = resolve))
      return quiet
    },
  }
}

for (const [name, makeVoice] of Object.entries({ fake: fake(), line })) {
  for (const check of voiceChecks(makeVoice)) test(`${name} voice: ${check.name}`, check.run)
}

/** The line, changed. */
const brokenLine = (change) => () => {
  const rig = line()
  return { ...rig, voice: { ...rig.voice, ...change(rig.voice, rig) } }
}
const never = { signal: new AbortController().signal }

for (const [defect, change, names] of [
  ['its name is no text', () => ({ name: 7 }), ['it has a name that is text, or none']],
  [
    'it says nothing of what became of a text',
    (voice) => ({
      deliver: async (...args) => void (await voice.deliver(...args)),
    }),
    ['it says of a text that was delivered that it was'],
  ],
  [
    'it trims',
    (voice) => ({
      deliver: ({ text, ...more }, options) =>
        voice.deliver({ ...more, text: text.trim() }, options),
    }),
    ['a text reaches the provider as it is, and once'],
  ],
  [
    'it cuts',
    (voice) => ({
      deliver: ({ text, ...more }, options) =>
        voice.deliver({ ...more, text: text.slice(0, 1_000) }, options),
    }),
    ['a text reaches the provider as it is, and once'],
  ],
  [
    'it says everything twice',
    (voice) => ({
      deliver: async (...args) => (await voice.deliver(...args), voice.deliver(...args)),
    }),
    [
      'a text reaches the provider as it is, and once',
      'withdrawn while the line is busy: it settles, and is never delivered',
    ],
  ],
  [
    'it leaves out what it has said before',
    (voice) => {
      const seen = new Set()
      return {
        deliver: async (feedback, options) => {
          if (seen.has(feedback.text)) return 'spoken'
          seen.add(feedback.text)
          return voice.deliver(feedback, options)
        },
      }
    },
    ['the same text twice is two texts'],
  ],
  [
    'the shortest first',
    (voice) => ({
      deliver: async (feedback, options) => {
        for (let n = 0; n < feedback.text.length; n++) await nextTurn()
        return voice.deliver(feedback, options)
      },
    }),
    [
      'texts keep their order',
      'withdrawn while the line is busy: it settles, and is never delivered',
    ],
  ],
  [
    'it does not look at the signal',
    (voice) => ({
      deliver: (feedback) => voice.deliver(feedback, never),
    }),
    [
      'a text that is not wanted any more is not delivered',
      'withdrawn while the line is busy: it settles, and is never delivered',
    ],
  ],
  [
    'it looks at the signal only at first',
    (voice) => ({
      deliver: async (feedback, { signal }) =>
        signal.aborted ? 'not-sent' : voice.deliver(feedback, never),
    }),
    ['withdrawn while the line is busy: it settles, and is never delivered'],
  ],
  [
    'a line that is gone is as good as any',
    (voice) => ({
      deliver: async (...args) => {
        await voice.deliver(...args)
        return args[1].signal.aborted ? 'not-sent' : 'sent'
      },
    }),
    ['a line that is gone: nothing counts as read out'],
  ],
  [
    'it hopes for the best',
    () => ({ deliver: async () => 'sent' }),
    [
      'a text reaches the provider as it is, and once',
      'the same text twice is two texts',
      'texts keep their order',
      'a text that is not wanted any more is not delivered',
      'withdrawn while the line is busy: it settles, and is never delivered',
      'a line that is gone: nothing counts as read out',
    ],
  ],
]) {
  test(`a voice: ${defect}`, async () => {
    assert.deepEqual(await failing(voiceChecks(brokenLine(change), { looks: 20 })), names)
  })
}

test('what the checks are made of', () => {
  const code = (name) => ({ name: 'TypeError', code: name })
  for (const checks of [hostChecks, voiceChecks]) {
    assert.throws(() => checks(), code('INVALID_MAKE'))
    for (const looks of [0, -1, 0.5, '5']) {
      assert.throws(() => checks(() => {}, { looks }), code('INVALID_LOOKS'))
    }
  }
})
