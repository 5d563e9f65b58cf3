/** How tRPC transmits a result. */
const [before, after] = ['{"result":{"data":', '}}'];

/** The response of tRPC with a result that is JSON text already. */
export const resultText = (json: string): string => before + json + after;

/** The result in a response of tRPC as JSON text, without parsing it. Undefined for any other response. */
export function jsonOfResult(response: string): string | undefined {
  return response.startsWith(before) && response.endsWith(after)
    ? response.slice(before.length, -after.length)
    : undefined;
}
