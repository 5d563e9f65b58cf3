import { hash } from 'node:crypto';
import { type Refused, rateLimited } from '@crm/contract';
import { networkOf, type RateLimits } from '@crm/service/process';
import { counts } from '@crm/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { forAllOrigins } from './browsers.ts';
import { type CounterName, type Counters, windowSeconds } from './request-counters.ts';

/** Each throws TooManyRequests, and adds the header fields of draft-ietf-httpapi-ratelimit-headers-10 to the response. */
export interface RequestLimits {
  /** Counts a request of the client's network, whatever its outcome. */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Refuses a token that has used up its requests, without checking whether it is still valid. */
  demandLeft(token: string, reply: FastifyReply): Promise<void>;
  /** Whether an account has used up its requests. */
  isUsedUp(account: number | undefined): Promise<boolean>;
  /**
   * Counts a request of a valid token, and of its account if it has one. Invalid tokens are not counted, because anybody can send
   * any number of them.
   */
  countToken(token: string, account: number | undefined, reply: FastifyReply): Promise<void>;
}

export function limitRequests({ address, token, account }: RateLimits, counters: Counters): RequestLimits {
  const byAddress = limitOf(counters, 'address', address);
  const byToken = limitOf(counters, 'token', token);
  const byAccount = limitOf(counters, 'account', account);
  const countRefusal = counts('crm.rate_limit.refusals');
  const apply = (limit: Limit, counted: RateLimiterRes, reply: FastifyReply) => {
    addRateLimitHeader(limit, counted, reply);
    if (counted.consumedPoints <= limit.perMinute) return;
    countRefusal({ 'crm.limit': limit.name });
    throw refusalBy(limit, counted, reply);
  };
  const policies = [byAddress, byToken, byAccount].map(({ policy }) => policy).join(', ');
  return {
    async countAddress({ ip, routeOptions }, reply) {
      if (routeOptions.config?.isUnlimited) return;
      reply.header('ratelimit-policy', policies);
      apply(byAddress, await byAddress.count(networkOf(ip)), reply);
    },
    async demandLeft(sent, reply) {
      const counted = await byToken.usedUp(hashOf(sent));
      if (counted) apply(byToken, counted, reply);
    },
    async isUsedUp(owner) {
      return owner !== undefined && (await byAccount.usedUp(String(owner))) !== undefined;
    },
    async countToken(sent, owner, reply) {
      // In parallel, because counters may be on another machine.
      const [ofToken, ofAccount] = await Promise.all([
        byToken.count(hashOf(sent)),
        owner === undefined ? undefined : byAccount.count(String(owner)),
      ]);
      apply(byToken, ofToken, reply);
      if (ofAccount) apply(byAccount, ofAccount, reply);
    },
  };
}

const whence = {
  address: 'from this address',
  token: 'with this token',
  account: 'with the tokens of this account',
};

type Limit = ReturnType<typeof limitOf>;

const limitOf = (counters: Counters, name: CounterName, perMinute: number) => ({
  name,
  perMinute,
  policy: `"${name}";q=${perMinute};w=${windowSeconds}`,
  ...counters.of(name, perMinute),
});

const secondsLeft = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** Several limits count one request, so the header may already have others. */
function addRateLimitHeader({ name }: Limit, counted: RateLimiterRes, reply: FastifyReply): void {
  const state = `"${name}";r=${counted.remainingPoints};t=${secondsLeft(counted)}`;
  const others = reply.getHeader('ratelimit');
  reply.header('ratelimit', others === undefined ? state : `${others}, ${state}`);
}

function refusalBy({ name, perMinute }: Limit, counted: RateLimiterRes, reply: FastifyReply): Refused {
  // Pages may read this error too, which is sent before other headers are added.
  reply.headers(forAllOrigins);
  const seconds = secondsLeft(counted);
  const message = `Too many requests ${whence[name]}: at most ${perMinute} per minute are accepted. Try again in ${seconds} s.`;
  return rateLimited({ message, retryAfter: seconds });
}

/** So that no store of counters, now or later, learns a token. */
const hashOf = (token: string): string => hash('sha256', token, 'base64url');
