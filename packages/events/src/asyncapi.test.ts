import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from './documents.ts';
import * as said from './index.ts';
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
    // Who may connect is a matter of the broker, and not said here.
    'security-defined': 'off',
    // A tag is the name of a service, which says all there is to say.
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
    ['with an operation on no channel', 'struct', { operations: { lost: { action: 'send' } } }],
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
  ])('%s would be found invalid', async (_, rule, broken) => {
    const [problem] = await problemsOf({ ...document, ...broken });
    expect(problem).toMatch(new RegExp(`^${rule}: `));
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
    expect(operations.map(({ action, summary, tags }) => [action, tags[0]?.$ref, summary])).toEqual([
      ['send', '#/components/tags/identity', first.summary],
      ['send', '#/components/tags/identity', second.summary],
      ['receive', '#/components/tags/contacts', 'counts it and copies it'],
      ['receive', '#/components/tags/scheduling', 'forgets it'],
    ]);
  });
});
