import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventDocuments } from './event-documents.ts';

describe('the documents of events', () => {
  it('are committed as the services are', async () => {
    const documents = await eventDocuments();
    expect(documents.map(({ name }) => name)).toEqual(['ARCHITECTURE.md', 'packages/events/asyncapi.json']);
    for (const { file, text } of documents) expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('name every service that consumes an event, with what it does', async () => {
    const [architecture, asyncApi] = (await eventDocuments()).map(({ text }) => text);
    expect(architecture).toContain(
      '| `identity.user.created` | An account was made | contacts: gives it the usual contact sources; leads-routing: gives it the usual lead sources |\n',
    );
    expect(JSON.parse(asyncApi ?? '').operations).toMatchObject({
      'identity publishes identity.user.created': { action: 'send' },
      'contacts consumes identity.user.created': {
        action: 'receive',
        summary: 'gives it the usual contact sources',
      },
    });
  });
});
