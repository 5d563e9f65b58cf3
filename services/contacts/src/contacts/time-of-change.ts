import { getRecord } from '@crm/data';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import type { contactApi } from './contact.api.ts';
import { contactRows } from './contact.queries.ts';

type Patch = z.output<typeof contactApi.patch.input>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * The time of a change of a locked contact: now, unless the client sets it. A client that sends the whole contact back has only
 * read the time; if it were kept, clients that follow changes would never find this one.
 */
export async function timeOfChange(
  ctx: Context,
  contact: { readonly modified_at: Date },
  { id, $where, $select, modified_at, ...sent }: Patch,
): Promise<Date> {
  if (modified_at === undefined) return ctx.now();
  const given = new Date(modified_at);
  if (given.getTime() !== contact.modified_at.getTime()) return given;
  const shown = await getRecord(ctx.query, contactRows, ctx.actor, id, { select: Object.keys(sent) });
  return shown && hasValues(JSON.parse(shown.text), sent) ? given : ctx.now();
}

const hasValues = (shown: Fields, sent: Fields): boolean =>
  Object.entries(sent).every(([name, value]) => value === undefined || isEqual(shown[name], value));

/** The parts of a contact are told apart by their ids, and have more fields than are sent. */
function isEqual(shown: unknown, sent: unknown): boolean {
  if (!Array.isArray(shown) || !Array.isArray(sent)) return shown === sent;
  const parts = new Map(shown.map((part: Fields) => [part.id, part]));
  return sent.every((part: Fields) => {
    const stored = parts.get(part.id);
    return stored !== undefined && hasValues(stored, part);
  });
}
