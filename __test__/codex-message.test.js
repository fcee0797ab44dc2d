'use strict'
// What Codex asks in a message, and the envelope that it takes for an answer.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const {
  isAsked,
  textOf,
  toPositions,
  toQuestions,
  toReplies,
  toText,
} = require('../main/hosts/codex-message.js')

const BACKEND = { title: 'Which backend?', options: ['SQLite', 'Postgres "15"'] }
const PORT = { title: 'Port?', options: null }
const item = (...questions) => ({
  type: 'agentMessage',
  id: 'call_1',
  delivery: 'async',
  text: '',
  questions,
})
/** As the vendor's own card wrote it. */
const TEXT = `<send_user_message_question_reply>
[{"answer":"Postgres \\"15\\"","question":"Which backend?","questionItemId":"[\\"request_user_input_async\\",\\"call_1\\",0]"}]
</send_user_message_question_reply>`

test('which items ask', () => {
  for (const [name, isSo, one] of [
    ['a choice', true, item(BACKEND)],
    ['free text', true, item(PORT)],
    ['both', true, item(BACKEND, PORT)],
    ['equal titles', true, item(BACKEND, BACKEND)],
    ['no questions', false, item()],
    ['none at all', false, { ...item(), questions: null }],
    ['an ordinary message', false, { ...item(BACKEND), delivery: null }],
    ['another item', false, { ...item(BACKEND), type: 'plan' }],
    ['no title', false, item({ options: ['a'] })],
    ['an option that is an object', false, item({ title: 'a', options: [{ label: 'a' }] })],
    ['options that are absent', false, item({ title: 'a' })],
    ['no id', false, { ...item(BACKEND), id: undefined }],
  ]) {
    assert.equal(isAsked(one), isSo, name)
  }
})

test('its questions as a live call sees them', () => {
  const options = [{ label: 'SQLite' }, { label: 'Postgres "15"' }]
  assert.deepEqual(toQuestions(item(BACKEND, PORT)), [
    { question: 'Which backend?', options, multiSelect: false },
    { question: 'Port?', options: [], multiSelect: false },
  ])
})

test('an answer: the bytes of the vendor’s own card', () => {
  assert.equal(toText(item(BACKEND), [['Postgres "15"']]), TEXT)
  const both = toText(item(BACKEND, PORT), [['SQLite'], ['6000']])
  assert.deepEqual(toReplies(both), [
    { id: 'call_1', question: 0, answer: 'SQLite' },
    { id: 'call_1', question: 1, answer: '6000' },
  ])
  assert.deepEqual(toReplies(toText(item(BACKEND, PORT), [null, ['6000']])), [
    { id: 'call_1', question: 1, answer: '6000' },
  ])
})

test('what others answered', () => {
  const two = item(BACKEND, { title: 'Which backend?', options: ['x', 'y'] })
  for (const [name, one, text, positions] of [
    ['an option', item(BACKEND), TEXT, [[1]]],
    ['the second of two', two, toText(two, [null, ['y']]), undefined],
    ['equal titles', two, toText(two, [['SQLite'], ['y']]), [[0], [1]]],
    ['free text', item(BACKEND), toText(item(BACKEND), [['Oracle']]), undefined],
    ['another message’s', { ...item(BACKEND), id: 'call_2' }, TEXT, undefined],
  ]) {
    assert.deepEqual(toPositions(one, toReplies(text)), positions, name)
  }
})

test('what is not an answer', () => {
  const around = (text) =>
    `<send_user_message_question_reply>\n${text}\n</send_user_message_question_reply>`
  for (const text of [
    '',
    'SQLite',
    TEXT.slice(1),
    `Look: ${TEXT}`,
    around(''),
    around('null'),
    around('[null]'),
    around('[{"answer":"SQLite"}]'),
    around('[{"answer":"a","questionItemId":"null"}]'),
    around('[{"answer":"a","questionItemId":"[\\"another_tool\\",\\"call_1\\",0]"}]'),
  ]) {
    assert.deepEqual(toReplies(text), [], text)
  }
})

test('the text of a user’s message', () => {
  const text = { type: 'text', text: 'a', text_elements: [] }
  assert.equal(textOf({ type: 'userMessage', content: [text] }), 'a')
  for (const one of [
    { type: 'agentMessage', content: [text] },
    { type: 'userMessage', content: [text, text] },
    { type: 'userMessage', content: [{ type: 'image' }] },
    { type: 'userMessage' },
  ]) {
    assert.equal(textOf(one), null)
  }
})
