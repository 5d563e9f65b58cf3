import { couldAsk } from '@crm/contract';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import type { Columns } from './columns.ts';

/**
 * Throws if a column would be left out that could say who gets no messages, because those people would get them and nobody would
 * see why. A mapping of the column decides about it.
 */
export function demandDecidedOptOuts({ unused }: Pick<Columns, 'unused'>): void {
  const undecided = unused.filter(({ header, isLeftOut }) => !isLeftOut && couldAsk(header) !== undefined);
  if (undecided.length === 0) return;
  const names = undecided.map(({ header }) => `"${header}"`).join(', ');
  const [columns, each] = undecided.length === 1 ? ['column', 'it'] : ['columns', 'each'];
  throw new ContactsCsvError(
    'UndecidedOptOut',
    `The ${columns} ${names} could say who gets no messages. Map ${each} to email_opt_out, text_opt_out or opt_out if "yes" means no messages, to email_opt_in, text_opt_in or opt_in if it means messages, to any other field, or to nothing to leave it out.`,
  );
}
