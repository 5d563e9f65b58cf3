import { type User, withoutRights } from '@crm/auth';
import { type BrokerSwitches, createSwitches, eachSwitch, useSwitches } from '@crm/contract';

let last = 1000;

/** A new user with a unique id. */
export function someone(facts: Partial<User> = {}): User {
  last += 1;
  return { ...withoutRights(last), timezone: 'America/Los_Angeles', scopes: ['write'], ...facts };
}

const defaultSwitches: BrokerSwitches = {
  ...eachSwitch(useSwitches, false),
  ...eachSwitch(createSwitches, true),
};

/** A sub-account of a broker, with the given switches and defaults for the others. */
export function agentOf(broker: User, switches: Partial<BrokerSwitches> = {}): User {
  return someone({ broker: { id: broker.id, switches: { ...defaultSwitches, ...switches } } });
}

/** A user in a team with the given people that does not share contacts. */
export function teammateOf(...people: readonly User[]): User {
  return someone({ teammate_ids: people.map(({ id }) => id) });
}
