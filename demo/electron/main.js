// main.js
const { app, BrowserWindow, ipcMain, powerMonitor } = require('electron')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { createLocalHost } = require('spoken-answer/hosts/local')
const { openLiveCall } = require('spoken-answer/main')
const agent = require('./agent.js') // Your agent: it asks questions and takes instructions.
const provider = require('./provider.js') // Your voice provider: it speaks and hears.

const SESSION = 'session-1'
const CARD = path.join(__dirname, 'card.html')

async function main() {
  await app.whenReady()
  const journal = path.join(app.getPath('userData'), 'answers.jsonl')
  const host = await createLocalHost({ journal })

  // The card. It shows what waits and answers through the desktop's own handle.
  const window = new BrowserWindow({
    webPreferences: { preload: path.join(__dirname, 'preload.js') },
  })
  const show = (...message) => window.isDestroyed() || window.webContents.send(...message)
  host.desktop.watch(SESSION, (event) => show('host-event', event))
  ipcMain.handle('answer', (event, inputId, answers) => {
    // Only the card's own page may answer. A frame in it, or where it was led to, may not.
    const { senderFrame } = event
    const isCard = senderFrame === window.webContents.mainFrame
    if (!isCard || senderFrame.url !== pathToFileURL(CARD).href) throw new Error('not the card')
    return host.desktop.resolveInput(inputId, answers)
  })

  // The voice. It gets a handle that can only choose among the options of an open question.
  const call = openLiveCall({
    session: { id: SESSION },
    host: host.voice,
    voice: { name: provider.name, deliver: provider.deliver },
    onForward: ({ instruction }) => agent.instruct(instruction),
    onPending: (pending) => show('pending', pending),
  })
  provider.onFunctionCall(({ requestId, instruction }, evidence) => {
    // Evidence is what the app itself heard, never what the provider says of it.
    return call.instruct({ requestId, instruction }, evidence).receipt
  })
  provider.onReconnect(() => call.voiceReset())
  powerMonitor.on('resume', () => call.voiceReset())

  // Only what happens is told: a card that loads, or loads again, is shown what is open already.
  window.webContents.on('did-finish-load', async () => {
    const inputs = await host.desktop.openInputs(SESSION)
    for (const input of inputs) show('host-event', { type: 'input.requested', input })
    show('pending', call.pending())
  })
  app.on('second-instance', () => window.show())
  await window.loadFile(CARD)

  // The agent waits for whoever answers first, and for `CANCELED` where nobody will.
  agent.start((question) => host.ask({ sessionId: SESSION, ...question }))

  let closed = false
  app.on('before-quit', async (event) => {
    if (closed) return
    event.preventDefault()
    await call.close()
    await host.close()
    closed = true
    app.quit()
  })
}

// The journal is one process's at a time: a second instance leaves, and the first shows its card.
if (app.requestSingleInstanceLock()) main()
else app.quit()
