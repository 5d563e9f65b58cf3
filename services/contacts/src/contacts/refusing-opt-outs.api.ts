import { refusing } from '@crm/contract';
import type { z } from 'zod';

/** What other systems, and our own exports, call an opt-out. */
const optOut = /unsub|opt(?:ed|s)?out|do(?:es)?n(?:o|')?t(?:text|sms|e?mail|contact|message)/;
const isOptOut = (name: string): boolean => optOut.test(name.toLowerCase().replaceAll(/[^a-z']/g, ''));

const optsNobodyOut: readonly unknown[] = [null, undefined, false, 0, '', '0', 'false', 'no'];

/**
 * Writes to a contact that refuse an opt-out. If it were ignored like other unknown fields, the contact would get messages, and
 * nobody would see why.
 */
export const refusingOptOuts = <Schema extends z.ZodObject>(schema: Schema): Schema =>
  refusing(schema, (name, value) =>
    isOptOut(name) && !optsNobodyOut.includes(typeof value === 'string' ? value.toLowerCase() : value)
      ? 'is not a field of a contact: opt a contact out with PATCH /contacts/{id}/consent'
      : undefined,
  );
