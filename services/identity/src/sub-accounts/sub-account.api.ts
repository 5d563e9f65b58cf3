import {
  choice,
  createSwitches,
  eachSwitch,
  find,
  flag,
  forOperator,
  id,
  instant,
  internal,
  invalidField,
  notFilterable,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
  text,
  useSwitches,
} from '@crm/contract';
import { z } from 'zod';
import { UserView } from '../users/user.api.ts';

/** Off by default: a new sub-account sees nothing of the broker until the broker allows it. */
const off = flag.default(false);

/** On by default: a new sub-account keeps what it could do before. */
const on = flag.default(true);

/** The switches of a sub-account with their defaults. */
export const Switches = z.object({
  ...eachSwitch(useSwitches, off),
  is_contact_ownership_enabled: off.describe('Uses the contacts of the broker'),
  ...eachSwitch(createSwitches, on),
});

export const SubAccountView = z.object({
  id,
  user_id: id,
  ...Switches.shape,
  user: UserView.pick({ id: true, first_name: true, last_name: true, email: true, username: true }),
  access_token: z.string().meta({
    description: 'Acts as the user on behalf of the broker, for 90 days after it was last read',
    [notFilterable]: true,
  }),
});

export const brokersOnly = refusal('Forbidden', 'Only brokers have sub-accounts.', {
  reason: 'brokers_only',
  when: 'A user who is not a broker requests sub-accounts.',
  fix: 'Ask the operator to make the user a broker: `crm users broker <email> on`.',
  example: 'GET /sub-accounts',
});

/** The same error for everybody who cannot be added, whatever the reason. */
export const notAllowed = () => invalidField('user_id', 'must be a user who has allowed you to add them');

/** The consent of a user to a broker. */
const ConsentView = z.object({
  broker_user_id: id,
  user_id: id,
  state: choice('pending', 'active').describe('Pending until the broker adds the user'),
  expires_at: instant.nullable(),
});

const named = (role: string) =>
  z.union([id, text(255)]).describe(`The id or the e-mail address of the ${role}`);

export const subAccountApi = {
  find: operation({
    rest: 'GET /sub-accounts',
    summary: 'List your sub-accounts; brokers only',
    input: find(SubAccountView),
    output: pageOf(SubAccountView),
    scope: 'write',
    refuses: [brokersOnly],
  }),
  get: operation({
    rest: 'GET /sub-accounts/:id',
    summary: 'Read a sub-account; brokers only',
    input: record(SubAccountView, { id }),
    output: SubAccountView,
    scope: 'write',
    refuses: [notFound, brokersOnly],
  }),
  create: operation({
    rest: 'POST /sub-accounts',
    summary: 'Add a user who has agreed to it as a sub-account; brokers only',
    input: z.object({ user_id: id, ...Switches.shape }),
    output: SubAccountView,
    refuses: [brokersOnly],
  }),
  remove: operation({
    rest: 'DELETE /sub-accounts/:id',
    summary: 'Remove a sub-account and revoke its access token; brokers only',
    input: record(SubAccountView, { id }),
    output: SubAccountView,
    refuses: [notFound, brokersOnly],
  }),
  consent: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Let a broker act for a user who has agreed to it outside the system',
    input: z.object({ broker: named('broker'), user: named('user') }),
    output: ConsentView,
  }),
};
