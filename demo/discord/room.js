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

  function said(userId, text) {
    lines.push({ speaker: gateway.nameOf(userId), text, actorId: userId })
    if (lines.length > 30) lines.shift()
  }

  /** Runs a turn and says how it ended. The list is read once more before anything is prompted. */
  async function run(plan, message, say) {
    const withContext = { ...message, context: lines }
    log(await runTurn({ plan, room, message: withContext, sessions, say, grants }))
  }

  // Discord says whose audio it is. Who is answered is decided here, when the floor is.
  gateway.onUtterance(({ userId, text }) => {
    said(userId, text)
    const bindingId = bindings.reserve({ id: userId, utterance: text })
    provider.createResponse({ metadata: { bindingId }, text })
  })
  provider.onResponse('created', ({ id, metadata }) => bindings.attach(metadata?.bindingId, id))
  for (const end of ['rejected', 'cancelled']) {
    provider.onResponse(end, ({ metadata }) => bindings.release(metadata?.bindingId))
  }

  // The provider asks for something. Whom it acts for is never in the arguments.
  provider.onFunctionCall(({ responseId, args }) => {
    const binding = bindings.take(responseId)
    const plan = planTurn({ lane: 'voice', binding }, grants())
    const speaker = binding ? gateway.nameOf(binding.actorId) : 'somebody'
    const utterance = binding?.utterance || null
    return run(plan, { speaker, request: args?.request, utterance }, provider.speak)
  })

  gateway.onMessage(({ userId, content }) => {
    said(userId, content)
    const plan = planTurn({ lane: 'text', actorId: userId }, grants())
    const speaker = gateway.nameOf(userId)
    return run(plan, { speaker, request: content, utterance: content }, gateway.reply)
  })

  return { close: () => bindings.close() }
}

module.exports = { openRoom }
