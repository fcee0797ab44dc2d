'use strict'
// The page on voice providers: its program is the file beside it, and runs with a fake voice.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { ROOT } = require('./support.js')

const read = (...name) => fs.readFileSync(path.join(ROOT, ...name), 'utf8')

test('the page has the program as it is', () => {
  const page = read('docs', 'voice-provider.md')
  const programs = Array.from(page.matchAll(/```js\n([^]*?)```/g), ([, program]) => program)
  assert.deepEqual(programs, [read('demo', 'voice', 'connect.js')])
  assert.ok(read('README.md').includes('(docs/voice-provider.md)'))
})

require('../demo/voice/connect.test.js')
