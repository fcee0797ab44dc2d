'use strict'
// The twenty scenarios. Times are milliseconds; a question takes three seconds to read out, a sentence
// one. `began` is when the person began to speak, the step's own time when the provider passed the
// words on. `model` is what the scripted model does and `why`. `wanted` is the answer by voice that each
// thing asked should get; `passes` what the agent should be told to do. Nothing else should reach it.
// `seen` is where somebody reported such a thing.

const { UNSURE } = require('./ways/model-tool.js')

const one = (inputId, question, options) => ({ inputId, questions: [{ question, options }] })
const YES_NO = ['Yes', 'No']
const DATABASES = ['PostgreSQL', 'SQLite', 'MySQL']
const MONTHS = `January February March April May June July August September October November
  December`.split(/\s+/)
const FOUR = {
  inputId: 'q1',
  questions: ['Postgres?', 'Docker?', 'Unit tests?', 'A changelog?'].map((question) => ({
    question,
    options: YES_NO,
  })),
}

const answers = (...value) => ({ name: 'answer_question', value })
const orders = (value) => ({ name: 'instruct_agent', value })
const speaks = (value) => ({ name: 'says', value })
const says = (at, words, more) => [at, 'says', words, more]

/** Any of them can be read out, not all of them with the question. */
const MOVE = `How should the tables move? ${'It changes every report. '.repeat(10).trim()}`
const PLANS = [1, 2, 3, 4, 5, 6, 7, 8].map(
  (n) => `Plan ${n}: ${'table after table, '.repeat(5)}then all at once`,
)

