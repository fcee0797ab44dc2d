'use strict'
// `node tools/licenses.js`: writes THIRD_PARTY_LICENSES.md, the licences of what is compiled into
// the binary: the crates that the addon depends on for any of its targets, without build tools.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./run.js')

const FILE = path.join(ROOT, 'THIRD_PARTY_LICENSES.md')

function licenses() {
  const args = ['metadata', '--locked', '--format-version', '1', '--features', 'node']
  const { packages, resolve } = JSON.parse(
    execFileSync('cargo', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const byId = new Map(packages.map((one) => [one.id, one]))
  const edges = new Map(resolve.nodes.map((node) => [node.id, node.deps]))
  const linked = new Set()
  const visit = (id) => {
    // A procedural macro runs at compile time; nothing of it is in the binary.
    if (linked.has(id) || byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro')))
      return
    linked.add(id)
    for (const { pkg, dep_kinds: kinds } of edges.get(id)) {
      if (
        kinds.some(({ kind, target }) => kind === null && !/wasi|wasm|android/.test(target ?? ''))
      )
        visit(pkg)
    }
  }
  visit(resolve.root)
  linked.delete(resolve.root)
  const crates = [...linked].map((id) => byId.get(id)).sort((a, b) => a.name.localeCompare(b.name))

  // Most crates share the same few texts; each is printed once.
  const texts = new Map()
  for (const one of crates) {
    for (const text of licenseTexts(one)) {
      texts.set(text, [...(texts.get(text) ?? []), `${one.name} ${one.version}`])
    }
  }
  const rows = crates.map((one) => `| ${one.name} | ${one.version} | ${one.license} |`)
  const sections = [...texts].map(
    ([text, names]) => `### ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\``,
  )
  return `# Third-party licences

The binary contains code of these crates, and of the Rust standard library (MIT OR Apache-2.0,
the Rust Project contributors). Written by \`tools/licenses.js\`.

| crate | version | licence |
| --- | --- | --- |
${rows.join('\n')}

## Texts

${sections.join('\n\n')}
`
}

/** The licence texts of a crate: MIT where it may be chosen, whatever there is otherwise. */
function licenseTexts({ name, manifest_path: manifest, license, authors }) {
  const folder = path.dirname(manifest)
  const names = fs
    .readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file))
  const mit = names.filter((file) => /mit/i.test(file))
  const chosen = /\bOR\b.*MIT|MIT.*\bOR\b|^MIT/.test(license) && mit.length > 0 ? mit : names
  if (chosen.length === 0) return [withoutFile(name, license, authors)]
  const read = (file) => fs.readFileSync(path.join(folder, file), 'utf8')
  return chosen.sort().map((file) => read(file).replace(/\r\n/g, '\n').trim())
}

/** Some crates say "MIT" and ship no text; ours is the same text, with their authors. */
function withoutFile(name, license, authors) {
  if (license !== 'MIT') throw new Error(`${name} (${license}) ships no licence text`)
  const holders = authors.length > 0 ? authors.join(', ') : `the authors of ${name}`
  const own = fs.readFileSync(path.join(ROOT, 'LICENSE'), 'utf8').trim()
  return own.replace(/Copyright .*/, `Copyright (c) ${holders}`)
}

if (require.main === module) fs.writeFileSync(FILE, licenses())
module.exports = { FILE, licenses }
