'use strict'
// The journal of the local host: what it survives, and who may have it.

const assert = require('node:assert/strict')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { createLocalHost } = require('../main/hosts/local.js')
const {
  FACTS,
  brief,
  byVoice,
  crashed,
  journalFile,
  outcome,
  question,
  read,
  warnings,
} = require('./asking.js')
const { ROOT, node } = require('./support.js')

/** Answers a question of a host that is gone before whoever asked has the answer. */
async function untold(t, asked, answer) {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const answered = host.ask(asked)
  answer(host)
  const copy = crashed(file)
  await answered
  await host.close()
  return copy
}

/** Another name of a file. Windows lets only administrators make one. */
function linkTo(file) {
  if (process.platform === 'win32') return file
  fs.symlinkSync(file, `${file}.link`)
  return `${file}.link`
}

test('an answer that nobody was told of is given to whoever asks again after a crash, once', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const answered = host.ask(question('answered'))
  host.ask(question('waiting')).catch(() => {})
  await host.voice.resolveInput(byVoice(question('answered'), [[1]]))
  const copy = crashed(file)
  const after = await createLocalHost({ journal: copy })
  assert.deepEqual(brief(read(copy)), [
    'input.requested answered',
    'input.requested waiting',
    'input.resolved answered',
    'input.canceled waiting host-restarted',
  ])
  assert.ok(!fs.readFileSync(copy, 'utf8').includes('secret'))
  assert.deepEqual(await after.ask(question('answered')), await answered)
  await after.close()
  const third = await createLocalHost({ journal: copy })
  const anew = outcome(third.ask(question('answered')))
  assert.equal((await third.voice.settlement('answered')).status, 'open')
  await third.close()
  assert.equal(await anew, 'CANCELED')
  await host.close()
})

test('an answer that arrived is not given again, and can be looked up', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const answered = host.ask(question())
  host.desktop.resolveInput('input-1', [['secret yes']])
  await answered
  await host.close()
  assert.deepEqual(brief(read(file)), [
    'input.requested input-1',
    'input.resolved input-1',
    'input.told input-1',
  ])
  const after = await createLocalHost({ journal: file })
  assert.deepEqual(await after.voice.settlement('input-1'), {
    status: 'resolved',
    optionIndexes: [[0]],
    resolvedBy: { kind: 'desktop' },
  })
  const anew = outcome(after.ask(question()))
  assert.equal((await after.voice.settlement('input-1')).status, 'open')
  await after.close()
  assert.equal(await anew, 'CANCELED')
})

test('a journaled answer that does not fit what is asked now is not given, and that is said', async (t) => {
  const journals = {
    card: await untold(t, question(), (host) => {
      host.desktop.resolveInput('input-1', [['secret yes']])
    }),
    voice: await untold(t, question(), (host) => {
      host.voice.resolveInput(byVoice(question(), [[0]]))
    }),
  }
  for (const [by, file] of Object.entries(journals)) {
    const text = fs.readFileSync(file, 'utf8')
    const attempt = async (positions, asked, options) => {
      fs.writeFileSync(file, text.replace('[[0]]', positions))
      const host = await createLocalHost({ journal: file })
      let code
      const said = await warnings(async () => {
        const answered = outcome(host.ask(asked, options))
        await host.close()
        code = await answered
      })
      assert.deepEqual(
        [code, said],
        [
          'CANCELED',
          ['input input-1 is asked anew: the answer it was given before does not fit it'],
        ],
        `${by} ${positions} ${JSON.stringify(options)}`,
      )
    }
    for (const positions of ['[[0,1]]', '[]', '[[]]', '[[9]]', '[[-1]]', '[null]', '"x"', 'null']) {
      await attempt(positions, question())
    }
    await attempt('[[0]]', { ...question(), turnId: 'another' })
    if (by === 'voice') {
      await attempt('[[0]]', question(), { private: true })
      await attempt('[[0]]', question(), { askedOf: 'bob' })
    }
  }
})

