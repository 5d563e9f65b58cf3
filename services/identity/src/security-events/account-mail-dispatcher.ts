import type { Query } from '@crm/data';
import { inOneLine, type MailOptions } from '@crm/delivery';
import { dispatcher, type Plan, type Queue } from '@crm/dispatch';
import type { Worker } from '@crm/service';
import { noteUnreachable } from '../unreachable-addresses/unreachable-address.queries.ts';
import { DueMail, dueMailSelect, mailCheck, mailTable } from './account-mail.queries.ts';
import { type Links, wordsOf } from './mail-words.ts';

interface Sending {
  readonly mail: MailOptions;
  readonly publicUrl: string;
  readonly links: Links;
}

function planOf({ links }: Sending, due: DueMail): Plan {
  const mail = named(due);
  const { email: address, name } = mail;
  const words = wordsOf(mail, links);
  if (!words) return { state: 'Dropped', reason: 'No e-mail is sent about this.' };
  return { send: { email: { to: { name, address }, ...words } } };
}

/** Names may contain what would end a header, or add paragraphs that look like ours. */
function named(mail: DueMail): DueMail {
  const { name, application, broker, team, team_creator } = mail;
  const names = { application, broker, team, team_creator };
  const lines = Object.entries(names).map(([key, text]) => [key, text === null ? null : inOneLine(text)]);
  return { ...mail, name: inOneLine(name), ...Object.fromEntries(lines) };
}

const mailQueue = (sending: Sending, query: Query): Queue<DueMail, undefined> => ({
  what: 'e-mails about accounts',
  name: 'account-mail',
  statusPath: '',
  slots: { Email: 8 },
  laneOf: () => 'Email',
  table: mailTable,
  row: DueMail,
  select: dueMailSelect,
  check: mailCheck,
  load: async (_, mails) => {
    await sending.links.renew(
      query,
      mails.map(({ key }) => key),
    );
    return undefined;
  },
  plan: (mail) => planOf(sending, mail),
  recordBlock: (_, { to: address, why }, at) =>
    noteUnreachable(query, { address, why, at: at.toISOString() }),
});

/** Sends e-mails about accounts. Any number of instances may run. */
export const mailDispatcher =
  (sending: Sending): Worker =>
  (context) => {
    const { smtpUrl, mailFrom } = sending.mail;
    const queue = mailQueue(sending, context.database.query);
    return dispatcher(queue, { smtpUrl, mailFrom, publicUrl: sending.publicUrl })(context);
  };
