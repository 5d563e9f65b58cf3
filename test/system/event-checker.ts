import { readFileSync } from 'node:fs';
import type { PublishedEvent } from '@crm/service/testing';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

type Schema = Record<string, unknown>;

interface Message {
  readonly payload: { readonly allOf: readonly [unknown, { readonly properties: { data: Schema } }] };
}

interface AsyncApi {
  readonly channels: Readonly<Record<string, { readonly address: string }>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: { CloudEvent: Schema };
  };
}

/**
 * Compares an event with the committed AsyncAPI document: it must list the channel, and the event must match its schema
 * without additional fields.
 */
export function checkEvent(event: PublishedEvent): void {
  validators ??= readValidators();
  const where = JSON.stringify(event).slice(0, 500);
  const validate = validators(event.type);
  expect(validate, `The document does not list the channel of ${where}`).toBeDefined();
  expect(validate?.(event) ? [] : validate?.errors, where).toEqual([]);
}

type Validators = (type: string) => ValidateFunction | undefined;

/** Those of this process: a test file uses few of them, and the next file uses them again. */
let validators: Validators | undefined;

function readValidators(): Validators {
  const file = new URL('../../packages/events/asyncapi.json', import.meta.url);
  const document = closed(JSON.parse(readFileSync(file, 'utf8')));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  const names = new Map(Object.entries(document.channels).map(([name, { address }]) => [address, name]));
  // Compiled when it is first needed.
  return (type) =>
    names.has(type) ? ajv.getSchema(`document#/components/messages/${names.get(type)}/payload`) : undefined;
}

/** The document with all objects closed, so that a field that it does not list is an error. */
function closed(document: AsyncApi): AsyncApi {
  document.components.schemas.CloudEvent.additionalProperties = false;
  for (const { payload } of Object.values(document.components.messages)) {
    payload.allOf[1].properties.data.additionalProperties = false;
  }
  return document;
}
