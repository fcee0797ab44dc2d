'use strict'
// What the calling program got wrong, where this side sees it: a TypeError whose code names the
// argument. Values are checked in Rust, which throws the same.

function mistake(code, message, cause) {
  const error = cause === undefined ? new TypeError(message) : new TypeError(message, { cause })
  return Object.assign(error, { code })
}

module.exports = { mistake }
