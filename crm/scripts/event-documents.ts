import { readFile } from 'node:fs/promises';
import { allEvents } from '@crm/events';
import { asyncApiDocument, type EventConsumer, eventTable } from '@crm/events/documents';
import { readStartConfig } from '../src/start/start-config.ts';
import { definitionsOf } from '../src/system/definitions.ts';
import { secretsFrom } from '../src/system/secrets.ts';

export interface EventDocument {
  /** The path in the repository. */
  readonly name: string;
  readonly file: URL;
  readonly text: string;
}

/** The documents that describe the events between services, as they should be. */
export async function eventDocuments(): Promise<readonly EventDocument[]> {
  const root = new URL('../../', import.meta.url);
  const architecture = new URL('ARCHITECTURE.md', root);
  const consumers = everyConsumer();
  const table = eventTable(allEvents, consumers);
  const asyncApi = JSON.stringify(asyncApiDocument(allEvents, consumers), null, 2);
  return [
    {
      name: 'ARCHITECTURE.md',
      file: architecture,
      text: withTable(await readFile(architecture, 'utf8'), table),
    },
    {
      name: 'packages/events/asyncapi.json',
      file: new URL('packages/events/asyncapi.json', root),
      text: `${asyncApi}\n`,
    },
  ];
}

/** Every subscription of every service. */
export function everyConsumer(): EventConsumer[] {
  return Object.values(definitionsOf(secretsFrom('nobody', {}), noDelivery, undefined)).flatMap(
    ({ name, subscriptions }) => subscriptions.map(({ event, effect }) => ({ service: name, event, effect })),
  );
}

/** The services are defined but never started, so nothing is sent. */
const noDelivery = {
  publicUrl: 'http://crm.invalid',
  smtpUrl: 'smtp://crm.invalid',
  mailFrom: { address: 'nobody@crm.invalid' },
  carrier: {
    url: 'http://crm.invalid',
    accountSid: 'nobody',
    authToken: 'nothing',
    number: '+16045550100',
    honoursKeys: false,
    allowedCountries: [],
  },
  rules: readStartConfig({}).rules,
};

const [begin, end] = ['<!-- events: written by `npm run events` -->', '<!-- end of events -->'];

function withTable(text: string, table: string): string {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(
      `ARCHITECTURE.md must contain "${begin}" and "${end}"; the table of events goes between them.`,
    );
  }
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}
