import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Carriers, startCarriers } from '@crm/delivery/testing';
import { startNats } from '@crm/embedded';
import { brokerUsers, operatorUser, publishersOf } from '@crm/messaging';
import type { ServiceDefinition } from '@crm/service';
import { freshDatabase, isInShape, reservePort, wiper } from '@crm/testing';
import { answerChecker } from './answer-checker.ts';
import { startApart } from './apart.ts';
import type { CheckAnswer } from './api.ts';
import { definitionsFor } from './definitions.ts';
import { type PastTheRules, pastTheRules } from './past-the-rules.ts';
import { newSecrets } from './settings.ts';
import type { Ground, Running } from './shape.ts';
import { startTogether } from './together.ts';

export const shapes = ['together', 'apart'] as const;
export type Shape = (typeof shapes)[number];

/** The shapes in which a run tests a file that is not divided by resource: one, and both with `TEST_SHAPES=both`. */
export function shapesFor({ filename }: ImportMeta): readonly Shape[] {
  const thing = [...basename(filename)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return shapes.filter((_, index) => isInShape(thing, index));
}

/** How the services run: in one process without HTTP between them, or each in its own. */
export const starters: Readonly<Record<Shape, (ground: Ground) => Promise<Running>>> = {
  together: startTogether,
  apart: startApart,
};

/** A running system that test files use one after the other. */
export interface Shared {
  readonly ground: Omit<Ground, 'port' | 'cleanup'>;
  readonly running: Running;
  readonly carriers: Carriers;
  readonly past: PastTheRules;
  readonly check: CheckAnswer;
  /** Restores the data of its start. */
  wipe(): Promise<void>;
  end(): Promise<void>;
}

export async function startShared(shape: Shape): Promise<Shared> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(shape, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(shape: Shape, cleanup: AsyncDisposableStack): Promise<Shared> {
  // Known before anything starts, because tokens and links contain it.
  const port = await reservePort();
  const carriers = await startCarriers(`http://127.0.0.1:${port}`);
  cleanup.defer(carriers.close);
  const settings = {
    ...newSecrets(),
    delivery: carriers.delivery,
  };
  const definitions = definitionsFor(settings);
  const database = await freshDatabase(definitions.map(({ store }) => store));
  cleanup.defer(database.drop);
  const ground = { definitions, database, natsUrls: await ownBroker(definitions, cleanup), settings };
  const running = await starters[shape]({ ...ground, port, cleanup });
  const past = pastTheRules(definitions, database.adminUrl);
  cleanup.defer(past.close);
  const { wipe, close } = await wiper(
    definitions.map(({ store }) => store.schema),
    database.adminUrl,
    // Running services know them.
    ['rights', 'signing_keys'],
  );
  cleanup.defer(close);
  return {
    ground,
    running,
    carriers,
    past,
    check: await answerChecker(running.url),
    async wipe() {
      // Otherwise they would be fetched again, as texts whose callbacks were missed.
      carriers.carrier.forgetIncoming();
      await wipe();
    },
    end: () => cleanup.disposeAsync(),
  };
}

/** A stream is known by the name of its service alone, so concurrent systems would receive each other's events. */
export async function ownBroker(
  definitions: readonly ServiceDefinition[],
  cleanup: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-system-test-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const users = Object.fromEntries(
    definitions.map(({ name, subscriptions }) => {
      const password = randomBytes(24).toString('hex');
      return [name, { password, reads: publishersOf(subscriptions) }];
    }),
  );
  users[operatorUser] = { password: randomBytes(24).toString('hex'), reads: [] };
  const server = await startNats({ dataDir, syncInterval: '2m', lines: brokerUsers(users) });
  cleanup.defer(server.stop);
  const urls = Object.entries(users).map(([name, { password }]) => [
    name,
    `nats://${name}:${password}@127.0.0.1:${server.port}`,
  ]);
  return Object.fromEntries(urls);
}
