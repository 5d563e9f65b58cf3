/** The value of a text of JSON; undefined if it is none, since a provider may answer with anything. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
