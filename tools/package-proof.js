'use strict'
// `npm run test:package` (Linux x64): the packages as they would be published, built for glibc 2.17,
// installed in an empty folder without Rust, and used from CommonJS, ESM, strict TypeScript and
// Electron.
//
// Needs python3 with pip and venv for the cross linker, and objdump.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pack } = require('./pack.js')
const { releaseBuild } = require('./release-build.js')
const { run, tool } = require('./run.js')

const TARGET = 'x86_64-unknown-linux-gnu'
const PLATFORM = 'linux-x64-gnu'

const typescript = tool('typescript', 'bin/tsc')
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'spoken-answer-package-'))
process.on('exit', () => fs.rmSync(work, { recursive: true, force: true }))

const binary = releaseBuild(TARGET)
const modules = install(binary)
use(path.dirname(modules))
run(process.execPath, [path.join(__dirname, 'electron.js')], {
  env: { SPOKEN_ANSWER_INSTALLED: modules },
})

/** Packs both packages and installs the tarballs in an empty folder; returns its node_modules. */
function install(file) {
  const app = path.join(work, 'app')
  const tarballs = path.join(work, 'tarballs')
  fs.mkdirSync(app)
  fs.mkdirSync(tarballs)
  run('npm', ['pack', '--silent', '--pack-destination', tarballs])
  pack(PLATFORM, file, tarballs)
  const list = (name) =>
    execFileSync('tar', ['-tzf', path.join(tarballs, name)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .sort()
  const [root, platform] = fs.readdirSync(tarballs).sort((a, b) => a.length - b.length)
  assert.deepEqual(
    list(root).map((name) => name.replace('package/', '')),
    [
      'CHANGELOG.md',
      'LICENSE',
      'PLATFORM.md',
      'README.md',
      'SECURITY.md',
      'THIRD_PARTY_LICENSES.md',
      'addon.js',
      'index.d.ts',
      'index.js',
      'main/authority.d.ts',
      'main/authority.js',
      'main/call-options.js',
      'main/clock.js',
      'main/conformance/check.js',
      'main/conformance/host.js',
      'main/conformance/session.js',
      'main/conformance/voice.js',
      'main/hosts/aborted.js',
      'main/hosts/answers.js',
      'main/hosts/arguments.js',
      'main/hosts/asked-question.js',
      'main/hosts/claude-question.js',
      'main/hosts/claude.d.ts',
      'main/hosts/claude.js',
      'main/hosts/client.js',
      'main/hosts/codex-message.js',
      'main/hosts/codex-messages.js',
      'main/hosts/codex-question.js',
      'main/hosts/codex-requests.js',
      'main/hosts/codex.d.ts',
      'main/hosts/codex.js',
      'main/hosts/connect.js',
      'main/hosts/deadline.js',
      'main/hosts/discreet.js',
      'main/hosts/failure.js',
      'main/hosts/hand-over.js',
      'main/hosts/journal.js',
      'main/hosts/local-host.js',
      'main/hosts/local.d.ts',
      'main/hosts/local.js',
      'main/hosts/lock.js',
      'main/hosts/mcp-form.js',
      'main/hosts/mcp.d.ts',
      'main/hosts/mcp.js',
      'main/hosts/newest.js',
      'main/hosts/on-session.js',
      'main/hosts/opencode-entry.js',
      'main/hosts/opencode-events.js',
      'main/hosts/opencode-question.js',
      'main/hosts/opencode-requests.js',
      'main/hosts/opencode-server.js',
      'main/hosts/opencode.d.ts',
      'main/hosts/opencode.js',
      'main/hosts/opening.js',
      'main/hosts/openings.d.ts',
      'main/hosts/openings.js',
      'main/hosts/pi-arguments.js',
      'main/hosts/pi-ask.mjs',
      'main/hosts/pi-calls.js',
      'main/hosts/pi-connection.js',
      'main/hosts/pi-dialogs.js',
      'main/hosts/pi-form.js',
      'main/hosts/pi-inside.js',
      'main/hosts/pi-question.js',
      'main/hosts/pi-state.js',
      'main/hosts/pi-told.js',
      'main/hosts/pi-verdict.js',
      'main/hosts/pi.d.ts',
      'main/hosts/pi.js',
      'main/hosts/port.js',
      'main/hosts/provenance.js',
      'main/hosts/received.js',
      'main/hosts/serve.js',
      'main/hosts/settlements.js',
      'main/hosts/shown.js',
      'main/hosts/untold.js',
      'main/hosts/watchers.js',
      'main/live-call.d.ts',
      'main/live-call.js',
      'main/message.js',
      'main/missed.js',
      'main/mistake.js',
      'main/own.js',
      'main/planning.js',
      'main/runner.js',
      'main/session-use.js',
      'main/sessions/pi-session.js',
      'main/sessions/pi.d.ts',
      'main/sessions/pi.js',
      'main/signal.js',
      'main/testing.d.ts',
      'main/testing.js',
      'main/turn.js',
      'main/under-way.js',
      'main/warn.js',
      'main/watch.js',
      'package.json',
    ],
  )
  assert.deepEqual(
    list(platform).map((name) => name.replace('package/', '')),
    [
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES.md',
      'package.json',
      `spoken-answer.${PLATFORM}.node`,
    ],
  )
  fs.writeFileSync(path.join(app, 'package.json'), '{"private":true}')
  const files = [root, platform].map((name) => path.join(tarballs, name))
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...files], {
    cwd: app,
    env: withoutRust(),
  })
  return path.join(app, 'node_modules')
}

