import { describe, expect, it } from 'vitest';
import { atMost } from './at-most.ts';
import { passwordCheck } from './password-check.ts';

describe('checking a password', () => {
  it('is the same work for an unknown user', async () => {
    const compared: [string, string][] = [];
    const matches = passwordCheck({
      hashPassword: async () => 'of nobody',
      isPassword: async (typed, hash) => {
        compared.push([typed, hash]);
        return typed === 'right' && hash === 'of Ada';
      },
    });
    expect(await matches('right', 'of Ada')).toBe(true);
    expect(await matches('wrong', 'of Ada')).toBe(false);
    expect(await matches('right', undefined)).toBe(false);
    expect(compared).toEqual([
      ['right', 'of Ada'],
      ['wrong', 'of Ada'],
      ['right', 'of nobody'],
    ]);
  });

  it('is refused above the limit of checks at once, and accepted again afterwards', async () => {
    const turnstile = atMost(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = async () => promise.then(() => 'done');
    const both = [turnstile(work), turnstile(work)];
    expect(await turnstile(work)).toBe('too many');
    resolve();
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    await expect(turnstile(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turnstile(work)).toBe('done');
  });
});
