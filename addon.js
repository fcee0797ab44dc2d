'use strict'
// Loads the addon: the file built beside this one, else the one package for this platform. No
// environment variable is read and no process is started to find it.

/** One literal `require` per target, so that bundlers and packagers see what may be loaded. */
const TARGETS = {
  'darwin-arm64': {
    name: 'spoken-answer-darwin-arm64',
    beside: () => require('./spoken-answer.darwin-arm64.node'),
    packaged: () => require('spoken-answer-darwin-arm64'),
  },
  'darwin-x64': {
    name: 'spoken-answer-darwin-x64',
    beside: () => require('./spoken-answer.darwin-x64.node'),
    packaged: () => require('spoken-answer-darwin-x64'),
  },
  'linux-arm64': {
    name: 'spoken-answer-linux-arm64-gnu',
    beside: () => require('./spoken-answer.linux-arm64-gnu.node'),
    packaged: () => require('spoken-answer-linux-arm64-gnu'),
  },
  'linux-x64': {
    name: 'spoken-answer-linux-x64-gnu',
    beside: () => require('./spoken-answer.linux-x64-gnu.node'),
    packaged: () => require('spoken-answer-linux-x64-gnu'),
  },
  'win32-arm64': {
    name: 'spoken-answer-win32-arm64-msvc',
    beside: () => require('./spoken-answer.win32-arm64-msvc.node'),
    packaged: () => require('spoken-answer-win32-arm64-msvc'),
  },
  'win32-x64': {
    name: 'spoken-answer-win32-x64-msvc',
    beside: () => require('./spoken-answer.win32-x64-msvc.node'),
    packaged: () => require('spoken-answer-win32-x64-msvc'),
  },
}

function load() {
  const platform = `${process.platform}-${process.arch}`
  const target = Object.hasOwn(TARGETS, platform) ? TARGETS[platform] : undefined
  if (target === undefined) {
    throw new Error(
      `spoken-answer has no build for ${platform}; it runs on ${Object.keys(TARGETS).join(', ')}`,
    )
  }
  try {
    return target.beside()
  } catch (cause) {
    if (cause?.code !== 'MODULE_NOT_FOUND') throw notLoaded(platform, target.name, cause)
  }
  try {
    return target.packaged()
  } catch (cause) {
    throw notLoaded(platform, target.name, cause)
  }
}

function notLoaded(platform, name, cause) {
  const [first] = `${cause?.message}`.split('\n')
  const why =
    cause?.code === 'MODULE_NOT_FOUND'
      ? `its package ${name} is not installed, or its file was not packed with the app (${first}). Install spoken-answer on this platform, with optional dependencies`
      : `${name}: ${first}`
  return new Error(`spoken-answer could not be loaded on ${platform}: ${why}`, { cause })
}

module.exports = load()
