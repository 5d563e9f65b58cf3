declare global {
  var crmProcessEnding: AsyncDisposableStack | undefined;
}

/**
 * Cleanup for the end of the process that runs test files. It is global because the test environment and the tests do
 * not share modules.
 */
export function processEnding(): AsyncDisposableStack {
  globalThis.crmProcessEnding ??= new AsyncDisposableStack();
  return globalThis.crmProcessEnding;
}
