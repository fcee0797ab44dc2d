'use strict'
// What the demo prints: for people, with a little colour in a terminal, or one JSON object a line.

function printer(json) {
  return json ? jsonPrinter : plainPrinter()
}

const line = (object) => console.log(JSON.stringify(object))

const jsonPrinter = {
  event: line,
  delivery: (feedback) => line({ type: 'delivery', ...feedback }),
  operation: (view) => line({ type: 'operation', ...view }),
  said: (text) => line({ type: 'said', text }),
  match: (match) => line({ type: 'match', ...match }),
  forward: (instruction) => line({ type: 'forward', instruction }),
  prompt() {},
  stillOpen: () => line({ type: 'still-open' }),
}

function plainPrinter() {
  const terminal = process.stdout.isTTY === true && !process.env.NO_COLOR
  const style = (code) => (text) => (terminal ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, green, yellow] = [1, 2, 32, 33].map(style)
  const quoted = (text) => text.replace(/^/gm, `  ${dim('│')} `)
  return {
    event(event) {
      if (event.type === 'input.requested') {
        console.log(bold(`The agent waits for input ${JSON.stringify(event.input.inputId)}.`))
      } else {
        console.log(`The host has recorded:\n${quoted(JSON.stringify(event, null, 2))}`)
      }
    },
    delivery({ kind, text }) {
      const what = kind === 'interaction-required' ? 'Read out to the person' : 'Said to the person'
      console.log(`\n${what} (${Buffer.byteLength(text)} bytes):\n${quoted(text)}\n`)
    },
    operation({ operationId, state, reason }) {
      console.log(
        dim(`${operationId.split(':').at(-1)}: ${reason ? `${state} (${reason})` : state}`),
      )
    },
    said(text) {
      if (!terminal) console.log(`The person says: ${text}`)
    },
    match(match) {
      const chosen = (answers) =>
        answers.map(({ options }) => options.map((label) => JSON.stringify(label)).join(', '))
      if (match.status === 'matched') {
        console.log(`${green('Understood:')} ${chosen(match.answers).join('; ')}`)
      } else {
        const some = chosen(match.understood).join('; ')
        console.log(
          `${yellow(`Not understood (${match.reason})`)}${some === '' ? '' : `: ${some}`}`,
        )
      }
    },
    forward(instruction) {
      console.log(`Passed on to the agent as work: ${JSON.stringify(instruction)}`)
    },
    prompt() {
      if (terminal) process.stdout.write(bold('You say: '))
    },
    stillOpen: () => console.log('Nothing more was said; the question is still open.'),
  }
}

module.exports = { printer }
