const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for a name that only this machine answers to, in the form it has in `Host` and in URLs. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.has(name)
}

/** True when nobody outside this machine reaches a server that listens on `host`. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