test('an answer of the card to a question that the voice cannot take is given again as well', async (t) => {
  const options = Array.from({ length: 12 }, (_, n) => `option ${n}`)
  const questions = Array.from({ length: 9 }, () => ({ question: 'q', options }))
  const asked = { inputId: 'i', sessionId: 's', questions }
  const answers = questions.map(() => ['option 11'])
  const file = await untold(t, asked, (host) => host.desktop.resolveInput('i', answers))
  const host = await createLocalHost({ journal: file })
  assert.deepEqual(await host.ask(asked), { answers, resolvedBy: { kind: 'desktop' } })
  await host.close()
})

test('a journal that is cut off at any byte is read up to its last whole line', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  for (const id of ['one', 'two']) {
    host.ask(question(id)).catch(() => {})
    await host.voice.resolveInput(byVoice(question(id), [[0]]))
  }
  await host.close()
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
    const count = (...types) => read(file).filter(({ type }) => types.includes(type)).length
    assert.equal(
      count('input.resolved', 'input.canceled'),
      count('input.requested'),
      `${length} bytes`,
    )
    await recovered.close()
  }
  process.off('warning', ignore)
})

test('lines that cannot be read are passed over, and that is said', async (t) => {
  const file = await untold(t, question(), (host) => {
    host.desktop.resolveInput('input-1', [['secret no']])
  })
  fs.appendFileSync(file, 'torn{"type":"input.told","inputId":"input-1"}\nnull\n[]\n')
  const said = await warnings(async () => {
    const host = await createLocalHost({ journal: file })
    assert.deepEqual((await host.ask(question())).answers, [['secret no']])
    await host.close()
  })
  assert.deepEqual(said, [`3 of 5 lines of ${file} cannot be read`])
})

test('a journal above 1 MiB is compacted to the answers, and a link to it stays one', async (t) => {
  const file = await untold(t, question('untold'), (host) => {
    host.desktop.resolveInput('untold', [['secret no']])
  })
  const line = (type, inputId) =>
    `${JSON.stringify({ type, inputId, optionIndexes: [[0]], digest: 'd', resolvedBy: { kind: 'desktop' } })}\n`
  for (let n = 0; n < 6_000; n++) {
    fs.appendFileSync(file, line('input.resolved', `told-${n}`) + line('input.told', `told-${n}`))
  }
  fs.chmodSync(file, 0o600)
  const link = linkTo(file)
  const after = await createLocalHost({ journal: link })
  if (process.platform !== 'win32') {
    assert.ok(fs.lstatSync(link).isSymbolicLink())
    assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  }
  const lines = read(file)
  const count = (wanted) => lines.filter(({ type }) => type === wanted).length
  assert.deepEqual([count('input.resolved'), count('input.told')], [1_001, 1_000])
  assert.deepEqual((await after.ask(question('untold'))).answers, [['secret no']])
  assert.equal((await after.voice.settlement('told-5999')).status, 'resolved')
  await after.close()
})

test('a line is written whole or not at all, however little a write takes', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const { writeSync } = fs
  t.after(() => (fs.writeSync = writeSync))
  fs.writeSync = (fd, bytes, from, length) => writeSync(fd, bytes, from, Math.min(length, 7))
  const asked = ['first', 'second'].map((id) => host.ask(question(id)))
  // Half a line, and then the disk is full.
  fs.writeSync = (fd, bytes) => {
    writeSync(fd, bytes, 0, 20)
    throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  }
  const before = fs.readFileSync(file, 'utf8')
  const said = await warnings(() => {
    assert.deepEqual(host.desktop.resolveInput('first', [['secret yes']]), { status: 'not-sent' })
  })
  assert.deepEqual(said, [`an answer was not taken: a line could not be added to ${file}`])
  assert.equal(await outcome(host.ask(question('third'))), 'JOURNAL_FAILED')
  assert.equal(fs.readFileSync(file, 'utf8'), before)
  fs.writeSync = writeSync
  for (const id of ['second', 'first']) {
    assert.deepEqual(host.desktop.resolveInput(id, [['secret yes']]), { status: 'resolved' })
  }
  const copy = crashed(file)
  await Promise.all(asked)
  await host.close()
  const after = await createLocalHost({ journal: copy })
  for (const id of ['first', 'second']) {
    assert.equal((await after.voice.settlement(id)).status, 'resolved')
  }
  assert.equal((await after.voice.settlement('third')).status, 'unknown')
  await after.close()
})

