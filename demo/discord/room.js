'use strict'
// One agent in a Discord room: everybody may talk to it, in voice and in text. Whoever is on the list
// reaches the machine, for one turn at a time; nothing that anybody else says ever does.

const { SpeakerBindings, parseGrants, planTurn, runTurn } = require('spoken-answer/authority')

function openRoom({ room, gateway, provider, sessions, readSettings, log }) {
  const bindings = new SpeakerBindings() // One for each connection to the provider.
  const lines = [] // What was said lately, for a turn that begins with nothing.

  /** The list as it is now: whoever was taken off it has no further turn with tools. */
  function grants() {
    const { systemActorUserIds } = readSettings()
    const read = parseGrants(systemActorUserIds, process.env.DISCORD_SYSTEM_ACTOR_USER_IDS)
    for (const error of read.errors) log({ error })
    return read.grants
  }

  function said(speaker, text) {
    const context = lines.slice(-30)
    lines.push({ speaker, text })
    return context
  }

  // Discord says whose audio it is. Who is answered is decided here, when the floor is.
  gateway.onUtterance(({ userId, name, text }) => {
    const context = said(name, text)
    const bindingId = bindings.reserve({ id: userId, utterance: text })
    provider.createResponse({ metadata: { bindingId }, text, name, context })
  })
  provider.onResponse('created', ({ id, metadata }) => bindings.attach(metadata.bindingId, id))
  for (const end of ['rejected', 'cancelled']) {
    provider.onResponse(end, ({ metadata }) => bindings.release(metadata.bindingId))
  }

  // The provider asks for something. Whom it acts for is never in the arguments.
  provider.onFunctionCall(async ({ responseId, args, name, context }) => {
    const binding = bindings.take(responseId)
    const plan = planTurn({ lane: 'voice', binding }, grants())
    const utterance = binding?.utterance || null
    const message = { speaker: name, request: args.request, utterance, context }
    const say = (text) => provider.speak(text)
    log(await runTurn({ plan, room, message, sessions, say }))
  })

  gateway.onMessage(async ({ userId, name, content }) => {
    const context = said(name, content)
    const plan = planTurn({ lane: 'text', actorId: userId }, grants())
    const message = { speaker: name, request: content, utterance: content, context }
    const say = (text) => gateway.reply(text)
    log(await runTurn({ plan, room, message, sessions, say }))
  })

  return { close: () => bindings.close() }
}

module.exports = { openRoom }
