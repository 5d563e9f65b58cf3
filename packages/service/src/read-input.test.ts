import { find, id, operation, pageOf, type Refused, refusing } from '@crm/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readInput } from './read-input.ts';

const View = z.object({ id, name: z.string() });
const list = operation({ rest: 'GET /things', summary: 'List', input: find(View), output: pageOf(View) });

function refused(raw: unknown): Refused {
  try {
    readInput(list, raw, false);
  } catch (error) {
    return error as Refused;
  }
  return expect.fail('It was accepted.');
}

const Draft = z.object({ name: z.string() });
const add = operation({ rest: 'POST /things', summary: 'Add', input: Draft, output: View });

it('strict handling names unknown fields together with what else is wrong', () => {
  const both = () => readInput(add, { name: [], nmae: 'x' }, true);
  expect(both).toThrow(
    expect.objectContaining({
      errors: { nmae: expect.stringContaining('cannot be written'), name: expect.any(String) },
    }),
  );
  expect(() => readInput(add, { name: 'x', nmae: 'x' }, true)).toThrow('"nmae"');
  expect(readInput(add, { name: 'x', nmae: 'x' }, false)).toEqual({ name: 'x' });
  expect(readInput(add, { name: 'x' }, true)).toEqual({ name: 'x' });
});

it('strict handling keeps the reason why a field is refused in any case', () => {
  const refuser = refusing(Draft, (name) => (name === 'opt_out' ? 'must be set elsewhere' : undefined));
  const strictly = () => readInput({ ...add, input: refuser }, { name: 'x', opt_out: true }, true);
  expect(strictly).toThrow(expect.objectContaining({ errors: { opt_out: 'must be set elsewhere' } }));
});

describe('the error of a list', () => {
  it.each(['nmae', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])('names %s', (name) => {
    const { errors, message } = refused({ [name]: '1' });
    expect(errors).toMatchObject({ [name]: expect.stringContaining(`Unknown field "${name}".`) });
    expect(message).toContain(`Unknown field "${name}".`);
  });
});