test('a journal that cannot be repaired takes nothing more', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const asked = outcome(host.ask(question()))
  const { writeSync, ftruncateSync } = fs
  t.after(() => Object.assign(fs, { writeSync, ftruncateSync }))
  const failing = () => {
    throw new Error('broken disk')
  }
  Object.assign(fs, { writeSync: failing, ftruncateSync: failing })
  const said = await warnings(() => host.desktop.resolveInput('input-1', [['secret yes']]))
  Object.assign(fs, { writeSync, ftruncateSync })
  assert.deepEqual(said, [
    `${file} could not be repaired; no answers are taken any more: broken disk`,
    `an answer was not taken: a line could not be added to ${file}`,
  ])
  assert.deepEqual(host.desktop.resolveInput('input-1', [['secret yes']]), { status: 'not-sent' })
  assert.equal(await outcome(host.ask(question('another'))), 'JOURNAL_BROKEN')
  await host.close()
  assert.equal(await asked, 'CANCELED')
})

test('a full disk keeps nobody waiting, and the journal has no words of the app', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const events = []
  host.voice.watch('session-1', ({ type, inputId, reason }) => events.push([type, inputId, reason]))
  const worded = outcome(host.ask(question('worded')))
  host.cancel('worded', 'secret words')
  assert.deepEqual(brief(read(file)), ['input.requested worded', 'input.canceled worded canceled'])
  const controller = new AbortController()
  const codes = Promise.all([
    worded,
    outcome(host.ask(question('canceled'))),
    outcome(host.ask(question('expired'), { expiresAt: Date.now() + 10 })),
    outcome(host.ask(question('aborted'), { signal: controller.signal })),
    outcome(host.ask(question('closed'))),
  ])
  events.length = 0
  const { writeSync } = fs
  t.after(() => (fs.writeSync = writeSync))
  fs.writeSync = () => {
    throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  }
  const refused = new AbortController()
  const said = await warnings(async () => {
    host.cancel('canceled', 'secret words')
    controller.abort()
    assert.equal(
      await outcome(
        host.ask(question('refused'), { signal: refused.signal, expiresAt: Date.now() + 10 }),
      ),
      'JOURNAL_FAILED',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    refused.abort()
    await host.close()
  })
  fs.writeSync = writeSync
  assert.deepEqual(await codes, new Array(5).fill('CANCELED'))
  assert.deepEqual(events, [
    ['input.canceled', 'canceled', 'secret words'],
    ['input.canceled', 'aborted', 'aborted'],
    ['input.canceled', 'expired', 'expired'],
    ['input.canceled', 'closed', 'host-closed'],
  ])
  assert.deepEqual(
    said,
    ['canceled', 'aborted', 'expired', 'closed'].map(
      (id) =>
        `input.canceled of input ${id} is not in the journal: a line could not be added to ${file}`,
    ),
  )
  // The file was let go of.
  const again = await createLocalHost({ journal: file })
  await again.close()
})

test('one host for a journal: a second is refused, also by way of a link', async (t) => {
  const file = journalFile(t)
  const host = await createLocalHost({ journal: file })
  const link = linkTo(file)
  const code = { code: 'JOURNAL_IN_USE' }
  await assert.rejects(createLocalHost({ journal: file }), code)
  await assert.rejects(createLocalHost({ journal: link }), code)
  const local = JSON.stringify(path.join(ROOT, 'main', 'hosts', 'local.js'))
  const script = `
    require(${local}).createLocalHost({ journal: process.argv[1] })
      .then(() => console.log('taken'), (error) => console.log(error.code))`
  const inProcess = () => node(['-e', script, file]).out.trim()
  const { Worker } = require('node:worker_threads')
  const inThread = () => {
    const worker = new Worker(
      `require(${local}).createLocalHost({ journal: ${JSON.stringify(file)} })
        .then(() => 'taken', (error) => error.code)
        .then((end) => require('node:worker_threads').parentPort.postMessage(end))`,
      { eval: true },
    )
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  }
  assert.deepEqual([inProcess(), await inThread()], ['JOURNAL_IN_USE', 'JOURNAL_IN_USE'])
  await host.close()
  assert.equal(fs.existsSync(`${file}.lock`), false)
  // It ends without closing, and leaves its lock to whoever comes next.
  assert.equal(inProcess(), 'taken')
  assert.ok(fs.existsSync(`${file}.lock`))
  await (await createLocalHost({ journal: file })).close()
})

