import { randomUUID } from 'node:crypto';
import type { Query } from '@crm/data';
import { reportedIn } from '@crm/dispatch';
import { beginSending, findingOwners, upcoming } from '@crm/dispatch/testing';
import { dueIn } from '@crm/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { endPartition } from '../../test/partitions.ts';
import { removeSomeTo } from '../communications/communication.queries.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { communicationTable } from './communication-dispatch.queries.ts';
import { communicationQueue } from './communication-dispatcher.ts';
import { accountSpendings, fullSince, isRepeated, recentSendings } from './limits.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service } = under;
beforeAll(() => endPartition(service, 3_000));

const sharedTable = { ...communicationTable, sharedBy: 'send_from_user_id' };
const findingSenders = (query: Query) => findingOwners(query, sharedTable, communicationTypes);

describe('a backlog', () => {
  afterEach(() => service.rows('delete from communications where contact_id > 0'));

  const due = async (type: string, send_from_user_id: number, send_at = 'now()', count = 1) =>
    service.rows(
      `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name, type,
         is_stopped_on_text_reply, body, send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at)
       select -n, 9, 1000 * $1::int + n + length($2) * 1000000, n, 'Many', $2, false, 'Hello', $1::int, ${send_at}, 'UTC', ${send_at}, now(), now()
       from generate_series(1, $3::int) n`,
      [send_from_user_id, type, count],
    );

  it.each([1, 300])('hides no sender who has something due behind %i messages of another', async (count) => {
    await service.rows('delete from communications where contact_id > 0');
    await due('Text Contact', 901, 'now()', count);
    await due('Text Contact', 902);
    await due('Email Contact', 902);
    await due('Text Contact', 903, "now() + interval '1 minute'");
    await due('Text Contact', 904, "now() - interval '2 hours'");
    await due('Text Contact', 905);
    await service.asSystem.sendingPauses.add({ user_id: 905 });
    const find = findingSenders(service.database.query);
    for (let look = 0; look < 3; look++) {
      const found = await find();
      expect(found.map(({ lane, owner }) => `${lane} ${owner}`).toSorted()).toEqual([
        'Email Contact 902',
        'Text Contact 901',
        'Text Contact 902',
      ]);
    }
    await service.asSystem.sendingPauses.remove({ user_id: 905 });
  });

  it('of others is not read to count what was sent to a contact or a number', async () => {
    await due('Text Contact', 906, 'now()', 3_000);
    await service.rows('analyze communications');
    const wanted = "with wanted as materialized (select 1 as id, '+1' as sent_to, 'x' as sent_digest)";
    const { rules } = under.settings.delivery;
    for (const statement of [
      `${wanted}, ${accountSpendings(rules)} select * from spendings`,
      `${wanted} select ${isRepeated} from wanted join communications t on t.id = wanted.id`,
    ]) {
      const scans = (await stepsOf(statement)).filter((step) =>
        /^communications_\d+_(begun|send_from)/.test(String(step['Index Name'])),
      );
      for (const step of scans) expect(step['Index Cond'], statement).toContain('send_from_user_id');
    }
  });

  it('does not read messages to other contacts that were removed since, nor does a removal', async () => {
    await due('Text Contact', 912, 'now()', 3_000);
    await service.rows(
      `insert into removed_sendings (send_from_user_id, contact_id, campaign_id, type, sent_to, begun_at, dispatch_state)
       select 913 + n % 9, n, 9, 'Text Contact', '+' || n, now(), 'Sent' from generate_series(1, 30000) n`,
    );
    await service.rows('analyze communications, removed_sendings');
    const { rules } = under.settings.delivery;
    const wanted = "with wanted as materialized (select 1 as id, '+1' as sent_to, 'x' as sent_digest)";
    const statements = [
      `${wanted}, ${accountSpendings(rules)} select * from spendings`,
      `select ${fullSince('contact_id', 't', rules.maxPerContact)} from communications t where t.id = 1`,
    ];
    const remember: Query = async (text) => {
      statements.push(text.replaceAll(/\$\d/g, '1'));
      return [];
    };
    await recentSendings(remember, 1, '+1', 1);
    await removeSomeTo(remember, 1, 1);
    for (const statement of statements) {
      const scans = (await stepsOf(statement)).filter((step) => step['Relation Name'] === 'removed_sendings');
      expect(
        scans.map((step) => step['Node Type']),
        statement,
      ).not.toContain('Seq Scan');
    }
    await service.rows('truncate removed_sendings');
  });

  it('is not read to find its senders', async () => {
    for (const count of [3_000, 100, 101, 102, 103, 104])
      await due('Text Contact', 1_000 + count, 'now()', count);
    await service.rows('analyze communications');
    const steps = await readWith((query) => findingSenders(query)());
    expect(new Set(steps)).toEqual(new Set(['Index Only Scan', 'Index Scan']));
  });

  it('is not read to determine when to look again, nor are sent messages', async () => {
    await due('Email Contact', 910, 'now()', 3_000);
    await service.rows(
      "update communications set dispatch_state = 'Sent', begun_at = now() where send_from_user_id = 910 and id % 10 > 0",
    );
    await service.rows('analyze communications');
    const steps = await readWith((query) => dueIn(query, upcoming(communicationTable, communicationTypes)));
    expect(steps).not.toEqual([]);
    for (const step of steps) expect(step).toMatch(/^Index/);
  });

  it('is not read to find what a provider reports about', async () => {
    await due('Text Contact', 909, 'now()', 3_000);
    await service.rows('analyze communications');
    const { note } = reportedIn(communicationQueue(under.settings));
    const report = { reference: 'SM1', state: 'Delivered' } as const;
    const steps = await readWith(async (query) => {
      expect(await note({ query } as never, randomUUID(), report)).toBeUndefined();
    });
    expect(new Set(steps)).toEqual(new Set(['Index Scan']));
  });

  it('of wanted messages is not read again for each of them by the final check', async () => {
    await due('Text Contact', 911, 'now()', 3_000);
    await service.rows('analyze communications');
    const { table, check } = under.queue;
    let statement = '';
    const query: Query = async (text) => {
      statement = text;
      return [];
    };
    await beginSending(query, table, check, []);
    const again = (await stepsOf(statement, 'generic_plan, ')).filter(
      (step) =>
        ['wanted', 'checked', 'begun'].includes(String(step['CTE Name'])) &&
        ['Inner', 'SubPlan'].includes(String(step['Parent Relationship'])),
    );
    expect(again).toEqual([]);
  });

  it('is not read and sorted to lease its first message', async () => {
    await due('Text Contact', 907, 'now()', 3_000);
    await service.rows('analyze communications');
    const steps = await stepsOf(
      `select from communications t
       where t.type = 'Text Contact' and t.send_from_user_id = 907 and t.dispatch_state = 'Scheduled'
         and t.next_attempt_at <= now() and ${communicationTable.isDue}
       order by t.next_attempt_at, t.id limit 5`,
    );
    expect(steps.map((step) => step['Node Type'])).not.toContain('Sort');
  });

  /** How the last statement of some work reads communications. */
  async function readWith(work: (query: Query) => Promise<unknown>) {
    let last = '';
    await work((text, values) => {
      last = text;
      return service.database.query(text, values);
    });
    const steps = await stepsOf(last, 'generic_plan, ');
    return steps
      .filter((step) => /^communications_\d+$/.test(String(step['Relation Name'])))
      .flatMap((step) => (String(step['Node Type']).endsWith('Scan') ? [step['Node Type']] : []));
  }

  /** The nodes of a statement's plan, at any depth. */
  async function stepsOf(statement: string, options = ''): Promise<Readonly<Record<string, unknown>>[]> {
    const [row] = await service.rows(`explain (${options}format json) ${statement}`);
    const stepsIn = (part: unknown): Readonly<Record<string, unknown>>[] => {
      if (Array.isArray(part)) return part.flatMap(stepsIn);
      if (typeof part !== 'object' || part === null) return [];
      const step = part as Readonly<Record<string, unknown>>;
      return [step, ...Object.values(step).flatMap(stepsIn)];
    };
    return stepsIn(row?.['QUERY PLAN']);
  }
});
