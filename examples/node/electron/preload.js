/** The functions of the main process that the page may call. */

const { contextBridge, ipcRenderer } = require("electron");

contextBridge.exposeInMainWorld("speech", {
  begin: (request) => ipcRenderer.invoke("speech:begin", request),
  next: (id) => ipcRenderer.invoke("speech:next", id),
  stop: (id) => ipcRenderer.invoke("speech:stop", id),
});
