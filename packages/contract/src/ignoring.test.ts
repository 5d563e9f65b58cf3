import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { creating } from './ignoring.ts';
import { text } from './index.ts';

const Draft = creating(z.object({ name: text(45), rank: z.int().optional() }));

describe('a new record', () => {
  it.each([null, ''])('is created without an optional field whose value is %j', (value) => {
    expect(Draft.parse({ name: 'Hot', rank: value })).toEqual({ name: 'Hot' });
  });

  it.each(['toString', 'constructor', 'valueOf', '__proto__', 'shape'])(
    'ignores a field named %s like any other unknown one',
    (name) => {
      for (const value of ['null', '""', '1'])
        expect(Draft.parse(JSON.parse(`{ "name": "Hot", "${name}": ${value} }`))).toEqual({ name: 'Hot' });
    },
  );
});