function withoutRust() {
  const folders = process.env.PATH.split(':').filter(
    (folder) => !fs.existsSync(path.join(folder, 'cargo')),
  )
  return { PATH: folders.join(':') }
}

/** The package from each kind of program. */
function use(app) {
  const program = `
const question = { inputId: 'i', sessionId: 's', questions: [{ question: 'q', options: ['a', 'b'] }] }
const verdict = validateAnswer(question, '[{"questionIndex":0,"options":["b"]}]')
if (verdict.status !== 'accepted' || verdict.answers[0]?.[0] !== 'b') throw new Error(JSON.stringify(verdict))
if (new SpokenQuestion(question).feedback().next !== null) throw new Error('pages')
const plan = planTurn({ lane: 'voice', binding: null }, parseGrants([]).grants)
if (plan.plan !== 'refused') throw new Error(plan.plan)
console.log('package: used from', import_kind)
`
  const as = (kind) => program.replace('import_kind', `'${kind}'`)
  const required = `const { SpokenQuestion, validateAnswer } = require('spoken-answer')
const { parseGrants, planTurn } = require('spoken-answer/authority')
`
  const imported = `import { SpokenQuestion, validateAnswer } from 'spoken-answer'
import { parseGrants, planTurn } from 'spoken-answer/authority'
`
  const files = {
    'use.cjs': `${required}${as('CommonJS')}`,
    'use.mjs': `${imported}${as('ESM')}`,
    'use.mts': `${imported}${as('TypeScript')}`,
    'use.cts': `import spoken = require('spoken-answer')
import authority = require('spoken-answer/authority')
const { SpokenQuestion, validateAnswer } = spoken
const { parseGrants, planTurn } = authority
${as('TypeScript, CommonJS')}`,
  }
  for (const [name, content] of Object.entries(files))
    fs.writeFileSync(path.join(app, name), content)
  const options = [
    '--strict',
    '--module',
    'node16',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--skipLibCheck',
    'false',
  ]
  run(process.execPath, [typescript, ...options, '--outDir', 'out', 'use.mts', 'use.cts'], {
    cwd: app,
  })
  for (const name of ['use.cjs', 'use.mjs', 'out/use.mjs', 'out/use.cjs']) {
    run(process.execPath, [name], { cwd: app, env: withoutRust() })
  }
}
