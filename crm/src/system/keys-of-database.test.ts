import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { keepKeysOfDatabase } from './keys-of-database.ts';
import { ensureSecrets, keysFile, rotateKey } from './secrets.ts';
import { stores } from './stores.ts';

/** A data folder with keys of its own. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  ensureSecrets({}, folder);
  return folder;
}

async function newDatabase(): Promise<string> {
  const database = await freshDatabase([]);
  onTestFinished(database.drop);
  return database.adminUrl;
}

it('a database is used only with the keys with which it was started first, also after they were replaced', async () => {
  const [url, own, other] = [await newDatabase(), newFolder(), newFolder()];
  // Before the first migration there is nothing that keys could belong to.
  await keepKeysOfDatabase(url, own);
  await migrate(url, stores.identity);
  await keepKeysOfDatabase(url, own);
  rotateKey(own, 'claim-key');
  await keepKeysOfDatabase(url, own);
  await expect(keepKeysOfDatabase(url, other)).rejects.toThrow(
    `The keys in ${join(other, keysFile)} do not belong to this database`,
  );
  await keepKeysOfDatabase(url, own);
});

it('keys that an earlier release has stored belong to the database with which they are used', async () => {
  const [url, own, other] = [await newDatabase(), newFolder(), newFolder()];
  await migrate(url, stores.identity);
  const file = join(own, keysFile);
  const { 'keys-id': _, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  for (const _start of ['the first after the upgrade', 'one with keys that were saved before it']) {
    writeFileSync(file, JSON.stringify(earlier));
    ensureSecrets({}, own);
    await keepKeysOfDatabase(url, own);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(earlier);
    await expect(keepKeysOfDatabase(url, other)).rejects.toThrow('do not belong to this database');
  }
});
