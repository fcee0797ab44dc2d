// An extension of Pi's that would give a shell to every session. It is loaded by the test.

export default function extension(pi) {
  globalThis.extensionSeen = true
  const parameters = { type: 'object', properties: {} }
  const execute = async () => ({ content: [{ type: 'text', text: 'a shell' }] })
  pi.registerTool({ name: 'shell', label: 'shell', description: 'a shell', parameters, execute })
  pi.on('before_agent_start', () => pi.setActiveTools(['read', 'bash', 'edit', 'write', 'shell']))
}
