'use strict'
// An Electron app that checks the addon in Main and in a utilityProcess and prints what it saw.

const { app, utilityProcess } = require('electron')
const path = require('node:path')
const checks = require('./checks.js')

app.whenReady().then(() => {
  const main = checks()
  const child = utilityProcess.fork(path.join(__dirname, 'utility.js'))
  child.once('message', (utility) => {
    const { electron, node } = process.versions
    console.log(
      JSON.stringify({ electron, node, packed: __dirname.includes('.asar'), main, utility }),
    )
    app.quit()
  })
})
