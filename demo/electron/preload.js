'use strict'
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('host', {
  onEvent: (listener) => ipcRenderer.on('host-event', (_, event) => listener(event)),
  onPending: (listener) => ipcRenderer.on('pending', (_, pending) => listener(pending)),
  answer: (inputId, answers) => ipcRenderer.invoke('answer', inputId, answers),
})
