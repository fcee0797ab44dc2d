'use strict'

const { createLocalHost, serveLocalHost } = require('spoken-answer/hosts/local')

const [journal, inputId] = process.argv.slice(2)

createLocalHost({ journal }).then((host) => {
  serveLocalHost(host, process.parentPort, 'voice')
  const questions = [{ question: `Shall I, ${inputId}?`, options: ['Yes', 'No'] }]
  host.ask({ inputId, sessionId: 'session-1', questions }).catch(() => {})
})
