'use strict'
// Errors with a code. A mistake of the calling program is a TypeError whose code names the argument.

const failure = (code, message, cause) =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code })

const mistake = (code, message, cause) =>
  Object.assign(new TypeError(message, cause === undefined ? {} : { cause }), { code })

module.exports = { failure, mistake }
