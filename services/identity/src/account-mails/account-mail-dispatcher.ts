import type { MailOptions } from '@crm/delivery';
import { dispatcher, type Plan, type Queue } from '@crm/dispatch';
import { paths } from '../pages/paths.ts';
import { resetTokenOf } from '../password-resets/reset-token.ts';
import { DueMail, dueMailSelect, mailCheck, mailTable } from './account-mail.queries.ts';
import { wordsOf } from './mail-words.ts';

interface Sending {
  readonly mail: MailOptions;
  readonly publicUrl: string;
  /** What the tokens of links to new passwords are derived from. */
  readonly secret: string;
}

function planOf({ publicUrl, secret }: Sending, mail: DueMail): Plan {
  const { email: address, name } = mail;
  const words = wordsOf(mail, {
    security: publicUrl + paths.security,
    reset: publicUrl + paths.reset(resetTokenOf(secret, mail.key)),
  });
  if (!words) return { state: 'Dropped', reason: 'No e-mail is sent about this.' };
  const subject = inHeader(words.subject);
  return { send: { email: { to: { name: inHeader(name), address }, subject, text: words.text } } };
}

/** Names may contain what would end a header. */
const inHeader = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

const mailQueue = (sending: Sending): Queue<'Email', DueMail, undefined> => ({
  what: 'e-mails about accounts',
  name: 'account-mail',
  statusPath: '',
  slots: { Email: 8 },
  laneOf: () => 'Email',
  table: mailTable,
  row: DueMail,
  select: dueMailSelect,
  check: mailCheck,
  load: async () => undefined,
  plan: (mail) => planOf(sending, mail),
});

/** Sends e-mails about accounts. Any number of instances may run. */
export const mailDispatcher = (sending: Sending) => {
  const { smtpUrl, mailFrom } = sending.mail;
  return dispatcher(mailQueue(sending), { smtpUrl, mailFrom, publicUrl: sending.publicUrl }).worker;
};