test('a lock is taken over from who is gone, and from nobody else', async (t) => {
  const file = journalFile(t)
  await (await createLocalHost({ journal: file })).close()
  const lock = `${file}.lock`
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const old = new Date(Date.now() - 60_000)
  const table = [
    ['taken', JSON.stringify({ pid: gone, began: 1, token: 'x' })],
    // This very number, but a process of before.
    ['taken', JSON.stringify({ pid: process.pid, began: 1, token: 'x' })],
    ['JOURNAL_IN_USE', JSON.stringify({ pid: process.ppid, token: 'x' })],
    // It is being written at this moment; or was, when the machine crashed.
    ['JOURNAL_IN_USE', ''],
    ['taken', '', old],
  ]
  for (const [expected, text, written = new Date()] of table) {
    fs.writeFileSync(lock, text)
    fs.utimesSync(lock, written, written)
    const host = await outcome(createLocalHost({ journal: file }))
    assert.equal(typeof host === 'string' ? host : 'taken', expected, text)
    if (typeof host !== 'string') await host.close()
    fs.rmSync(lock, { force: true })
  }
  // Somebody else is about to take it over; or was, and died.
  for (const [expected, written] of [
    ['JOURNAL_IN_USE', new Date()],
    ['taken', old],
  ]) {
    fs.writeFileSync(lock, table[0][1])
    fs.writeFileSync(`${lock}.takeover`, '')
    fs.utimesSync(`${lock}.takeover`, written, written)
    const host = await outcome(createLocalHost({ journal: file }))
    assert.equal(typeof host === 'string' ? host : 'taken', expected)
    if (typeof host !== 'string') await host.close()
  }
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['journal.jsonl'])
})

test('a lock that somebody else has taken over meanwhile is theirs', async (t) => {
  const file = journalFile(t)
  await (await createLocalHost({ journal: file })).close()
  const lock = `${file}.lock`
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  fs.writeFileSync(lock, JSON.stringify({ pid: gone, token: 'x' }))
  const theirs = JSON.stringify({ pid: process.ppid, token: 'y' })
  const { openSync } = fs
  t.after(() => (fs.openSync = openSync))
  fs.openSync = (name, ...rest) => {
    if (`${name}`.endsWith('.takeover')) {
      fs.openSync = openSync
      fs.writeFileSync(lock, theirs)
    }
    return openSync(name, ...rest)
  }
  await assert.rejects(createLocalHost({ journal: file }), { code: 'JOURNAL_IN_USE' })
  assert.equal(fs.readFileSync(lock, 'utf8'), theirs)
})

test('of many that find a dead lock, one takes it over', async (t) => {
  const file = journalFile(t)
  await (await createLocalHost({ journal: file })).close()
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: gone, token: 'x' }))
  const script = `
    const { createLocalHost } = require(${JSON.stringify(path.join(ROOT, 'main', 'hosts', 'local.js'))})
    while (Date.now() < Number(process.argv[2]));
    createLocalHost({ journal: process.argv[1] })
      .then(() => console.log('taken'), (error) => console.log(error.code))
    process.stdin.resume()`
  const at = String(Date.now() + 1_000)
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['-e', script, file, at]),
  )
  const ends = await Promise.all(
    children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))),
  )
  for (const child of children) child.kill()
  assert.deepEqual(ends.map((end) => String(end).trim()).sort(), [
    ...new Array(5).fill('JOURNAL_IN_USE'),
    'taken',
  ])
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
        host.voice.resolveInput({ inputId: asked.inputId, expectDigest: new SpokenQuestion(asked).digest, optionIndexes: [[n % 2]], resolvedBy: JSON.parse(process.argv[2]) })
        await answered
        process.stdout.write(asked.inputId + ' ' + (n % 2) + '\\n')
        await new Promise((resolve) => setImmediate(resolve))
      }
    })`
  let told = 0
  for (let round = 0; round < 12; round++) {
    const child = spawn(process.execPath, ['-e', script, file, JSON.stringify(FACTS)], {
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
