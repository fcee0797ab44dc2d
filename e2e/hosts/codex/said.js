'use strict'
// What the tests with a real Codex look for.

/** What the ask tool had, as the model is told. */
function had(answers) {
  const entries = Object.entries(answers).map(([id, chosen]) => [id, { answers: chosen }])
  return JSON.stringify({ answers: Object.fromEntries(entries) })
}

module.exports = { had }
