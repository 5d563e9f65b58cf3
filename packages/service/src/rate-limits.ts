import type { z } from 'zod';
import { count, onOrOff, valkeyUrl } from './variables.ts';

/** How many requests a gateway accepts within a minute. */
export interface RateLimits {
  /** From one network. */
  readonly address: number;
  /** With one access token. */
  readonly token: number;
  /** With all access tokens of one account. */
  readonly account: number;
  /** The URL of the Valkey or Redis where gateways count together; undefined if each counts on its own. */
  readonly url?: string | undefined;
}

export const rateLimitVariables = {
  RATE_LIMITS: onOrOff.default(true),
  RATE_LIMIT_ADDRESS: count.default(6000),
  RATE_LIMIT_TOKEN: count.default(1200),
  RATE_LIMIT_ACCOUNT: count.default(3600),
  RATE_LIMIT_URL: valkeyUrl.optional(),
};

type Read = z.output<z.ZodObject<typeof rateLimitVariables>>;

/** Undefined for no limits. */
export function rateLimitsOf(read: Read): RateLimits | undefined {
  if (!read.RATE_LIMITS) return undefined;
  return {
    address: read.RATE_LIMIT_ADDRESS,
    token: read.RATE_LIMIT_TOKEN,
    account: read.RATE_LIMIT_ACCOUNT,
    url: read.RATE_LIMIT_URL,
  };
}

/** The variables from which another process reads the same limits. */
export function variablesOfRateLimits(limits: RateLimits | undefined): Record<string, string> {
  if (!limits) return { RATE_LIMITS: 'off' };
  return {
    RATE_LIMIT_ADDRESS: String(limits.address),
    RATE_LIMIT_TOKEN: String(limits.token),
    RATE_LIMIT_ACCOUNT: String(limits.account),
    ...(limits.url !== undefined && { RATE_LIMIT_URL: limits.url }),
  };
}
