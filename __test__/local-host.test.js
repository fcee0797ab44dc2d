'use strict'
// The local host: who wins, what is checked again, and what its journal survives.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const { SpokenQuestion } = require('..')
const { createLocalHost } = require('../main/hosts/local.js')
const { ROOT } = require('./support.js')

const question = (inputId = 'input-1') => ({
  inputId,
  sessionId: 'session-1',
  questions: [{ question: 'secret words', options: ['secret yes', { label: 'secret no' }] }],
})

function journalFile(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-journal-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  return path.join(folder, 'deeper', 'journal.jsonl')
}

/** Every whole line of a journal. */
function read(file) {
  const text = fs.readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const byVoice = (asked, optionIndexes, more) => ({
  inputId: asked.inputId,
  sessionId: asked.sessionId,
  expectDigest: new SpokenQuestion(asked).digest,
  answers: [['whatever the message says']],
  optionIndexes,
  resolvedBy: { kind: 'desktop', callId: 'c', operationId: 'c:1' },
  ...more,
})

test('the first answer wins, and the handle says who answered, not the message', async () => {
  const host = await createLocalHost()
  const answered = host.ask(question())
  assert.deepEqual(await host.voice.resolveInput(byVoice(question(), [[1]])), {
    status: 'resolved',
  })
  assert.deepEqual(host.desktop.resolveInput('input-1', [['secret yes']]), {
    status: 'rejected',
    code: 'already-resolved',
  })
  const { answers, resolvedBy } = await answered
  assert.deepEqual([answers, resolvedBy.kind], [[['secret no']], 'voice'])
  const settlement = await host.voice.settlement('input-1')
  assert.deepEqual([settlement.status, settlement.optionIndexes], ['resolved', [[1]]])
  await host.close()
})

test('an answer by voice is checked again, and nothing but a choice is written', async () => {
  const host = await createLocalHost()
  const answered = host.ask(question())
  const table = [
    ['question-changed', byVoice(question(), [[0]], { expectDigest: '1:00' })],
    ['not-found', byVoice({ ...question(), inputId: 'another' }, [[0]])],
    ['invalid', byVoice(question(), [[2]])],
    ['invalid', byVoice(question(), [[0, 1]])],
    ['invalid', byVoice(question(), [[]])],
    ['invalid', byVoice(question(), [[0], [0]])],
    ['invalid', byVoice(question(), null)],
  ]
  for (const [code, resolution] of table) {
    assert.deepEqual(
      await host.voice.resolveInput(resolution),
      { status: 'rejected', code },
      JSON.stringify(resolution.optionIndexes),
    )
  }
  assert.deepEqual((await host.voice.settlement('input-1')).status, 'open')
  assert.deepEqual(host.desktop.resolveInput('input-1', [['free text'], null]), {
    status: 'rejected',
    code: 'invalid',
  })
  assert.deepEqual(host.desktop.resolveInput('input-1', [['free text']]), { status: 'resolved' })
  assert.deepEqual(await answered, { answers: [['free text']], resolvedBy: { kind: 'desktop' } })
  await host.close()
})

test('later changes to what was asked change nothing; an id that is open is not opened again', async () => {
  const host = await createLocalHost()
  const asked = question()
  const answered = host.ask(asked)
  asked.questions[0].options[0] = 'changed'
  await assert.rejects(host.ask(question()), { code: 'ALREADY_OPEN' })
  await assert.rejects(host.ask({ questions: [] }), { code: 'INVALID_QUESTION' })
  await host.voice.resolveInput(byVoice(question(), [[0]]))
  assert.deepEqual((await answered).answers, [['secret yes']])
  await host.close()
})

test('aborted, canceled, expired and closed: whoever waits is told, and so are those who watch', async () => {
  const host = await createLocalHost()
  const events = []
  const stop = host.voice.watch('session-1', ({ type, inputId, reason }) =>
    events.push([type, inputId, reason].filter(Boolean).join(' ')),
  )
  const controller = new AbortController()
  const asked = [
    host.ask(question('aborted'), { signal: controller.signal }),
    host.ask(question('canceled')),
    host.ask(question('expired'), { expiresAt: Date.now() + 20 }),
    host.ask(question('closed')),
  ]
  const codes = Promise.all(asked.map((one) => one.catch((error) => error.code)))
  controller.abort()
  host.cancel('canceled', 'moved on')
  await new Promise((resolve) => setTimeout(resolve, 60))
  await host.close()
  assert.deepEqual(await codes, new Array(4).fill('CANCELED'))
  assert.deepEqual(
    events.filter((event) => event.startsWith('input.canceled')),
    [
      'input.canceled aborted aborted',
      'input.canceled canceled moved on',
      'input.canceled expired expired',
      'input.canceled closed host-closed',
    ],
  )
  stop()
})

test('a journaled answer is given to whoever asks again after a crash, once; the journal holds no text', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  host.ask(question('answered')).catch(() => {})
  host.ask(question('waiting')).catch(() => {})
  await host.voice.resolveInput(byVoice(question('answered'), [[1]]))
  // The process ends here, without a word.
  const after = await createLocalHost({ journal: file })
  const lines = read(file)
  assert.deepEqual(
    lines.map(({ type, inputId, reason }) => [type, inputId, reason].filter(Boolean).join(' ')),
    [
      'input.requested answered',
      'input.requested waiting',
      'input.resolved answered',
      'input.canceled waiting host-restarted',
    ],
  )
  assert.ok(!fs.readFileSync(file, 'utf8').includes('secret'))
  const again = await after.ask(question('answered'))
  assert.deepEqual([again.answers, again.resolvedBy.kind], [[['secret no']], 'voice'])
  const anew = after.ask(question('answered'))
  assert.equal((await after.voice.settlement('answered')).status, 'open')
  anew.catch(() => {})
  const changed = { ...question('answered'), turnId: 'another' }
  await after.close()
  const third = await createLocalHost({ journal: file })
  third.ask(changed).catch(() => {})
  assert.equal(
    (await third.voice.settlement('answered')).status,
    'open',
    'another question gets no old answer',
  )
  await third.close()
})

