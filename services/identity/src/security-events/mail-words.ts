import type { Query } from '@crm/data';
import { type DueMail, invitationDays, resetMinutes } from './account-mail.queries.ts';
import { browserName } from './browser-name.ts';
import type { EventKind } from './security-event.queries.ts';

interface Words {
  readonly subject: string;
  readonly text: string;
}

export interface Links {
  /** The page on which users see and revoke access to their accounts. */
  readonly security: string;
  /** The page on which users answer invitations to teams. */
  readonly teams: string;
  /** The link to choose a new password, given the key of the e-mail. */
  readonly resetOf: (key: string) => string;
  /** Makes sure that the links of these e-mails work, which may have waited while what they are derived from was replaced. */
  readonly renew: (query: Query, keys: readonly string[]) => Promise<void>;
}

type Writer = (mail: DueMail, links: Links) => Words;

const writers: Partial<Record<EventKind, Writer>> = {
  'signed in on a new device': (mail, links) => ({
    subject: 'New sign-in to your account',
    text: withDetails(mail, links, 'Somebody signed in to your account with a new browser'),
  }),
  'password changed': (mail, links) => ({
    subject: 'Your password was changed',
    text: withDetails(mail, links, 'The password of your account was changed'),
  }),
  'password reset': (mail, links) => ({
    subject: 'Your password was changed',
    text: withDetails(
      mail,
      links,
      'A new password was chosen for your account, with a link that was sent to you',
    ),
  }),
  'application registered': (mail, links) => ({
    subject: `${mail.application ?? 'An application'} was registered`,
    text: withDetails(mail, links, `You registered ${mail.application ?? 'an application'}`),
  }),
  'application allowed': (mail, links) => ({
    subject: `${mail.application ?? 'An application'} can use your account`,
    text: withDetails(mail, links, `You allowed ${mail.application ?? 'an application'} to use your account`),
  }),
  'broker allowed': (mail, links) => ({
    subject: `${mail.broker ?? 'A broker'} may act for you`,
    text: withDetails(mail, links, `${mail.broker ?? 'A broker'} was allowed to act for you`),
  }),
  invited: (mail, { resetOf }) => ({
    subject: 'Your new account',
    text: `${greeting(mail)}an account was created for you. Choose its password within ${invitationDays} days:

${resetOf(mail.key)}

You sign in with this e-mail address. If you do not know what this is about, ignore this e-mail.
`,
  }),
  'invited to a team': (mail, { teams }) => ({
    subject: `An invitation to the team ${mail.team ?? ''}`.trimEnd(),
    text: `${greeting(mail)}${mail.team_creator ?? 'Somebody'} invites you to the team ${mail.team ?? ''}. Accept or decline here:

${teams}

Until you accept, nothing changes for you.
`,
  }),
  'password reset requested': (mail, { resetOf }) => ({
    subject: 'Choose a new password',
    text: `${greeting(mail)}with this link you can choose a new password for your account. It works once, within ${resetMinutes} minutes:

${resetOf(mail.key)}

If you did not ask for it, ignore this e-mail: your password stays as it is.
`,
  }),
};

/** Returns true for events that users are told about by e-mail. */
export const isMailed = (kind: EventKind): boolean => writers[kind] !== undefined;

/** The words of an e-mail; undefined for an event without one. */
export const wordsOf = (mail: DueMail, links: Links): Words | undefined => writers[mail.kind]?.(mail, links);

const greeting = ({ name }: DueMail): string => `${name === '' ? 'Hello' : `Hello ${name}`},\n\n`;

function withDetails(mail: DueMail, { security }: Links, what: string): string {
  const { happened_at, timezone, address, user_agent } = mail;
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: timezone,
  });
  const facts = [
    `When: ${format.format(happened_at)}`,
    address && `Network address: ${address}`,
    user_agent && `Browser: ${browserName(user_agent)}`,
  ].filter(Boolean);
  return `${greeting(mail)}${what}.

${facts.join('\n')}

If that was you, there is nothing to do. If not, change your password and revoke what you do not recognize:

${security}
`;
}
