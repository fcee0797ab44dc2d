'use strict'
// Loaded into the demo's Main by the test: a person who presses "No" on the card of the second
// question, after a frame that is not the card has tried to and the card was loaded again.

const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const { app, ipcMain } = require('electron')

/** What Main answers the card with, to be called as a stranger would. */
let answer
const handle = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (name, listener) => {
  if (name === 'answer') answer = listener
  handle(name, listener)
}

const PRESS = `
  new Promise((resolve) => {
    const look = () => {
      const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'No')
      if (button) resolve(button.click())
      else setTimeout(look, 20)
    }
    look()
  })`

const INTRUDE = `
  new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.onload = () => resolve()
    frame.src = 'preload.js'
    document.body.append(frame)
  })`

app.on('web-contents-created', (_, contents) => {
  contents.once('did-finish-load', async () => {
    await contents.executeJavaScript(INTRUDE)
    const [frame] = contents.mainFrame.frames
    const isShown = () =>
      contents.executeJavaScript("document.body.textContent.includes('tell everybody')")
    while (!(await isShown())) await sleep(20)
    try {
      answer({ senderFrame: frame }, 'any input', [['Yes']])
      console.log(JSON.stringify({ stranger: 'answered' }))
    } catch (error) {
      console.log(JSON.stringify({ stranger: error.message, url: frame.url.slice(-10) }))
    }
    // What is open is shown again where the card is loaded again.
    contents.reload()
    await once(contents, 'did-finish-load')
    await contents.executeJavaScript(PRESS)
  })
})
