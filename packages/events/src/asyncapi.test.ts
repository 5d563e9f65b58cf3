import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from './documents.ts';
import * as said from './index.ts';
import { allEvents, type EventType, subjectOf } from './index.ts';

const [first, second] = allEvents as readonly [EventType, EventType];
const listenings = [
  { service: 'contacts', event: first, effect: 'counts it' },
  { service: 'contacts', event: first, effect: 'copies it' },
  { service: 'scheduling', event: first, effect: 'forgets it' },
];
const document = asyncApiDocument(allEvents, listenings);

async function problemsOf(source: unknown) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('the AsyncAPI document', () => {
  it('is valid', async () => {
    expect(await problemsOf(document)).toEqual([]);
  });

  it.each([
    ['without a host', { servers: { broker: { protocol: 'nats' } } }],
    ['with an operation on no channel', { operations: { lost: { action: 'send' } } }],
    [
      'with a channel that has an unknown message',
      { channels: { lost: { messages: { a: { $ref: '#/nowhere' } } } } },
    ],
    [
      'with an unknown action',
      { operations: { odd: { action: 'shout', channel: { $ref: `#/channels/${first.name}` } } } },
    ],
  ])('%s would be found invalid', async (_, broken) => {
    expect(await problemsOf({ ...document, ...broken })).not.toEqual([]);
  });

  it('has a channel for every event that there is', () => {
    const values: readonly unknown[] = Object.values(said);
    const exported = values.filter((one): one is EventType => one instanceof Object && 'noun' in one);
    expect(exported.length).toBeGreaterThan(0);
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses.toSorted()).toEqual(exported.map(subjectOf).toSorted());
  });

  it('says who sends an event, and who receives it with which effect', () => {
    const operations = Object.values(document.operations).filter(({ channel }) =>
      [first, second].some(({ name }) => channel.$ref === `#/channels/${name}`),
    );
    expect(operations.map(({ action, summary, tags }) => [action, tags[0]?.name, summary])).toEqual([
      ['send', 'identity', first.summary],
      ['send', 'identity', second.summary],
      ['receive', 'contacts', 'counts it and copies it'],
      ['receive', 'scheduling', 'forgets it'],
    ]);
  });
});
