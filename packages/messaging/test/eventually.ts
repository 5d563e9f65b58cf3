import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a value meets the condition, and fails with the last value if it never does. */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  isExpected: (value: Value) => boolean,
  ms = 25_000,
): Promise<Value> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await read();
    if (isExpected(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`The value is still ${JSON.stringify(value)} after ${ms} ms.`);
    await sleep(20);
  }
}
