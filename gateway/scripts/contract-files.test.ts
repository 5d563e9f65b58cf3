import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractFiles } from './contract-files.ts';

describe('the documents of contracts', () => {
  it('match the contracts as committed, one for each service', () => {
    const files = contractFiles();
    const services = readdirSync(new URL('../../services', import.meta.url));
    expect(files.map(({ name }) => name).sort()).toEqual(
      services.map((name) => `services/${name}/contract.json`).sort(),
    );
    for (const { name, text } of files)
      expect(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'), name).toBe(text);
  });
});
