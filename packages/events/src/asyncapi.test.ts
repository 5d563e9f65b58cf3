import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from './documents.ts';
import * as exports from './index.ts';
import { allEvents, type EventType, subjectOf } from './index.ts';

const [first, second] = allEvents as readonly [EventType, EventType];
const consumers = [
  { service: 'contacts', event: first, effect: 'counts it' },
  { service: 'contacts', event: first, effect: 'copies it' },
  { service: 'scheduling', event: first, effect: 'forgets it' },
];
const document = asyncApiDocument(allEvents, consumers);

async function problemsOf(source: unknown) {
  const rules = {
    // Access to the broker is not documented here.
    'security-defined': 'off',
    // A tag is only the name of a service.
    'tag-description': 'off',
  } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe('the AsyncAPI document', () => {
  it('is valid', async () => {
    expect(await problemsOf(document)).toEqual([]);
  });

  it.each([
    ['without a host', 'struct', { servers: { broker: { protocol: 'nats' } } }],
    ['with an operation without a channel', 'struct', { operations: { lost: { action: 'send' } } }],
    [
      'with a channel that has an unknown message',
      'no-unresolved-refs',
      { channels: { lost: { messages: { a: { $ref: '#/nowhere' } } } } },
    ],
    [
      'with an unknown action',
      'struct',
      { operations: { odd: { action: 'shout', channel: { $ref: `#/channels/${first.name}` } } } },
    ],
  ])('is reported as invalid %s', async (_, rule, broken) => {
    const [problem] = await problemsOf({ ...document, ...broken });
    expect(problem).toMatch(new RegExp(`^${rule}: `));
  });

  it('has a channel for every exported event', () => {
    const values: readonly unknown[] = Object.values(exports);
    const exported = values.filter((value): value is EventType => value instanceof Object && 'noun' in value);
    expect(exported.length).toBeGreaterThan(0);
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses.toSorted()).toEqual(exported.map(subjectOf).toSorted());
  });

  it('names the publisher of an event, and its consumers with their effects', () => {
    const operations = Object.values(document.operations).filter(({ channel }) =>
      [first, second].some(({ name }) => channel.$ref === `#/channels/${name}`),
    );
    expect(operations.map(({ action, summary, tags }) => [action, tags[0]?.$ref, summary])).toEqual([
      ['send', '#/components/tags/identity', first.summary],
      ['send', '#/components/tags/identity', second.summary],
      ['receive', '#/components/tags/contacts', 'counts it and copies it'],
      ['receive', '#/components/tags/scheduling', 'forgets it'],
    ]);
  });
});
