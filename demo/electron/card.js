'use strict'
// The card of questions with one question each: a button for each option. Texts of the agent are
// set as text, never as markup.

const card = document.getElementById('card')

window.host.onEvent((event) => {
  card.replaceChildren()
  if (event.type !== 'input.requested' || event.input.kind !== 'question') return
  const { inputId, questions } = event.input
  const [{ question, options }] = questions
  const legend = document.createElement('p')
  legend.textContent = question
  card.append(legend)
  for (const option of options) {
    const label = option.label ?? option
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', () => window.host.answer(inputId, [[label]]))
    card.append(button)
  }
})

window.host.onPending((pending) => {
  document.getElementById('pending').textContent = pending?.text ?? ''
})
