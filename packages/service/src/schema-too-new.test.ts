import { freshDatabase } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const fresh = await freshDatabase([notesService.store]);
const url = fresh.urls.notes ?? '';
afterAll(fresh.drop);

it('a version works with a newer schema until that has lost what it uses, and then does not start', async () => {
  const running = await startNotes(url);
  const migrated = (name: string) =>
    running.database.query('insert into migrations (name) values ($1)', [name]);
  await migrated('9000-more-notes');
  await (await startNotes(url)).close();
  await migrated('9001-contract-note-texts');
  await expect(startNotes(url)).rejects.toThrow(
    'A newer version has migrated the schema "notes" (9001-contract-note-texts), which this version cannot use. Start that version, or a newer one.',
  );
  await running.close();
});
