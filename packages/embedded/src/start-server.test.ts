import { describe, expect, it } from 'vitest';
import { greeted } from './start-server.ts';

const runs = { hasEnded: () => false, log: () => 'the log' };

describe('a server that starts', () => {
  it('may recover from a crash for longer than it may be unresponsive', async () => {
    const answers = [...Array.from({ length: 20 }, () => 'recovering' as const), { url: 'u', version: 'v' }];
    const kind = { name: 'Server', greet: async () => answers.shift() };
    expect(await greeted(kind, 0, runs, 100)).toEqual({ url: 'u', version: 'v' });
    expect(answers).toEqual([]);
  });

  it('is given up when it does not respond, or has exited', async () => {
    const kind = { name: 'Server', greet: async () => undefined };
    await expect(greeted(kind, 0, runs, 50)).rejects.toThrow('did not respond within 0.05 s');
    await expect(greeted(kind, 0, { ...runs, hasEnded: () => true }, 50)).rejects.toThrow(
      'ended while starting',
    );
  });
});
