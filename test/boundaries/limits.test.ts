import { expect, it } from 'vitest';
import { repositoryFiles, textOf } from './sources.ts';
import { longFunctionsOf } from './syntax.ts';

const files = repositoryFiles(/\.ts$/);

/** Why a file may have longer functions. */
const exceptions: readonly { files: RegExp; reason: string }[] = [
  {
    files: /^services\/[\w-]+\/src\/migrations\//,
    reason: 'The tables of a migration are read in order, and it never changes.',
  },
];

it('files have at most 200 lines, and tests at most 300', () => {
  expect(files.length).toBeGreaterThan(500);
  const linesOf = (file: string) => textOf(file).trimEnd().split('\n').length;
  const limitOf = (file: string) => (file.endsWith('.test.ts') ? 300 : 200);
  const long = files.filter((file) => linesOf(file) > limitOf(file));
  expect(long.map((file) => `${file} has ${linesOf(file)} lines`)).toEqual([]);
});

it('functions have at most 40 lines', () => {
  const long = files.flatMap((file) =>
    longFunctionsOf(file, 40).map(({ name, lines }) => ({
      file,
      text: `${file}: ${name} has ${lines} lines`,
    })),
  );
  const isExcepted = (file: string) => exceptions.some((exception) => exception.files.test(file));
  expect(long.filter(({ file }) => !isExcepted(file)).map(({ text }) => text)).toEqual([]);
  const unused = exceptions.filter((exception) => !long.some(({ file }) => exception.files.test(file)));
  expect(unused).toEqual([]);
});
