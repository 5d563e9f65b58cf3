import type { Api, Json } from '../system/api.ts';
import { join, made, ok } from '../system/made.ts';
import type { Person, System } from '../system.ts';

/** How somebody sees the contact of somebody else. */
export const sights = ['a sharing team', 'a share', 'an assignment'] as const;
export type Sight = (typeof sights)[number];

export const regained = 'consent until it is given again';
type Revocation = 'sight' | 'account' | 'contact' | 'consent' | typeof regained;

export interface Office {
  /** Owns the contact. */
  readonly anna: Person;
  /** Sees the contact, and plans something about it, or a broker does it for him. */
  readonly ben: Person;
  readonly planner: { readonly api: Api };
  readonly contact: Json & { readonly id: number };
  /** Of Ben. */
  readonly phone: string;
  /** A name that is nowhere else. */
  readonly secret: string;
  /** What everybody may lose, whatever was planned. */
  readonly revoke: Readonly<Record<Revocation, () => Promise<unknown>>>;
}

let count = 0;

/** A contact of Anna that Ben sees in a certain way. With a broker, what Ben plans is planned by the broker. */
export async function office(
  system: System,
  anna: Person,
  sight: Sight,
  isByBroker: boolean,
): Promise<Office> {
  count += 1;
  const secret = `Zebedee${count}q`;
  const phone = `+1604557${1000 + count}`;
  const mobile_phone = `+1604556${1000 + count}`;
  const ben = await system.person();
  await system.operator.users.change({ user: ben.id, phone });
  const team = await made(anna, '/teams', {
    name: `North of ${secret}`,
    is_contact_resource_sharing_enabled: sight === 'a sharing team',
  });
  await join(system, team.id, ben);
  const contact = await made(anna, '/contacts', {
    first_name: secret,
    email: `${secret}@example.com`,
    mobile_phone,
    ...(sight === 'an assignment' && { assigned_user_id: ben.id }),
  });
  const share =
    sight === 'a share' && (await made(anna, `/contacts/${contact.id}/shares`, { user_id: ben.id }));
  const broker = isByBroker ? await actingFor(system, ben) : undefined;
  return {
    anna,
    ben,
    planner: broker ?? ben,
    contact,
    phone,
    secret,
    revoke: {
      sight: () => {
        if (share) return ok(anna.api.delete(`/contacts/${contact.id}/shares/${share.id}`));
        if (sight === 'an assignment')
          return ok(anna.api.patch(`/contacts/${contact.id}`, { assigned_user_id: null }));
        return system.operator.teamMembers.remove({ team_id: team.id, user_id: ben.id });
      },
      account: () => system.operator.users.disable({ user: ben.id }),
      contact: () => ok(anna.api.delete(`/contacts/${contact.id}`)),
      consent: () => ok((broker?.broker ?? ben).api.delete(`/sub-accounts/${broker?.sub_account_id}`)),
      [regained]: async () => {
        await system.operator.users.changePassword({ user: ben.id, password: `${secret} 2` });
        await ben.allows(broker?.broker ?? ben);
      },
    },
  };
}

async function actingFor(system: System, user: Person) {
  const broker = await system.person({ is_broker: true });
  await user.allows(broker);
  const { id, access_token } = await made(broker, '/sub-accounts', { user_id: user.id });
  return { broker, sub_account_id: id, api: system.as(String(access_token)) };
}
