import { expect } from 'vitest';
import type { Api, Json } from '../system/api.ts';
import type { Person } from '../system.ts';
import { placed } from './known.ts';
import { changesOf, fullDraft, newRecord, next, resourceCalled } from './records.ts';
import { creatable } from './resources.ts';

/** A record that a test may change. */
export interface Changeable {
  readonly path: string;
  /** A body that makes it another record; none if it can only be removed. */
  readonly change?: () => Promise<Json>;
  readonly canRemove: boolean;
}

/** Makes a record of each kind that can be changed or removed, by the name of its resource. */
export const recordsToChange: readonly {
  readonly name: string;
  readonly make: (person: Person) => Promise<Changeable>;
}[] = [
  ...creatable
    .filter(({ patch, remove }) => patch || remove)
    .map((resource) => ({
      name: resource.name,
      make: async (person: Person): Promise<Changeable> => {
        const { path, body } = await newRecord(person, resource, await fullDraft(person, resource));
        const change = async () => changesOf(resource, body, await fullDraft(person, resource));
        return { path, ...(resource.patch && { change }), canRemove: resource.remove !== undefined };
      },
    })),
  {
    name: 'me',
    make: async () => ({ path: '/me', change: async () => ({ first_name: `${next()}` }), canRemove: false }),
  },
  {
    name: 'teamMembers',
    make: async ({ api, id }) => {
      const { body } = await api.post('/teams', { name: `${next()}` });
      const members = await api.list(`/team-members?team.id=${body.id}&user.id=${id}`);
      const path = `/team-members/${members.data[0]?.id}`;
      const change = toggling(api, path, 'request_status', ['Accepted', 'Declined']);
      return { path, change, canRemove: false };
    },
  },
  {
    name: 'consents',
    make: async (person) => {
      const path = `${(await newRecord(person, resourceCalled('contacts'))).path}/consent`;
      const change = toggling(person.api, path, 'text_state', ['Allowed', 'Opted Out']);
      return { path, change, canRemove: false };
    },
  },
  {
    name: 'communications',
    make: async (person) => {
      const { path } = await newRecord(person, resourceCalled('contacts'));
      const { id } = await newRecord(person, resourceCalled('campaigns'));
      const list = `${path}/campaign-communications`;
      await placed.communications?.place(person, list, id);
      const { data } = await person.api.list(list);
      expect(data).not.toEqual([]);
      const one = `${list}/${data[0]?.id}`;
      return { path: one, change: toggling(person.api, one, 'is_active', [true, false]), canRemove: false };
    },
  },
];

/** Sets a field with two values to the one that it does not have. */
function toggling({ get }: Api, path: string, field: string, [one, other]: readonly [unknown, unknown]) {
  return async () => ({ [field]: (await get(path)).body[field] === one ? other : one });
}
