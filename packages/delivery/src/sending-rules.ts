import { z } from 'zod';

/** What the operator allows to be sent to contacts. */
export interface SendingRules {
  /** Whether texts and calls wait for the hours in which a contact may be disturbed. */
  readonly quietHours: boolean;
  /** The most messages within 24 hours. */
  readonly maxPerContact: Limits;
  readonly maxPerAccount: Limits;
}

interface Limits {
  readonly texts: number;
  readonly emails: number;
}

const limit = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: 'must be a whole number from 1 to 999999999' })
    .default(String(most))
    .transform(Number);

/** A variable that is true or false. */
export const trueOrFalse = (byDefault: 'true' | 'false') =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(byDefault)
    .transform((word) => word === 'true');

/** The environment variables of the rules, each with a default. */
export const sendingVariables = {
  QUIET_HOURS: trueOrFalse('true'),
  MAX_DAILY_TEXTS_PER_CONTACT: limit(3),
  MAX_DAILY_EMAILS_PER_CONTACT: limit(3),
  MAX_DAILY_TEXTS_PER_ACCOUNT: limit(2_000),
  MAX_DAILY_EMAILS_PER_ACCOUNT: limit(10_000),
};

type SendingVariables = z.output<z.ZodObject<typeof sendingVariables>>;

export function sendingRulesOf(variables: SendingVariables): SendingRules {
  return {
    quietHours: variables.QUIET_HOURS,
    maxPerContact: {
      texts: variables.MAX_DAILY_TEXTS_PER_CONTACT,
      emails: variables.MAX_DAILY_EMAILS_PER_CONTACT,
    },
    maxPerAccount: {
      texts: variables.MAX_DAILY_TEXTS_PER_ACCOUNT,
      emails: variables.MAX_DAILY_EMAILS_PER_ACCOUNT,
    },
  };
}

/** The rules as environment variables of another process. */
export function sendingVariablesOf({
  quietHours,
  maxPerContact,
  maxPerAccount,
}: SendingRules): Record<string, string> {
  return {
    QUIET_HOURS: String(quietHours),
    MAX_DAILY_TEXTS_PER_CONTACT: String(maxPerContact.texts),
    MAX_DAILY_EMAILS_PER_CONTACT: String(maxPerContact.emails),
    MAX_DAILY_TEXTS_PER_ACCOUNT: String(maxPerAccount.texts),
    MAX_DAILY_EMAILS_PER_ACCOUNT: String(maxPerAccount.emails),
  };
}
