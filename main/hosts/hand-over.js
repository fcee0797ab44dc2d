'use strict'
// Writing to a connection of the app's. What becomes of it later is said by the host, or by nobody.

const { warn } = require('../warn.js')

function handOver(send, message) {
  const sent = send(message)
  Promise.resolve(sent).catch((error) => warn('an answer was perhaps not sent', error))
}

module.exports = { handOver }
