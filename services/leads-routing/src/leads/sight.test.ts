import type { User } from '@crm/auth';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { rolloutsOf } from '../../test/rollout.ts';
import {
  type DrawnLead,
  everyReason,
  isNamed,
  isSeen,
  peopleOf,
  type World,
  worlds,
} from '../../test/world.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

/** Creates the leads of a world as their creators would, and writes assignments and claims to the database. */
async function store(world: World) {
  const people = peopleOf(world);
  const ids: number[] = [];
  for (const drawn of world.leads) ids.push(await createLead(people, drawn));
  const inTeams = people.map((user, place) => ({
    ...user,
    // Each lead is offered in its own team, which has the same id.
    team_ids: ids.filter((_, index) =>
      world.leads[index]?.offers.some((offer) => offer.user === place && offer.state !== 'left'),
    ),
  }));
  return { people: inTeams, ids };
}

async function createLead(people: readonly User[], { creator, contactOwner, ...drawn }: DrawnLead) {
  const at = (index: number | null) => (index === null ? undefined : people[index]);
  const [user, owner] = [at(creator), at(contactOwner)];
  if (!user) throw new Error('The world has no people.');
  const contact_id = owner ? await contactOf(owner) : 2_000_000_000;
  const { id } = await leads.as(user).leads.create({ contact_id });
  await leads.rows(
    `update leads set assigned_user_id = $2, claimed_by_user_id = $3,
       status = case when $3::int is null then 'Pending' else 'Claimed' end,
       claimed_at = case when $3::int is null then null else now() end where id = $1`,
    [id, at(drawn.assignee)?.id ?? null, at(drawn.claimer)?.id ?? null],
  );
  for (const offer of drawn.offers) {
    const userId = at(offer.user)?.id;
    if (offer.state !== 'withdrawn')
      await leads.rows(
        `insert into distribution_options (creator_user_id, team_id, user_id, rank, mins_until_lead_offer,
           assign_automatically, has_call_alert, has_text_alert, has_email_alert, created_at, modified_at)
         values ($1, $2, $3, 0, 0, false, false, false, false, now(), now())`,
        [user.id, id, userId],
      );
    await leads.rows(
      `insert into lead_offers (lead_id, user_id, team_id, creator_user_id, notify_at, assign_automatically,
         has_call_alert, has_text_alert, has_email_alert, created_at, declined_at)
       values ($1, $2, $1, $3, now() + $4::interval, false, false, false, false, now(), $5)`,
      [
        id,
        userId,
        user.id,
        offer.isDue ? '-1 second' : '1 hour',
        offer.state === 'declined' ? new Date() : null,
      ],
    );
  }
  return id;
}

async function contactOf({ id }: User): Promise<number> {
  const [row] = await leads.contacts.rows(
    'insert into contacts (owner_user_id, first_name, created_at, modified_at) values ($1, $2, now(), now()) returning id',
    [id, 'Bill'],
  );
  return Number(row?.id);
}

const refusalOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'done',
    ({ name }) => name,
  );

describe('the visibility of leads', () => {
  it('follows from creation, assignment, claim, contact, and due offers that are still open, in every operation', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { people, ids } = await store(world);
        for (const [index, user] of people.entries()) {
          const seen = world.leads.map((lead) => isSeen(world, index, lead));
          const expected = ids.filter((_, position) => seen[position]);
          const { leads: api, offers } = leads.as(user);
          const page = await api.find({ $limit: 1000 });
          expect(page.data.map(({ id }) => id)).toEqual(expected);
          expect(page.total).toBe(expected.length);
          expect(
            (await api.find({ $limit: 2, $skip: 1, $sort: { id: -1 } })).data.map(({ id }) => id),
          ).toEqual(expected.toReversed().slice(1, 3));
          for (const [position, id] of ids.entries()) {
            const hidden = !seen[position];
            expect((await refusalOf(api.get({ id }))) === 'NotFound').toBe(hidden);
            // A change goes through the filter of the entity. A lead that is refused with another error is visible.
            expect((await refusalOf(offers.send({ lead_id: id }))) === 'NotFound').toBe(hidden);
          }
        }
      }),
      { numRuns: 7, examples: [[everyReason]] },
    );
  });

  it('reveals a contact to those who see it, unless its creator could not', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { people, ids } = await store(world);
        for (const [place, user] of people.entries()) {
          for (const lead of (await leads.as(user).leads.find({ $limit: 1000 })).data) {
            const drawn = world.leads[ids.indexOf(lead.id)];
            const named = drawn && isNamed(world, place, drawn);
            expect(lead.contact?.first_name ?? null).toBe(named ? 'Bill' : null);
          }
        }
      }),
      { numRuns: 4, examples: [[everyReason]] },
    );
  });
});

