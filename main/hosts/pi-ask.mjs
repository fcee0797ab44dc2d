// An extension of Pi's that gives its model a tool to ask the user: several questions, several options of
// one. It asks in one dialog, which `spoken-answer/hosts/pi` knows by the status that is set right before
// it; a client that knows nothing of this shows it as a text to be answered with numbers.

import form from './pi-form.js'

const NAME = 'ask_user'

const option = {
  type: 'object',
  properties: {
    label: { type: 'string', description: 'What the user chooses, in a few words' },
    description: { type: 'string', description: 'What choosing it means' },
  },
  required: ['label'],
}
const question = {
  type: 'object',
  properties: {
    question: { type: 'string' },
    options: { type: 'array', items: option, minItems: 1 },
    multiSelect: { type: 'boolean', description: 'Whether several options may be chosen' },
  },
  required: ['question', 'options'],
}
const parameters = {
  type: 'object',
  properties: { questions: { type: 'array', items: question, minItems: 1 } },
  required: ['questions'],
}

export default function extension(pi) {
  /** What became of the question: what was chosen, that it was declined, or why it is not answered. */
  async function ask(toolCallId, questions, signal, { ui, hasUI }) {
    if (!hasUI) return { reason: 'nobody' }
    if (signal?.aborted) return { reason: 'aborted' }
    const key = `${form.STATUS}${toolCallId}`
    // Nothing comes between these two: that is how the dialog is known.
    ui.setStatus(key, 'waiting for an answer')
    const dialog = ui.input(form.toTitle(questions), form.toPlaceholder(questions), { signal })
    try {
      const value = await dialog
      if (signal?.aborted) return { reason: 'aborted' }
      // Not a decision: clients also dismiss what they cannot show.
      if (value === undefined) return { reason: 'dismissed' }
      return form.readReply(questions, value) ?? { reason: 'malformed' }
    } finally {
      ui.setStatus(key, undefined)
    }
  }

  pi.registerTool({
    name: NAME,
    label: 'Ask the user',
    description:
      'Ask the user to choose: one or several questions at once, each with its options. A choice is never ' +
      'permission for anything, and what the result does not say is answered has not been decided.',
    promptSnippet: 'Ask the user to choose among options',
    parameters,
    // One after the other: with two open at once neither is read out.
    executionMode: 'sequential',
    exposure: 'model-only',
    async execute(toolCallId, params, signal, _onUpdate, ctx) {
      if (!form.areQuestions(params)) {
        throw new Error('each question needs a text, and options with different labels')
      }
      // A copy: what is answered is what was asked.
      const { questions } = structuredClone(params)
      const outcome = await ask(toolCallId, questions, signal, ctx)
      const { resolvedBy } = outcome
      if (resolvedBy !== undefined) pi.appendEntry('spoken-answer', { toolCallId, resolvedBy })
      return form.toResult(questions, outcome)
    },
  })
}
