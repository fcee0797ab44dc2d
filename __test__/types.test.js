'use strict'
// The types, as a strict TypeScript program sees them; and they hide nothing behind `any`.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { ROOT, node } = require('./support.js')

const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--skipLibCheck',
  'false',
  '--types',
  'node',
]

for (const mode of [
  ['--module', 'node16', '--moduleResolution', 'node16'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
]) {
  test(`types under ${mode.at(-1)}`, () => {
    // The package's own name resolves to itself through `exports`.
    const { code, out } = node([TSC, ...OPTIONS, ...mode, '__test__/types.ts'])
    assert.deepEqual([out, code], ['', 0])
  })
}

test('no any, and every function and property of the class is documented', () => {
  const types = fs.readFileSync(path.join(ROOT, 'index.d.ts'), 'utf8')
  const code = types.replace(/\/\*\*[^]*?\*\/|\/\/.*/g, '')
  assert.doesNotMatch(code, /\bany\b/)
  const lines = types.split('\n')
  const exported = lines.flatMap((line, index) => {
    const isMember = /^ {2}(get \w+|constructor|validate|feedback|schema)\(/.test(line)
    return line.startsWith('export ') || isMember ? [[line, lines[index - 1]]] : []
  })
  assert.ok(exported.length >= 20)
  for (const [line, before] of exported) assert.match(before, /\*\/$/, `undocumented: ${line}`)
})
