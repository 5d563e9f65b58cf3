import { inWords, listingOf, type Operation } from '@crm/contract';
import { contracts, errorCodes, errorGuide, routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allSources, sources, textOf } from './sources.ts';

const files = sources(...allSources);

/** The errors that the sources declare, by the name under which they are thrown. */
const declared = files.flatMap((file) =>
  [...textOf(file).matchAll(/const (\w+) = refusal\([\s\S]*?reason: '(\w+)'/g)].map(
    ([, name = '', reason = '']) => ({ file, name, reason }),
  ),
);
const reasonsOf = (entries: readonly { readonly reason: string }[]) =>
  entries.map(({ reason }) => reason).sort();

/** Those of invalid fields, which schemas and handlers name. */
const ofFields = errorCodes.filter(({ message }) => message === undefined);

describe('the error codes', () => {
  it('are all explained, each under a name of its own', () => {
    expect(declared.length).toBeGreaterThan(30);
    const calls = files.flatMap((file) => [...textOf(file).matchAll(/= refusal\(/g)]);
    expect(calls).toHaveLength(declared.length);
    expect(reasonsOf(errorCodes)).toEqual(reasonsOf([...declared, ...ofFields]));
    expect(new Set(reasonsOf(errorCodes)).size).toBe(errorCodes.length);
    const headings = [...errorGuide().matchAll(/^### (\w+)$/gm)].map(([, reason]) => reason);
    expect(headings.sort()).toEqual(reasonsOf(errorCodes));
  });

  it('are all used', () => {
    const isContract = /^packages\/contract\/|\.api\.ts$|\/index\.ts$/;
    const code = files.filter((file) => !isContract.test(file)).map(textOf);
    const unused = declared.filter(({ name }) => {
      const use = new RegExp(`\\b${name}\\(|[:=] ${name}\\b`);
      return name !== 'notFound' && !code.some((text) => use.test(text));
    });
    expect(unused).toEqual([]);
    const all = files.map(textOf).join('\n');
    const unnamed = ofFields.filter(({ reason }) => !all.includes(`'${reason}'`));
    expect(ofFields.length).toBeGreaterThan(5);
    expect(unnamed).toEqual([]);
  });

  it('are explained in sentences', () => {
    // The interface has these words.
    const given = ['No access token', 'Invalid access token', 'Page not found'];
    const sentences = errorCodes.flatMap(({ when, fix, message = when }) => [when, fix, message]);
    const isSentence = (text: string) => /^[A-Z`].*[.`]$/.test(text);
    expect([...new Set(sentences.filter((text) => !isSentence(text)))].sort()).toEqual(given.sort());
    for (const { reason, given } of errorCodes) {
      expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(given ?? 'x', reason).not.toMatch(/[.]$/);
    }
  });
});

/** What may be sent to the operation of a request line, by name; undefined if there is none. */
function sendable(line: string): ReadonlySet<string> | undefined {
  const [method, url = ''] = line.split(' ');
  const [path = ''] = url.split('?');
  const found = routes.find(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
  if (!found) return undefined;
  const { input } = found.operation;
  const listing = listingOf(input);
  if (listing) return new Set([...Object.keys(listing.view.shape), ...Object.keys(listing.own.shape)]);
  return new Set(input instanceof z.ZodObject ? Object.keys(input.shape) : []);
}

/** The names of what an example sends, in its query and its body. */
function sentBy(example: string): string[] {
  const [line = '', ...rest] = example.split('\n');
  const query = line.split('?')[1]?.split('&') ?? [];
  const names = query.map((pair) => pair.replace(/[=[].*/, ''));
  return [...names, ...[...rest.join('\n').matchAll(/"(\w+)":/g)].map(([, name = '']) => name)];
}

describe('the examples of errors that no test can cause at will', () => {
  // The others are sent by the tests of the guides. Some are no requests of the public API.
  const examples = errorCodes
    .filter(({ given, example }) => given && !/^crm |\/trpc\//.test(example))
    .map(({ reason, example }) => ({ reason, example }));

  it.each(examples)('are requests that could be sent: $reason', ({ example }) => {
    const known = sendable(example.split('\n')[0] ?? '');
    expect(known, example).toBeDefined();
    expect(sentBy(example).filter((name) => !known?.has(name))).toEqual([]);
  });
});

/** The words of zod for what a schema has none of its own for. */
const wordsOfZod =
  /Invalid (input|option|key|string)|Too (big|small)|Unrecognized key|expected (string|number)/;

const junk = [
  ...[undefined, null, true, 1.5, -1, 1e12, '', 'x', 'x'.repeat(5_000), [], ['x'], {}, { x: 1 }],
  ...[Array.from({ length: 1_500 }, () => ({})), [null], [{ id: 'x' }], new Date(0)],
];

/** What a schema says about every wrong value, in each of its fields and in place of all of them. */
function wordsOf({ input }: Operation): string[] {
  const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : ['x', '$sort', '$limit', '$or'];
  const inputs = [...junk, ...fields.flatMap((field) => junk.map((value) => ({ [field]: value })))];
  return inputs.flatMap((sent) => {
    const issues = input.safeParse(sent, { error: inWords }).error?.issues ?? [];
    return issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  });
}

describe('the words for invalid values', () => {
  it('are those of the project, whatever is sent', () => {
    const operations = Object.values(contracts).flatMap((contract) =>
      Object.values(contract).flatMap((all) => Object.values(all).filter(({ web }) => !web)),
    );
    const words = new Set(operations.flatMap(wordsOf));
    expect(words.size).toBeGreaterThan(500);
    const isOurs = / (must|is|has|cannot|needs|may|'.*' does) |^\S* ?[A-Z`].*[.?]$| is required$/;
    expect([...words].filter((text) => wordsOfZod.test(text))).toEqual([]);
    expect([...words].filter((text) => !isOurs.test(text))).toEqual([]);
  });
});
