import { couldAsk, optOutField, optOutWord, refusing } from '@crm/contract';
import type { z } from 'zod';

/** What a field asks whose name is one of opt-outs in files of contacts as well; undefined for others. */
function asks(name: string): 'who may not' | 'who may' | undefined {
  const field = optOutField(name);
  if (field === undefined) return couldAsk(name);
  return field.endsWith('opt_out') ? 'who may not' : 'who may';
}

function said(value: unknown) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? optOutWord(String(value)) : undefined;
}

/** Whether a field could opt somebody out, also if nobody can tell what its value means. */
function couldOptOut(name: string, value: unknown): boolean {
  const [asked, word] = [asks(name), said(value)];
  if (asked === undefined || word === 'nothing') return false;
  return word === 'opted out' || (asked === 'who may' ? word === 'no' : word !== 'no');
}

/**
 * Writes to a contact that refuse an opt-out. If it were ignored like other unknown fields, the contact would get messages, and
 * nobody would see why.
 */
export const refusingOptOuts = <Schema extends z.ZodObject>(schema: Schema): Schema =>
  refusing(schema, (name, value) =>
    couldOptOut(name, value)
      ? 'is not a field of a contact: opt a contact out with PATCH /contacts/{id}/consent'
      : undefined,
  );
