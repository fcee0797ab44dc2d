'use strict'
// The host process is killed before, during and after an answer is handed over, and started again on
// the same journal. ROUNDS sets how often (default 24; CI: 200).

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { connectLocalHost } = require('../main/hosts/local.js')
const { openLiveCall } = require('../main/live-call.js')
const { createFakeVoice, createManualClock } = require('../main/testing.js')
const { answersIn, eventually, killHost, startHost } = require('./host-child.js')

const ROUNDS = Number(process.env.ROUNDS ?? 24)

test(`a host that is killed at any moment, ${ROUNDS} times: nothing twice, nothing without its line, nothing lost`, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-faults-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const ends = {}
  for (let round = 0; round < ROUNDS; round++) {
    const { state, answers, told } = await killedIn(round, folder)
    ends[state] = (ends[state] ?? 0) + 1
    assert.ok(answers.length <= 1, `round ${round}: answered twice`)
    const [line] = answers
    if (state === 'accepted') {
      assert.deepEqual(line?.optionIndexes, [[1]], `round ${round}: accepted without its line`)
      assert.equal(line.resolvedBy.operationId, `call-${round}:1`)
    }
    // What is refused was not taken; what is unknown may have been.
    if (state === 'refused') assert.equal(line, undefined, `round ${round}: refused, but taken`)
    // Nothing is lost: what is on the disk reaches whoever asks again.
    if (line) assert.deepEqual(told?.answers, [['No']], `round ${round}: the agent was not told`)
  }
  console.log(`${ROUNDS} rounds: ${JSON.stringify(ends)}`)
  assert.ok(ends.accepted > 0)
})

/** One round: the host is killed when the `round`th step of six has come. */
async function killedIn(round, folder) {
  const journal = path.join(folder, `${round}.jsonl`)
  const inputId = `input-${round}`
  let told
  const start = () => startHost(journal, inputId, (what) => (told = what))
  let child = start()
  let ended = false
  const kill = async () => {
    await killHost(child)
    if (ended) return
    child = start()
    host.attach(child)
  }
  const host = connectLocalHost(child)
  const clock = createManualClock()
  const call = openLiveCall({
    callId: `call-${round}`,
    session: { id: 'session-1' },
    host: slow(host),
    voice: createFakeVoice(),
    clock,
  })
  const until = (holds) => eventually(holds, () => clock.advance(0), `round ${round}`)
  await until(() => call.pending()?.text === 'Shall I?')
  await clock.advance(10)

  const moment = round % 6
  /** Between the call and the host: the host dies before, while or after it has the answer. */
  function slow(inner) {
    return {
      ...inner,
      async resolveInput(resolution) {
        if (moment === 1) await kill()
        const reply = inner.resolveInput(resolution)
        reply.catch(() => {})
        if (moment === 2) await kill()
        if (moment === 3) {
          await new Promise((resolve) => setTimeout(resolve, round % 5))
          await kill()
        }
        if (moment === 4) return reply.then(async () => (await kill(), new Promise(() => {})))
        return reply
      },
    }
  }
  if (moment === 0) {
    await kill()
    await until(() => call.pending()?.text === 'Shall I?')
    await clock.advance(10)
  }
  const { settled } = call.instruct(
    { requestId: 'r', instruction: 'No' },
    { speechStartedAt: clock.now() },
  )
  let view
  settled.then((end) => (view = end))
  for (let turn = 0; turn < 200 && !view; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    await clock.advance(turn < 40 ? 0 : 500)
  }
  assert.ok(view, `round ${round}: never ends`)
  // The host that was started anew asks again, and hears what is on the disk.
  if (answersIn(journal).length > 0)
    await eventually(() => told, undefined, `round ${round}: the agent is not told`)
  const closed = call.close()
  await clock.advance(1_000)
  await closed
  ended = true
  await killHost(child)
  return { state: view.state, answers: answersIn(journal), told }
}
