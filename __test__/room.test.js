'use strict'
// The demo of a room, as a user starts it, and that the page about it shows it as it is.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { TURN_CODES } = require('../main/authority.js')
const { ROOT, node } = require('./support.js')

const read = (...names) => fs.readFileSync(path.join(ROOT, ...names), 'utf8')

test('an evening in a room: who is on the list has the machine, nobody else ever has', () => {
  const env = { ...process.env, DISCORD_SYSTEM_ACTOR_USER_IDS: undefined }
  const { code, out, err } = node(['tools/start.js', 'room'], { env })
  assert.deepEqual([code, err], [0, ''])
  const lines = out.trim().split('\n')
  const receipts = lines.filter((line) => line.startsWith('receipt')).map((line) => line.slice(10))
  assert.deepEqual(receipts, [
    'one-shot, answered',
    'shared, answered',
    'one-shot, answered',
    'shared, answered',
    'refused, speaker-unknown',
    'shared, answered',
    'shared, answered',
  ])
  assert.equal(lines.filter((line) => line.includes('the one-shot session is gone')).length, 2)
  assert.equal(lines.filter((line) => line.includes('I can use read and bash here.')).length, 2)
  assert.match(out, /error +entry 1 is no id of 17 to 20 digits; nobody is granted/)
})

test('the variable wins over the settings, and empty grants nobody', () => {
  const run = (ids) => {
    const env = { ...process.env, DISCORD_SYSTEM_ACTOR_USER_IDS: ids }
    return node(['tools/start.js', 'room'], { env }).out.match(/^receipt +one-shot/gm)?.length ?? 0
  }
  assert.deepEqual([run(''), run('200000000000000002'), run('200000000000000002,x')], [0, 2, 0])
})

test('the page shows the file as it is, and every code', () => {
  const page = read('docs', 'voice-authority.md')
  assert.ok(page.includes(`\`\`\`js\n${read('demo', 'discord', 'room.js')}\`\`\``))
  for (const code of Object.keys(TURN_CODES)) assert.ok(page.includes(`| \`${code}\` |`), code)
  assert.ok(read('README.md').includes('(docs/voice-authority.md)'))
})
