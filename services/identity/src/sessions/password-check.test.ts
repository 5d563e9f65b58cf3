import { describe, expect, it } from 'vitest';
import { noPassword } from '../users/password.ts';
import { fairSlots } from './fair-slots.ts';
import { passwordAttempts } from './password-attempts.ts';
import { passwordCheck } from './password-check.ts';

describe('checking a password', () => {
  it('takes the same work for an unknown user and for one without a password', async () => {
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
    expect(await matches('right', noPassword)).toBe(false);
    expect(compared).toEqual([
      ['right', 'of Ada'],
      ['wrong', 'of Ada'],
      ['right', 'of nobody'],
      ['right', 'of nobody'],
    ]);
  });

  it('works again after its first hash has failed', async () => {
    const hashes = [Promise.reject(new Error('no memory')), Promise.resolve('of nobody')];
    const matches = passwordCheck({
      hashPassword: () => hashes.shift() ?? Promise.reject(new Error('hashed again')),
      isPassword: async (_, hash) => hash === 'of Ada',
    });
    await expect(matches('right', 'of Ada')).rejects.toThrow('no memory');
    expect(await matches('right', 'of Ada')).toBe(true);
    expect(await matches('right', undefined)).toBe(false);
  });

  it('takes turns between networks, and is refused for a network with too many waiting checks', async () => {
    const inTurn = fairSlots({ atOnce: 2, waitingOfNetwork: 3, waitingOfAll: 4 });
    const done: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = (network: string, n: number) =>
      inTurn(network, () => promise.then(() => done.push(`${network}${n}`)));
    const eve = [1, 2, 3, 4, 5, 6].map((n) => begin('eve', n));
    const ada = begin('ada', 1);
    expect(await eve[5]).toBe('too many');
    expect(await begin('bob', 1)).toBe('too many');
    resolve();
    await Promise.all([...eve, ada]);
    expect(done).toEqual(['eve1', 'eve2', 'eve3', 'ada1', 'eve4', 'eve5']);
    await expect(inTurn('eve', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await Promise.all([begin('eve', 7), begin('eve', 8)]);
    expect(done.slice(6)).toEqual(['eve7', 'eve8']);
  });
});

it('hashing new passwords takes turns between networks, and is refused for one with too many waiting', async () => {
  const { hash } = passwordAttempts();
  const from = (address: string) => hash({ address, headers: {} }, 'long enough');
  const eve = Array.from({ length: 20 }, () => from('198.51.100.1'));
  expect(await from('198.51.100.2')).toMatch(/^\$argon2id/);
  const outcomes = await Promise.all(eve);
  expect(outcomes.filter((outcome) => outcome === 'too many')).toHaveLength(8);
});
