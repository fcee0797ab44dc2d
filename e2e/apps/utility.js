'use strict'

process.parentPort.postMessage(require('./checks.js')())
