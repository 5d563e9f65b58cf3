import { createHash } from 'node:crypto';
import { type Refused, refusal } from '@crm/contract';
import { networkOf, type RateLimits } from '@crm/service/process';
import { counts } from '@crm/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { forAllOrigins } from './browsers.ts';

const tooManyRequests = refusal('TooManyRequests', 'Too many requests.');

/** Each throws TooManyRequests, and adds the header fields of draft-ietf-httpapi-ratelimit-headers-10 to the response. */
export interface RequestLimits {
  /** Counts a request of the client's network, whatever becomes of it. */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Refuses a token that has used up its requests without asking whether it is still valid. */
  demandLeft(token: string, reply: FastifyReply): Promise<void>;
  /**
   * Counts a request of a valid token, and of its account if it has one. An invalid token is not counted, because anybody
   * can send any number of them.
   */
  countToken(token: string, account: number | undefined, reply: FastifyReply): Promise<void>;
}

export function limitRequests({ address, token, account }: RateLimits): RequestLimits {
  const byAddress = countPerMinute('address', address);
  const byToken = countPerMinute('token', token);
  const byAccount = countPerMinute('account', account);
  const countRefusal = counts('crm.rate_limit.refusals');
  const apply = (counter: Counter, counted: RateLimiterRes, reply: FastifyReply) => {
    tell(counter, counted, reply);
    if (counted.consumedPoints <= counter.limit) return;
    countRefusal({ 'crm.limit': counter.name });
    throw refusalBy(counter, counted, reply);
  };
  const policies = [byAddress, byToken, byAccount].map(({ policy }) => policy).join(', ');
  return {
    async countAddress({ ip, routeOptions }, reply) {
      if (routeOptions.config?.isUnlimited) return;
      reply.header('ratelimit-policy', policies);
      apply(byAddress, await byAddress.count(networkOf(ip)), reply);
    },
    async demandLeft(sent, reply) {
      const counted = await byToken.look(hashOf(sent));
      if (counted && counted.consumedPoints >= token) apply(byToken, exhausted(counted, token), reply);
    },
    async countToken(sent, owner, reply) {
      apply(byToken, await byToken.count(hashOf(sent)), reply);
      if (owner !== undefined) apply(byAccount, await byAccount.count(String(owner)), reply);
    },
  };
}

const whence = {
  address: 'from this address',
  token: 'with this token',
  account: 'with the tokens of this account',
};

type Counter = ReturnType<typeof countPerMinute>;

function countPerMinute(name: 'address' | 'token' | 'account', limit: number) {
  const limiter = new RateLimiterMemory({ points: limit, duration: 60 });
  return {
    name,
    limit,
    policy: `"${name}";q=${limit};w=60`,
    look: (key: string) => limiter.get(key),
    count: (key: string) =>
      limiter.consume(key).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      }),
  };
}

/** The state of a counter whose next request is over the limit. */
const exhausted = ({ msBeforeNext }: RateLimiterRes, limit: number) =>
  new RateLimiterRes(0, msBeforeNext, limit + 1);

const secondsLeft = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

function tell({ name }: Counter, counted: RateLimiterRes, reply: FastifyReply): void {
  const state = `"${name}";r=${counted.remainingPoints};t=${secondsLeft(counted)}`;
  const others = reply.getHeader('ratelimit');
  reply.header('ratelimit', others === undefined ? state : `${others}, ${state}`);
}

function refusalBy({ name, limit }: Counter, counted: RateLimiterRes, reply: FastifyReply): Refused {
  // Pages may read this error too, which comes before other headers are added.
  reply.headers(forAllOrigins);
  const seconds = secondsLeft(counted);
  const message = `Too many requests ${whence[name]}: at most ${limit} per minute are accepted. Try again in ${seconds} s.`;
  return tooManyRequests({ message, retryAfter: seconds });
}

/** Nothing that keeps the counters, now or later, learns a token. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
