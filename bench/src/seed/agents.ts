import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@crm/client';
import { identityApi } from '@crm/identity/api';
import type pg from 'pg';
import type { OurSystem } from '../start-system.ts';
import { agentCount } from './rows.ts';

export interface Account {
  readonly id: number;
  readonly token: string;
}

/** Creates the accounts and tokens as an operator does. Their ids are the first, as the rows of the seed have them. */
export async function createAgents(
  { identityUrl, operatorToken }: Pick<OurSystem, 'identityUrl' | 'operatorToken'>,
  count = agentCount,
): Promise<Account[]> {
  const identity = createClient(identityApi, { url: identityUrl, token: operatorToken });
  const accounts: Account[] = [];
  for (let number = 1; number <= count; number++) {
    const { id } = await identity.users.create({
      email: `agent.${number}@example.com`,
      first_name: 'Agent',
      last_name: String(number),
      timezone: 'America/Los_Angeles',
    });
    if (id !== number) throw new Error('The data folder has users already. Name an empty one with --keep.');
    const { access_token } = await identity.tokens.create({ user: id, name: 'bench' });
    accounts.push({ id, token: access_token });
  }
  return accounts;
}

/** New users get sources, which would otherwise arrive among those of the seed. */
export async function awaitDefaultSources(db: pg.Client, count = agentCount): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { rows } = await db.query('select count(*)::int as users from contacts.users_with_default_sources');
    if (rows[0].users >= count) return;
    if (performance.now() > deadline) throw new Error('The new users got no default sources in a minute.');
    await sleep(200);
  }
}
