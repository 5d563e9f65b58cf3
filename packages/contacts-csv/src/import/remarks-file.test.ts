import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openRemarksFile } from './remarks-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-remarks-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => readdirSync(folder).forEach((name) => void rmSync(join(folder, name))));

const path = join(folder, 'people.csv.errors.csv');
const columns = { count: 1, used: [], unused: [], headers: ['email'] };
const form = { columns, delimiter: ',' };

/** Writes the errors of an import. */
function imported(...mails: readonly string[]): void {
  const file = openRemarksFile(path, form);
  for (const [index, mail] of mails.entries())
    file.add({ line: index + 2, cells: [mail], end: 0, endLine: 0 }, [
      { line: index + 2, column: 'email', reason: 'is no address' },
    ]);
  file.close();
}
const textsIn = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

describe('the file of errors of an earlier import', () => {
  it('is kept under another name when somebody has fixed it', () => {
    imported('a', 'b');
    const repaired = 'email\na@example.com\n';
    writeFileSync(path, repaired);
    imported('a');
    expect(readFileSync(path, 'utf8')).toBe('\ufeffemail,line,reason\na,2,email: is no address\n');
    expect(textsIn()).toContain(repaired);
    expect(readdirSync(folder).every((name) => name.endsWith('.csv'))).toBe(true);
  });

  it('is kept when an import has no errors, and no file that looks like new errors remains in its place', () => {
    imported('a');
    const [before] = textsIn();
    imported();
    expect(textsIn()).toEqual([before]);
    expect(readdirSync(folder)).not.toContain('people.csv.errors.csv');
  });

  it('is replaced by identical content', () => {
    imported('a');
    imported('a');
    expect(readdirSync(folder)).toEqual(['people.csv.errors.csv']);
  });
});