describe('a user whose offer of a lead has ended', () => {
  const rollouts = rolloutsOf(leads);
  /** A contact whose data cannot occur by chance. */
  const secret = { first_name: 'Zebedee', email: 'zebedee@example.com', mobile_phone: '(206) 555-0177' };

  async function offered() {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const team_id = await rollouts.team(anna, [[ben]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    const [offer] = await (await leads.asNow(anna)).offers.send({ lead_id });
    const contact = offer?.lead.contact?.id ?? 0;
    await leads.contacts.as(anna).contacts.patch({ id: contact, ...secret });
    return { anna, ben, team_id, lead_id, contact };
  }
  /** Everything that a user is shown of a lead and its offers. */
  async function shownTo(user: User, lead_id: number) {
    const { leads: api, offers } = await leads.asNow(user);
    const wanted = [
      api.get({ id: lead_id }),
      api.find({ $limit: 1000 }),
      offers.find({ lead_id }),
      offers
        .find({ lead_id })
        .then(({ data }) => Promise.all(data.map(({ id }) => offers.get({ lead_id, id })))),
    ];
    return JSON.stringify(await Promise.allSettled(wanted));
  }
  const sees = (shown: string) => Object.values(secret).filter((value) => shown.includes(value));

  it('sees the name of its contact only while the offer is open', async () => {
    const { ben, lead_id } = await offered();
    expect(sees(await shownTo(ben, lead_id))).toEqual([secret.first_name]);
  });

  it.each([
    ['has left the team', ({ team_id, ben }: Offered) => leads.leave(team_id, ben)],
    [
      'has declined it',
      async ({ ben, lead_id }: Offered) => (await leads.asNow(ben)).leads.decline({ id: lead_id }),
    ],
    [
      'is no longer offered leads of the team',
      ({ team_id, ben }: Offered) =>
        leads.rows('delete from distribution_options where team_id = $1 and user_id = $2', [team_id, ben.id]),
    ],
    [
      'has an offer that was withdrawn',
      ({ lead_id }: Offered) =>
        leads.rows('update lead_offers set withdrawn_at = now() where lead_id = $1', [lead_id]),
    ],
    [
      'claimed it, and has left the team and lost the contact',
      async ({ anna, ben, team_id, lead_id, contact }: Offered) => {
        await (await leads.asNow(ben)).leads.claim({ id: lead_id });
        await leads.contacts.as(anna).contacts.patch({ id: contact, assigned_user_id: null });
        await leads.leave(team_id, ben);
      },
    ],
  ])('and %s sees nothing of its contact', async (_what, lose) => {
    const all = await offered();
    await lose(all);
    expect(sees(await shownTo(all.ben, all.lead_id))).toEqual([]);
  });

  it('and has left the team cannot claim it, even before the distribution option is removed', async () => {
    const { ben, team_id, lead_id } = await offered();
    await leads.leave(team_id, ben);
    await expect((await leads.asNow(ben)).leads.claim({ id: lead_id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  type Offered = Awaited<ReturnType<typeof offered>>;
});