test('a journal that is cut off at any byte is read up to its last whole line', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  for (const id of ['one', 'two']) {
    host.ask(question(id)).catch(() => {})
    await host.voice.resolveInput(byVoice(question(id), [[0]]))
  }
  const whole = fs.readFileSync(file)
  const ignore = () => {}
  process.on('warning', ignore)
  for (let length = 0; length <= whole.length; length++) {
    fs.writeFileSync(file, whole.subarray(0, length))
    const kept = whole.subarray(0, length).lastIndexOf('\n') + 1
    const expected = whole
      .subarray(0, kept)
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const resolved = new Set(
      expected.filter(({ type }) => type === 'input.resolved').map(({ inputId }) => inputId),
    )
    const recovered = await createLocalHost({ journal: file })
    for (const id of ['one', 'two']) {
      const { status } = await recovered.voice.settlement(id)
      assert.equal(status, resolved.has(id) ? 'resolved' : 'unknown', `${length} bytes: ${id}`)
    }
    // Every line is whole again, and every input has its end.
    const lines = read(file)
    const open = lines.filter(({ type }) => type === 'input.requested').length
    assert.equal(lines.length - open, open, `${length} bytes`)
    await recovered.close()
  }
  process.off('warning', ignore)
})

test('a journal that cannot be written: nothing is answered, nobody waits forever, no line spoils another', async (t) => {
  const failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const { writeSync } = fs
  const table = [
    [
      'half a line is written',
      'writeSync',
      (fd, bytes) => {
        writeSync(fd, bytes, 0, 20)
        throw failure
      },
    ],
    [
      'a line is written, and not to the disk',
      'fsyncSync',
      () => {
        throw failure
      },
    ],
  ]
  const warnings = []
  const listen = ({ code }) => code && warnings.push(code)
  process.on('warning', listen)
  for (const [label, method, fails] of table) {
    const file = journalFile(t)
    const host = await createLocalHost({ journal: file })
    const answered = host.ask(question())
    const canceled = host.ask(question('canceled')).catch(({ code }) => code)
    const broken = t.mock.method(fs, method, fails)
    const no = await host.voice.resolveInput(byVoice(question(), [[0]]))
    assert.deepEqual(no, { status: 'not-sent' }, label)
    assert.equal((await host.voice.settlement('input-1')).status, 'open', label)
    await assert.rejects(host.ask(question('another')), { code: 'ENOSPC' }, label)
    host.cancel('canceled')
    assert.equal(await canceled, 'CANCELED', label)
    broken.mock.restore()
    const yes = await host.voice.resolveInput(byVoice(question(), [[1]]))
    assert.deepEqual([yes.status, (await answered).answers], ['resolved', [['secret no']]], label)
    assert.deepEqual(
      read(file).map(({ type, inputId }) => `${type} ${inputId}`),
      ['input.requested input-1', 'input.requested canceled', 'input.resolved input-1'],
      label,
    )
    await host.close()
  }
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listen)
  assert.deepEqual(warnings, ['ENOSPC', 'ENOSPC'])
})

