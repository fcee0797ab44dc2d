// An extension of Pi's as others write them: tools that ask by plain dialogs, gates before bash, and a
// command that asks. It is loaded by the tests.

const properties = {
  questions: { type: 'array' },
  timeout: { type: 'number' },
  own: { type: 'boolean' },
  guarded: { type: 'boolean' },
}

export default function extension(pi) {
  const asks = (name, toResult) =>
    pi.registerTool({
      name,
      label: name,
      description: 'asks the user',
      parameters: { type: 'object', properties },
      async execute(_id, { questions, timeout, own = true }, signal, _onUpdate, { ui }) {
        const answers = []
        for (const { question, options } of questions) {
          // Some extensions do not pass the signal on, and wait after an abort.
          answers.push(await ui.select(question, options, { timeout, ...(own ? { signal } : {}) }))
        }
        return toResult(answers)
      },
    })
  const text = (answers) => answers.map((one) => `The user chose ${one ?? 'nothing'}.`).join('\n')
  const plain = (answers) => ({
    content: [{ type: 'text', text: text(answers) }],
    details: { answers },
  })
  asks('ask', plain)
  asks('other', plain)
  asks('mumble', () => ({ content: [{ type: 'text', text: 'Thank you.' }], details: {} }))

  pi.on('tool_call', async ({ toolName, input }, { ui, signal }) => {
    if (input.guarded) {
      const isAllowed =
        (await ui.select(`Allow ${toolName}?`, ['Allow', 'Deny'], { signal })) === 'Allow'
      return isAllowed ? undefined : { block: true, reason: 'The user said no.' }
    }
    if (toolName !== 'bash') return undefined
    const { command } = input
    const isAllowed = command.startsWith('confirm')
      ? await ui.confirm('Run it?', command, { signal })
      : (await ui.select(`Run ${command}?`, ['Yes', 'No', 'Yes, from now on'], { signal })) ===
        'Yes'
    return isAllowed ? undefined : { block: true, reason: 'The user said no.' }
  })

  pi.registerCommand('ask', {
    description: 'asks outside of any tool',
    handler: async (_args, { ui }) => {
      ui.notify(
        `chosen: ${await ui.select('Which database should we use?', ['PostgreSQL', 'SQLite'])}`,
      )
    },
  })
}