module.exports = [
  {
    name: 'The person talks over the read-out',
    happens: '“Yes” to the half of a question that was heard; it is read again; “No”',
    seen: 'livekit/agents#2201',
    steps: [
      [0, 'ask', one('q1', 'Delete the branch, with 14 commits that are nowhere else?', YES_NO)],
      [1_500, 'interrupt'],
      says(2_300, 'Yes', {
        began: 1_500,
        model: answers('Yes'),
        why: 'the person said one of the values, and the whole question is in what it sees',
      }),
      says(9_000, 'No', { began: 8_500, model: answers('No'), why: 'it is one of the values' }),
    ],
    wanted: [[['No']]],
  },
  {
    name: 'The microphone hears the read-out',
    happens: 'the last option comes back as if the person had said it',
    seen: 'livekit/agents#315',
    steps: [
      [0, 'ask', one('q1', 'Which version should ship?', ['0.16.0-beta.1', 'local only'])],
      says(3_600, 'local only', {
        began: 2_600,
        model: answers('local only'),
        why: 'it sees a turn of the user with one of the values in it',
      }),
    ],
  },
  {
    name: 'The same labels are asked again',
    happens:
      '“Yes” begins, the card answers, another question with the same labels is read out, the provider passes “Yes” on',
    seen: 'anthropics/claude-code#45969',
    steps: [
      [0, 'ask', one('q1', 'Delete the test data?', YES_NO)],
      [4_100, 'card', 'q1', [['Yes']]],
      [4_300, 'ask', one('q2', 'Delete the customer data?', YES_NO)],
      says(8_000, 'Yes', {
        began: 4_000,
        model: answers('Yes'),
        why: 'the tool that it has by now takes the value',
      }),
    ],
  },
  {
    name: 'The card wins on the way',
    happens: '“No” is on its way when the card says “Yes”; the host says yes to both',
    seen: 'anomalyco/opencode#15386',
    host: { confirmsAll: true },
    steps: [
      [0, 'ask', one('q1', 'Keep the old API?', YES_NO)],
      says(4_500, 'No', { began: 4_000, model: answers('No'), why: 'it is one of the values' }),
      [4_570, 'card', 'q1', [['Yes']]],
    ],
  },
  {
    name: 'The host’s reply is lost',
    happens:
      '“No” arrives, the word of it does not, the question stays on the list for four seconds; “No” again',
    seen: 'receptron/mulmoterminal#1690',
    host: { losesReply: true, closesAfterMs: 4_000 },
    steps: [
      [0, 'ask', one('q1', 'Roll back?', YES_NO)],
      says(4_500, 'No', { began: 4_000, model: answers('No'), why: 'it is one of the values' }),
      says(8_000, 'No', {
        began: 7_500,
        model: answers('No'),
        why: 'the person says it again, and the first is not known to have arrived',
      }),
    ],
    wanted: [[['No']]],
  },
  {
    name: 'The provider sends a request twice',
    happens: 'under two ids; in between the next question, with the same labels, was read out',
    seen: 'openai/openai-realtime-api-beta#31',
    steps: [
      [0, 'ask', one('q1', 'Push the branch?', YES_NO)],
      says(4_500, 'Yes', { began: 4_000, model: answers('Yes'), why: 'it is one of the values' }),
      [5_000, 'ask', one('q2', 'Push to main as well?', YES_NO)],
      says(10_000, 'Yes', { began: 4_000, model: answers('Yes'), why: 'the same call again' }),
    ],
    wanted: [[['Yes']]],
  },
  {
    name: 'A request id comes again with other words',
    happens: '“run the linter”, then “No” under the same id',
    steps: [
      [0, 'ask', one('q1', 'Merge without a review?', YES_NO)],
      says(4_500, 'run the linter', {
        began: 4_000,
        requestId: 'same',
        model: orders('run the linter'),
        why: 'something to be done',
      }),
      says(8_000, 'No', {
        began: 7_500,
        requestId: 'same',
        model: answers('No'),
        why: 'it is one of the values',
      }),
    ],
    wanted: [[['No']]],
    passes: ['run the linter'],
  },
  {
    name: 'Heard wrongly, then put right',
    happens: '“Staging”, and before the busy host has it “no, sorry, production”',
    host: { listMs: 600 },
    steps: [
      [0, 'ask', one('q1', 'Where should it go?', ['Staging', 'Production'])],
      says(5_000, 'Staging', {
        began: 4_500,
        model: answers('Staging'),
        why: 'it is one of the values',
      }),
      says(5_400, 'no, sorry, production', {
        began: 5_100,
        model: answers('Production'),
        why: 'a plain correction',
      }),
    ],
    wanted: [[['Production']]],
  },
  {
    name: 'Four questions at once',
    happens: 'three answers, which is one too few; then all four',
    steps: [
      [0, 'ask', FOUR],
      says(8_000, 'yes, no and yes', {
        began: 7_000,
        model: answers('Yes', 'No', 'Yes', UNSURE),
        why: 'nothing was said of the fourth, and there is a value for that',
      }),
      says(12_000, 'yes, no, yes and no', {
        began: 11_000,
        model: answers('Yes', 'No', 'Yes', 'No'),
        why: 'one of the values for each',
      }),
    ],
    wanted: [[['Yes'], ['No'], ['Yes'], ['No']]],
  },
  {
    name: 'Ordinary work',
    happens: '“check the disk space” with nothing open, “run the tests too” while a question is',
    seen: 'vercel/eve#373',
    steps: [
      says(500, 'check the disk space', {
        began: 100,
        model: orders('check the disk space'),
        why: 'something to be done',
      }),
      [1_000, 'ask', one('q1', 'Which database?', DATABASES)],
      says(6_000, 'run the tests too', {
        began: 5_500,
        model: orders('run the tests too'),
        why: 'something to be done',
      }),
    ],
    passes: ['check the disk space', 'run the tests too'],
  },
  {
    name: 'Two questions are open',
    happens: 'one was read out, then another opens; “Yes”',
    seen: 'anomalyco/opencode#36915',
    steps: [
      [0, 'ask', one('q1', 'Push the branch?', YES_NO)],
      [3_500, 'ask', one('q2', 'Publish the package?', YES_NO)],
      says(5_000, 'Yes', { began: 4_500, model: answers('Yes'), why: 'it is one of the values' }),
    ],
    wanted: [[['Yes']]],
  },
  {
    name: 'A permission waits beside the question',
    happens: 'the question was read out, then the agent asks to run a command; “Yes”',
    seen: 'happier-dev/happier#91',
    steps: [
      [0, 'ask', one('q1', 'Add a changelog entry?', YES_NO)],
      [3_500, 'ask', { kind: 'permission', ...one('p1', 'Run rm -rf build?', ['Allow', 'Deny']) }],
      says(5_000, 'Yes', { began: 4_500, model: answers('Yes'), why: 'it is one of the values' }),
    ],
    wanted: [[['Yes']]],
  },
  {
    name: 'The question is withdrawn while it is read out',
    happens: '“yes, delete it” must not reach the agent as an order',
    seen: 'anthropics/claude-code#73490',
    steps: [
      [0, 'ask', one('q1', 'Delete the old branch?', YES_NO)],
      [1_500, 'withdraw', 'q1'],
      says(4_500, 'yes, delete it', {
        began: 4_000,
        model: speaks('That question was withdrawn.'),
        why: 'it was told so, and has no tool for it any more',
      }),
    ],
  },
  {
    name: 'Too long to be read out whole',
    happens: 'more than a message holds, with eight long options; “the last one”',
    readsOut: 'How should the tables move? There are eight plans; the first moves them one by one.',
    steps: [
      [0, 'ask', one('q1', MOVE, PLANS)],
      says(6_000, 'the last one', {
        began: 5_500,
        model: answers(PLANS[7]),
        why: 'voice models sum up what is long; the values are all in the schema',
      }),
    ],
  },
  {
    name: 'Another question under the same id',
    happens:
      '“the second one” begins, the agent asks anew with the options the other way round, the provider passes it on',
    steps: [
      [0, 'ask', one('q1', 'Which build goes out?', ['The stable one', 'The nightly one'])],
      [4_200, 'ask', one('q1', 'Which build goes out?', ['The nightly one', 'The stable one'])],
      says(8_500, 'the second one', {
        began: 4_000,
        model: answers('The stable one'),
        why: 'the second value of the tool that it has by now',
      }),
    ],
  },
  {
    name: 'Labels with commas, labels that sound the same',
    happens: '“yes, proceed” of three such labels; then “retry now” where two differ by a space',
    seen: 'siteboon/claudecodeui#1249, can1357/oh-my-pi#11167',
    steps: [
      [0, 'ask', one('q1', 'Go on?', ['Yes, proceed', 'Yes, proceed and never ask', 'No, stop'])],
      says(4_500, 'yes, proceed', {
        began: 4_000,
        model: answers('Yes, proceed'),
        why: 'it is one of the values',
      }),
      [6_000, 'ask', one('q2', 'It failed. What now?', ['Retry now', 'Retry  now', 'Stop'])],
      says(11_000, 'retry now', {
        began: 10_500,
        model: answers('Retry now'),
        why: 'the nearest value; a space is not heard',
      }),
    ],
    wanted: [[['Yes, proceed']]],
  },
  {
    name: 'Not the second, and a fifth of three',
    happens: '“not the second one”, then “the fifth one”',
    steps: [
      [0, 'ask', one('q1', 'Which database?', DATABASES)],
      says(4_500, 'not the second one', {
        began: 4_000,
        model: answers(UNSURE),
        why: 'two are left, and there is a value for that',
      }),
      says(9_000, 'the fifth one', {
        began: 8_500,
        model: answers(UNSURE),
        why: 'there is none, and there is a value for that',
      }),
    ],
  },
  {
    name: 'Perhaps, and a question asked back',
    happens: '“hm, maybe the second”, then “what does the second one do?”',
    steps: [
      [0, 'ask', one('q1', 'Which database?', DATABASES)],
      says(4_500, 'hm, maybe the second', {
        began: 4_000,
        model: answers(UNSURE),
        why: 'the prompt asks for it where the person hesitates',
      }),
      says(9_000, 'what does the second one do?', {
        began: 8_500,
        model: speaks('SQLite keeps everything in one file.'),
        why: 'it can answer that itself',
      }),
    ],
  },
  {
    name: 'Words that need knowledge',
    happens: '“the one with the elephant” for PostgreSQL',
    steps: [
      [0, 'ask', one('q1', 'Which database?', DATABASES)],
      says(4_500, 'the one with the elephant', {
        began: 4_000,
        model: answers('PostgreSQL'),
        why: 'models know logos',
      }),
    ],
    wanted: [[['PostgreSQL']]],
  },
  {
    name: 'Twelve short options',
    happens: '“the tenth one”',
    steps: [
      [0, 'ask', one('q1', 'Which month?', MONTHS)],
      says(4_500, 'the tenth one', {
        began: 4_000,
        model: answers('October'),
        why: 'it is one of the values',
      }),
    ],
    wanted: [[['October']]],
  },
]
