const stop = ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit'];
const start = ['start', 'unstop'];

/** Whether a whole text asks for no more texts, or for texts again. */
export function optOut(text: string): 'stop' | 'start' | undefined {
  const word = text.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '').toLowerCase();
  if (stop.includes(word)) return 'stop';
  return start.includes(word) ? 'start' : undefined;
}
