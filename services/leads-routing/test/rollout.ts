import type { User } from '@crm/auth';
import type { LeadsUnderTest } from './harness.ts';

interface Member {
  readonly rank?: number;
  readonly mins_until_lead_offer?: number;
  readonly assign_automatically?: boolean;
  readonly has_call_alert?: boolean;
  readonly has_text_alert?: boolean;
  readonly has_email_alert?: boolean;
}

/** Creates teams whose members are offered leads, and leads that are routed to them. */
export function rolloutsOf(service: LeadsUnderTest) {
  const admit = async (creator: User, team_id: number, user: User, option: Member = {}) => {
    const owner = await service.asNow(creator);
    return owner.distributionOptions.create({
      team_id,
      user_id: user.id,
      assign_automatically: false,
      ...option,
    });
  };
  return {
    admit,
    /** A team whose members have options ranked in the given order; its creator has none. */
    async team(creator: User, members: readonly (readonly [User, Member?])[], draft: object = {}) {
      const id = await service.teamOf(
        creator,
        members.map(([user]) => user),
        draft,
      );
      for (const [index, [user, option]] of members.entries()) {
        await admit(creator, id, user, { rank: index + 1, ...option });
      }
      return id;
    },
    lead: (creator: User, routing: Routing) => leadOf(service, creator, routing),
    /** Who is offered a lead and when, from the database, in order. */
    async offers(lead_id: number) {
      const rows = await service.rows(
        'select user_id, notify_at from lead_offers where lead_id = $1 order by notify_at, id',
        [lead_id],
      );
      return rows.map(({ user_id, notify_at }) => ({
        user_id: Number(user_id),
        notify_at: new Date(String(notify_at)),
      }));
    },
  };
}

interface Routing {
  readonly team_id?: number;
  readonly zipcode?: number | string;
}

/** A lead that is routed to a team, or by its zip code. */
async function leadOf(service: LeadsUnderTest, creator: User, { team_id, zipcode }: Routing) {
  const owner = await service.asNow(creator);
  const contact = await service.contacts.as(creator).contacts.create({ first_name: 'Carla' });
  const campaign = await service.campaigns.as(creator).campaigns.create({ name: `C${contact.id}` });
  const source = await service.contacts.as(creator).contactSources.create({ name: `S${contact.id}` });
  const source_id = await service.leadSourceOf(creator, `S${contact.id}`);
  await service.contacts.as(creator).contacts.patch({ id: contact.id, source_id: source.id });
  await owner.leadRoutes.create({
    campaign_id: campaign.id,
    lead_source_id: source_id,
    contact_source_id: source.id,
    distribution_target: 'Team Rollout',
    ...(team_id ? { team_selection_method: 'Specific Team', team_id } : { team_selection_method: 'Zipcode' }),
  });
  const lead = await owner.leads.create({
    contact_id: contact.id,
    source_id,
    ...(zipcode && { zipcode }),
  });
  return lead.id;
}
