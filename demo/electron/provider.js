'use strict'
// A voice provider that hears what the demo's person says: ordinary work first, then an answer to
// the first question. The second is left to the card.

const { performance } = require('node:perf_hooks')

const said = ['run the tests as well', '2']
let functionCall

module.exports = {
  name: 'demo',
  async deliver({ kind, text }) {
    if (kind === 'interaction-required' && text.includes('Which version')) setTimeout(hear, 50)
    return 'spoken'
  },
  onFunctionCall: (listener) => (functionCall = listener),
  onReconnect() {},
}

function hear() {
  for (const [index, utterance] of said.entries()) {
    const evidence = { utterance, speechStartedAt: performance.now() }
    functionCall({ requestId: `request-${index}`, instruction: utterance }, evidence)
  }
}
