import { readFile } from 'node:fs/promises';
import { publishersOf } from '@crm/messaging';
import { describe, expect, it } from 'vitest';
import { readsEventsOf, serviceNames } from '../src/system/services.ts';
import { subscriptionsOf } from '../src/system/stores.ts';
import { eventDocuments, everyConsumer } from './event-documents.ts';

describe('the documents of events', () => {
  it('are up to date', async () => {
    const documents = await eventDocuments();
    expect(documents.map(({ name }) => name)).toEqual(['ARCHITECTURE.md', 'packages/events/asyncapi.json']);
    for (const { file, text } of documents) expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('list every service that consumes an event, with its effect', async () => {
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

describe('a broker user', () => {
  it.each(serviceNames)('reads what %s subscribes to, and no more', (name) => {
    const own = everyConsumer().filter(({ service }) => service === name);
    expect([...readsEventsOf[name]].sort()).toEqual(publishersOf(own).sort());
    // The subscriptions that `crm verify` compares.
    expect(subscriptionsOf[name].map(({ event }) => event.name)).toEqual(own.map(({ event }) => event.name));
  });
});