test('a journal above 1 MiB is compacted to the answers', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  host.ask(question('kept')).catch(() => {})
  await host.voice.resolveInput(byVoice(question('kept'), [[1]]))
  await host.close()
  const line = JSON.stringify({ type: 'input.canceled', inputId: 'x'.repeat(200), reason: 'old' })
  fs.appendFileSync(file, `${line}\n`.repeat(5_000))
  const after = await createLocalHost({ journal: file })
  assert.ok(fs.statSync(file).size < 2_000)
  assert.deepEqual((await after.ask(question('kept'))).answers, [['secret no']])
  await after.close()
})

test('a process that is killed has told nobody what is not in its journal', async (t) => {
  const file = journalFile(t)
  const script = `
    const { SpokenQuestion } = require(${JSON.stringify(ROOT)})
    const { createLocalHost } = require(${JSON.stringify(path.join(ROOT, 'main', 'hosts', 'local.js'))})
    createLocalHost({ journal: process.argv[1] }).then(async (host) => {
      for (let n = 0; ; n++) {
        const asked = { inputId: 'input-' + process.pid + '-' + n, sessionId: 's', questions: [{ question: 'q', options: ['a', 'b'] }] }
        const answered = host.ask(asked)
        host.voice.resolveInput({ inputId: asked.inputId, expectDigest: new SpokenQuestion(asked).digest, optionIndexes: [[n % 2]], resolvedBy: {} })
        await answered
        process.stdout.write(asked.inputId + ' ' + (n % 2) + '\\n')
        await new Promise((resolve) => setImmediate(resolve))
      }
    })`
  let told = 0
  for (let round = 0; round < 12; round++) {
    const child = spawn(process.execPath, ['-e', script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (data) => (out += data))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    while (!out.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, round * 3))
    child.kill('SIGKILL')
    await exited
    const journaled = new Map()
    for (const { type, inputId, optionIndexes } of read(file)) {
      if (type !== 'input.resolved') continue
      assert.ok(!journaled.has(inputId), `${inputId} was answered twice`)
      journaled.set(inputId, optionIndexes[0][0])
    }
    for (const line of out.split('\n').slice(0, -1)) {
      const [inputId, index] = line.split(' ')
      assert.equal(journaled.get(inputId), Number(index), line)
      told += 1
    }
    // Whatever was cut off is repaired before the next round.
    const recovered = await createLocalHost({ journal: file })
    await recovered.close()
  }
  assert.ok(told >= 12)
})
