import { Refused } from '@crm/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityTagOf, isMatched, readEntityTags } from './entity-tag.ts';

describe('an entity tag', () => {
  it('is a quoted text that depends on every character', () => {
    expect(entityTagOf('{"id":1}')).toMatch(/^"[\w-]{22}"$/);
    expect(entityTagOf('{"id":1}')).toBe(entityTagOf('{"id":1}'));
    expect(entityTagOf('{"id":1}')).not.toBe(entityTagOf('{"id":2}'));
  });

  it.each([
    ['*', 'any'],
    [' * ', 'any'],
    ['"a"', ['"a"']],
    ['"a", W/"b" ,"c,d"', ['"a"', 'W/"b"', '"c,d"']],
    [',"a",, "b",', ['"a"', '"b"']],
    ['""', ['""']],
    ['"é"', ['"é"']],
  ])('is read from %s', (value, tags) => {
    expect(readEntityTags('If-Match', value)).toEqual(tags);
  });

  it.each([
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    'w/"a"',
    'W/a',
    '*, "a"',
    '"a", *',
    '"a\tb"',
    '"a";"b"',
  ])('is refused in %j with an error that names the header', (value) => {
    let error: unknown;
    try {
      readEntityTags('If-None-Match', value);
    } catch (refused) {
      error = refused;
    }
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ name: 'BadRequest', errors: { 'If-None-Match': expect.any(String) } });
  });

  it('that was sent in a list is found in it again, whatever stands around it', () => {
    const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.stringMatching(/^[!#-~]{0,5}$/));
    const blank = fc.constantFrom('', ' ', '\t', ',');
    fc.assert(
      fc.property(fc.array(fc.tuple(blank, tag, blank), { minLength: 1, maxLength: 6 }), (parts) => {
        const tags = parts.map(([, [weak, text]]) => `${weak}"${text}"`);
        const value = parts.map(([before, , after], index) => `${before}${tags[index]}${after}`).join(',');
        expect(readEntityTags('If-Match', value)).toEqual(tags);
      }),
    );
  });

  it.each([
    ['any', true],
    [['"b"', '"a"'], true],
    [['W/"a"'], true],
    [['"b"', 'W/"b"'], false],
    [['"W/a"'], false],
    [['"b-gzip"', '"a-gzip"'], true],
    [['W/"a-gzip"'], true],
    [['"a-br"'], true],
    [['"a-zstd"'], true],
    [['"a-gzip-gzip"'], false],
    [['"a-gzip'], false],
    [['"a-b"'], false],
    [['"-gzip"'], false],
  ] as const)('is found among %j: %s, also after a proxy has changed it', (tags, expected) => {
    expect(isMatched(tags, '"a"')).toBe(expected);
  });

  it('that ends like that of a proxy is found as it is', () => {
    expect(isMatched(['"a-gzip"'], '"a-gzip"')).toBe(true);
    expect(isMatched(['"a"'], '"a-gzip"')).toBe(false);
  });
});
