'use strict'
// An Electron app whose agent host runs in a utilityProcess that is killed in the middle: the call in
// Main is told what it can be told, and the next question is answered as if nothing had been.

const { app, utilityProcess } = require('electron')
const fs = require('node:fs')
const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { connectLocalHost } = require('spoken-answer/hosts/local')
const { openLiveCall } = require('spoken-answer/main')

const say = (what) => console.log(JSON.stringify(what))

app.whenReady().then(async () => {
  const journal = path.join(app.getPath('userData'), 'answers.jsonl')
  const start = (inputId) =>
    utilityProcess.fork(path.join(__dirname, 'host.js'), [journal, inputId])

  let child = start('first')
  const host = connectLocalHost(child)
  let heard = readOut()
  const call = openLiveCall({
    session: { id: 'session-1' },
    host: {
      ...host,
      async resolveInput(resolution) {
        if (resolution.inputId !== 'first') return host.resolveInput(resolution)
        // The host dies with the answer on its way, and is started again on the same journal.
        host.resolveInput(resolution).catch(() => {})
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill()
        await gone
        child = start('second')
        heard = readOut()
        host.attach(child)
        throw new Error('the host is gone')
      },
    },
    voice: { name: 'test', deliver: async ({ kind, text }) => (heard.tell(kind, text), 'spoken') },
  })
  const answer = async (requestId) => {
    const { settled } = call.instruct(
      { requestId, instruction: 'Yes' },
      { speechStartedAt: performance.now() },
    )
    const { state, reason, inputId } = await settled
    return { inputId, state, reason }
  }
  await heard.done
  const { inputId, state } = await answer('one')
  // What is on the disk was taken, and is found; of anything else nobody can know.
  const taken = fs.readFileSync(journal, 'utf8').includes('"operationId"')
  say({ inputId, honest: state === (taken ? 'accepted' : 'unknown') })
  await heard.done
  say(await answer('two'))
  await call.close()
  child.kill()
  app.quit()
})

/** Until a question has been read out. */
function readOut() {
  let tell
  const done = new Promise((resolve) => {
    tell = (kind) => kind === 'interaction-required' && setTimeout(resolve, 50)
  })
  return { done, tell }
}
