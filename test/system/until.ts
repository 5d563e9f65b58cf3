import { vi } from 'vitest';

/** What is found once there is something, for longer than any expected effect takes. */
export const until = <Found>(find: () => Found | Promise<Found>) =>
  vi.waitUntil(find, { timeout: 25_000, interval: 25 });
