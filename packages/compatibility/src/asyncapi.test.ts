import { describe, expect, it } from 'vitest';
import { compareAsyncApi } from './asyncapi.ts';
import type { Json } from './json-schema.ts';

const id = { type: 'integer' };
const envelope = {
  type: 'object',
  properties: { subject: { type: 'string' }, data: {} },
  required: ['data'],
};

/** A document with one event: its data, and the operations on it. */
const events = (data: Json, operations: Json = {}, contentType = 'application/json') => ({
  channels: {
    'thing.created': {
      address: 'crm.thing.created',
      messages: { 'thing.created': { $ref: '#/components/messages/thing.created' } },
    },
  },
  operations,
  components: {
    schemas: { Envelope: envelope },
    messages: {
      'thing.created': {
        contentType,
        headers: { type: 'object', properties: { key: { type: 'string' } } },
        payload: {
          allOf: [{ $ref: '#/components/schemas/Envelope' }, { type: 'object', properties: { data } }],
        },
      },
    },
  },
});

const data = (properties: Json, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const old = events(data({ thing_id: id, user_id: id }));
const idsOf = (now: Json) => compareAsyncApi(old, now).map((change) => change.id);

describe('a change of the events', () => {
  it.each([
    [
      'is breaking when a field of the data is removed',
      data({ thing_id: id }),
      ['field data.user_id removed'],
    ],
    [
      'is breaking when a field of the data may be missing',
      data({ thing_id: id, user_id: id }, ['thing_id']),
      ['field data.user_id no longer required'],
    ],
    [
      'is breaking when a field of the data changes its type',
      data({ thing_id: id, user_id: { type: 'string' } }),
      ['field data.user_id type changed'],
    ],
    ['is not breaking when a field is added', data({ thing_id: id, user_id: id, color: id }), []],
  ])('%s', (_name, now, expected) => {
    expect(idsOf(events(now))).toEqual(expected.map((what) => `asyncapi crm.thing.created: ${what}`));
  });

  it('is breaking when an event is removed', () => {
    expect(idsOf({ ...old, channels: {} })).toEqual(['asyncapi crm.thing.created: event removed']);
  });

  it('is breaking when an event is sent to another address', () => {
    const channel = { ...old.channels['thing.created'], address: 'crm.thing.made' };
    expect(idsOf({ ...old, channels: { 'thing.created': channel } })).toEqual([
      'asyncapi crm.thing.created: event removed',
    ]);
  });

  it('is breaking when the content type changes', () => {
    expect(idsOf(events(data({ thing_id: id, user_id: id }), {}, 'text/plain'))).toEqual([
      'asyncapi crm.thing.created: content type changed',
    ]);
  });

  it('is breaking when a header is removed', () => {
    const message = { ...old.components.messages['thing.created'], headers: { type: 'object' } };
    const components = { ...old.components, messages: { 'thing.created': message } };
    expect(idsOf({ ...old, components })).toEqual(['asyncapi crm.thing.created: header field key removed']);
  });

  it('is not breaking when another service subscribes, or when names in the document change', () => {
    expect(
      idsOf(events(data({ thing_id: id, user_id: id }), { 'other consumes it': { action: 'receive' } })),
    ).toEqual([]);
    const { 'thing.created': channel } = old.channels;
    expect(idsOf({ ...old, channels: { thingCreated: channel } })).toEqual([]);
  });
});
