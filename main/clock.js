'use strict'
// The clock of the machine, in the shape in which an app may pass one of its own.

const { performance } = require('node:perf_hooks')

const systemClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (timer) => clearTimeout(timer),
}

module.exports = { systemClock }
