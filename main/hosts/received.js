'use strict'
// Between the local host and what serves it behind a port: an option of `ask` under this key is a
// promise that resolves once the other end has the answer, and rejects where it never will.

module.exports = { RECEIVED: Symbol('spoken-answer.received') }
