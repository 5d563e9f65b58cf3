import { find, id, operation, pageOf, type Refused } from '@crm/contract';
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

describe('the error of a list', () => {
  it.each(['nmae', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])('names %s', (name) => {
    const { errors, message } = refused({ [name]: '1' });
    expect(errors).toMatchObject({ [name]: expect.stringContaining(`Unknown field "${name}".`) });
    expect(message).toContain(`Unknown field "${name}".`);
  });
});
