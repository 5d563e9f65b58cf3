import type { RateLimits } from '@crm/service/process';
import { counts } from '@crm/telemetry';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export type CounterName = 'address' | 'token' | 'account';

/** Counts the requests of a minute, by key. */
export interface Counter {
  /** Counts a request; the state includes it. */
  count(key: string): Promise<RateLimiterRes>;
  /** The state of a key whose requests are known to be used up, without a query. */
  usedUp(key: string): Promise<RateLimiterRes | undefined>;
}

export interface Counters {
  of(name: CounterName, limit: number): Counter;
  close(): void;
}

export const windowSeconds = 60;
/** How long a request waits for a server that stopped responding. The next ones do not wait at all. */
const patienceMs = 500;
const connectMs = 1_000;
const longestPauseMs = 2_000;

/** Each gateway counts on its own. */
export const countersInMemory: Counters = { of: (_name, limit) => inMemory(limit), close: () => undefined };

/** The counters for the limits: in the memory of this process, or shared by all gateways with the same URL. */
export async function openCounters(
  limits: RateLimits | undefined,
  log: Logger,
  patience = patienceMs,
): Promise<Counters> {
  return limits?.url === undefined ? countersInMemory : sharedAt(limits.url, log, patience);
}

function inMemory(limit: number) {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  return {
    count: (key: string) => stateOf(limiter.consume(key)),
    async usedUp(key: string) {
      const state = await limiter.get(key);
      return state && state.consumedPoints >= limit ? exhausted(state, limit) : undefined;
    },
    remember: (key: string, { consumedPoints, msBeforeNext }: RateLimiterRes) =>
      limiter.set(key, consumedPoints, msBeforeNext / 1_000),
  };
}

/**
 * Counts in Valkey or Redis. While it does not respond, this gateway counts on its own, so that no request fails because of it.
 */
async function sharedAt(url: string, log: Logger, patience: number): Promise<Counters> {
  // Loaded only if it is used.
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    socketTimeout: patience,
    // Requests proceed without it rather than wait for the next connection.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, longestPauseMs),
  });
  const store = watched(log);
  // Without a listener the error would be printed. Requests that are counted meanwhile report it.
  client.on('error', store.broken);
  await client
    .connect()
    .then(() => log.info('requests are counted together with other gateways'), store.failed);
  return { of: (name, limit) => shared(client, store, name, limit), close: () => client.disconnect() };
}

type Client = InstanceType<typeof import('ioredis').Redis>;
type Watched = ReturnType<typeof watched>;

function shared(client: Client, store: Watched, name: CounterName, limit: number): Counter {
  const together = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: `crm:requests:${name}`,
    points: limit,
    duration: windowSeconds,
  });
  const alone = inMemory(limit);
  const ask = async (key: string) => {
    const state = await stateOf(together.consume(key));
    store.answered();
    // A used-up key is refused without another query. In the last instant of a window 0 ms are left, which would mean forever.
    if (state.consumedPoints >= limit && state.msBeforeNext > 0) await alone.remember(key, state);
    return state;
  };
  return {
    usedUp: alone.usedUp,
    async count(key) {
      const known = await alone.usedUp(key);
      if (known) return known;
      return ask(key).catch((error: unknown) => {
        store.failed(error);
        return alone.count(key);
      });
    },
  };
}

/** Reports once that the store does not respond, and once that it responds again. */
function watched(log: Logger) {
  const countAlone = counts('crm.rate_limit.unshared');
  let isAlone = false;
  let cause: unknown;
  return {
    broken(error: unknown) {
      cause = error;
    },
    failed(error: unknown) {
      countAlone({});
      if (isAlone) return;
      isAlone = true;
      const err = cause ?? error;
      log.warn(
        { err },
        'the server at RATE_LIMIT_URL does not respond: this gateway counts requests on its own until it does',
      );
    },
    answered() {
      cause = undefined;
      if (!isAlone) return;
      isAlone = false;
      log.info('requests are counted together with other gateways again');
    },
  };
}

/** The library throws the state of a key that is over its limit. */
const stateOf = (counting: Promise<RateLimiterRes>): Promise<RateLimiterRes> =>
  counting.catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });

/** The state of a key whose next request is over the limit. */
const exhausted = ({ msBeforeNext }: RateLimiterRes, limit: number) =>
  new RateLimiterRes(0, msBeforeNext, limit + 1);
