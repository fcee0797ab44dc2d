'use strict'
// The page on adapters: its programs are the files beside it, and they run.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { runInThisContext } = require('node:vm')
const { ROOT } = require('./support.js')

const read = (...name) => fs.readFileSync(path.join(ROOT, ...name), 'utf8')

const page = read('docs', 'write-an-adapter.md')
const programs = Array.from(page.matchAll(/```js\n([^]*?)```/g), ([, program]) => program)

test('the page has the adapter and its checks as they are', () => {
  assert.deepEqual(programs.slice(0, 2), [
    read('demo', 'adapter', 'host.js'),
    read('demo', 'adapter', 'host.test.js'),
  ])
  assert.ok(read('README.md').includes('(docs/write-an-adapter.md)'))
})

require('../demo/adapter/host.test.js')

// The last one is nowhere else.
runInThisContext(`(require) => {${programs[2]}}`)(require)
