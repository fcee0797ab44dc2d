'use strict'
// The entry `spoken-answer/authority`: who a turn acts for, what it may do, and running it. An app
// that only answers questions never meets it.

const { TURN_CODES } = require('../addon.js')
const { frameTurn } = require('./message.js')
const { SpeakerBindings, parseGrants, planTurn } = require('./planning.js')
const { runTurn } = require('./turn.js')

module.exports = { SpeakerBindings, TURN_CODES, frameTurn, parseGrants, planTurn, runTurn }
