import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventDocuments } from './event-documents.ts';

describe('the documents of events', () => {
  it('are up to date', async () => {
    const documents = await eventDocuments();
    expect(documents.map(({ name }) => name)).toEqual(['ARCHITECTURE.md', 'packages/events/asyncapi.json']);
    for (const { file, text } of documents) expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('list every service that consumes an event, with the effect', async () => {
    const [architecture, asyncApi] = (await eventDocuments()).map(({ text }) => text);
    expect(architecture).toMatch(
      /^\| `contacts\.contact\.removed` \| .+ \| scheduling: .+; campaigns-templates: .+ campaigns? .*\|$/m,
    );
    expect(JSON.parse(asyncApi ?? '').operations).toMatchObject({
      'identity publishes identity.user.created': { action: 'send' },
      'contacts consumes identity.user.created': {
        action: 'receive',
        summary: expect.stringContaining('contact sources'),
      },
    });
  });
});
