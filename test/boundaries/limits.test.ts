import { expect, it } from 'vitest';
import { repositoryFiles, textOf } from './sources.ts';
import { longFunctionsOf } from './syntax.ts';

const files = repositoryFiles(/\.ts$/);

interface Exception {
  readonly files: RegExp;
  readonly reason: string;
}

/** Why a file may be longer. */
const longFiles: readonly Exception[] = [
  {
    files: /^test\/(contract\/fields|(fields|http|lists)\.test)\.ts$/,
    reason: 'What is generated for every resource over one started system; each start costs seconds.',
  },
];

/** Why a file may have longer functions. */
const longFunctions: readonly Exception[] = [
  {
    files: /^services\/[\w-]+\/src\/migrations\//,
    reason: 'The tables of a migration are read in order, and it never changes.',
  },
  {
    files: /^packages\/delivery\/src\/mail-server\.ts$/,
    reason: 'One SMTP connection pool with the callbacks that its options need.',
  },
  {
    files: /^(test|(packages|services)\/[\w-]+\/test)\//,
    reason: 'What a test starts is one closure over what it has to stop.',
  },
];

const isComment = /^\s*(\/\/|\/?\*|-- )/;

const isExcepted = (exceptions: readonly Exception[], file: string) =>
  exceptions.some(({ files }) => files.test(file));

/** Exceptions that nothing needs. */
const unusedAmong = (exceptions: readonly Exception[], long: readonly string[]) =>
  exceptions.filter(({ files }) => !long.some((file) => files.test(file)));

it('files have at most 200 lines, and tests at most 300', () => {
  expect(files.length).toBeGreaterThan(500);
  const linesOf = (file: string) => textOf(file).trimEnd().split('\n').length;
  const limitOf = (file: string) => (file.endsWith('.test.ts') ? 300 : 200);
  const long = files.filter((file) => linesOf(file) > limitOf(file));
  const offending = long.filter((file) => !isExcepted(longFiles, file));
  expect(offending.map((file) => `${file} has ${linesOf(file)} lines`)).toEqual([]);
  expect(unusedAmong(longFiles, long)).toEqual([]);
});

it('comments have at most 130 columns', () => {
  const wide = files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (line.length > 130 && isComment.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

it('functions have at most 40 lines', () => {
  const long = files.flatMap((file) =>
    longFunctionsOf(file, 40).map(({ name, lines }) => ({
      file,
      text: `${file}: ${name} has ${lines} lines`,
    })),
  );
  const offending = long.filter(({ file }) => !isExcepted(longFunctions, file));
  expect(offending.map(({ text }) => text)).toEqual([]);
  const found = long.map(({ file }) => file);
  expect(unusedAmong(longFunctions, found)).toEqual([]);
});
