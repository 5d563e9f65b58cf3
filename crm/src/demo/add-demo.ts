import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '@crm/client';
import { identityApi } from '@crm/identity/api';
import { addOffice } from './add-office.ts';
import { addRecords } from './add-records.ts';
import { agency } from './agency.ts';
import { type Demo, type DemoPerson, readDemo, writeDemo } from './demo-file.ts';

type Identity = Client<typeof identityApi>;

interface DemoTarget {
  readonly folder: string;
  readonly gateway: string;
  readonly identityUrl: string;
  readonly operatorToken: string;
}

/**
 * The demo users with a token each. At the first start, when there are no users, they and their contacts are created, inside
 * `step`; an interrupted seeding is resumed and creates nothing twice.
 */
export async function addDemo(
  { folder, gateway, identityUrl, operatorToken }: DemoTarget,
  step: (seed: () => Promise<readonly DemoPerson[]>) => Promise<readonly DemoPerson[]>,
): Promise<readonly DemoPerson[]> {
  const identity = createClient(identityApi, { url: identityUrl, token: operatorToken });
  const demo = readDemo(folder);
  const { total } = await identity.users.search({ $limit: 0 });
  if (total > 0 && demo?.complete) return peopleWithTokens(folder, demo, identity);
  if (total > 0 && !demo) return [];
  const planned = demo && total > 0 ? demo : { complete: false, people: newPeople() };
  return step(() => seed({ folder, gateway }, identity, planned));
}

async function seed(
  { folder, gateway }: { folder: string; gateway: string },
  identity: Identity,
  planned: Demo,
): Promise<readonly DemoPerson[]> {
  // First, because the passwords must survive an interruption.
  writeDemo(folder, planned);
  const people = await Promise.all(planned.people.map((person) => withAccount(identity, person)));
  writeDemo(folder, { complete: false, people });
  await Promise.all(people.map(({ token }, owner) => addRecords(gateway, token, owner)));
  await addOffice(gateway, identity, people);
  writeDemo(folder, { complete: true, people });
  return people;
}

function newPeople(): DemoPerson[] {
  return agency.people.map((person) => ({
    ...person,
    email: `${person.first_name}.${person.last_name}@example.com`.toLowerCase(),
    password: randomBytes(12).toString('base64url'),
    token: '',
  }));
}

async function withAccount(identity: Identity, person: DemoPerson): Promise<DemoPerson> {
  const { first_name, last_name, email, phone = null, password, role } = person;
  if (!(await isUser(identity, { email }))) {
    const { timezone } = agency;
    await identity.users.create({
      first_name,
      last_name,
      email,
      phone,
      password,
      timezone,
      is_broker: role === 'broker',
    });
  }
  return (await isValid(identity, person.token)) ? person : withNewToken(identity, person);
}

async function withNewToken(identity: Identity, person: DemoPerson): Promise<DemoPerson> {
  const { access_token } = await identity.tokens.create({ user: person.email, scope: 'write', name: 'demo' });
  return { ...person, token: access_token };
}

/** Tokens expire after 90 days or are revoked, and the database may not be that of the last start. */
async function peopleWithTokens(
  folder: string,
  demo: Demo,
  identity: Identity,
): Promise<readonly DemoPerson[]> {
  const people = await Promise.all(
    demo.people.map(async (person) => {
      if (await isValid(identity, person.token)) return person;
      const active = { email: person.email, is_active: true };
      return (await isUser(identity, active)) ? withNewToken(identity, person) : undefined;
    }),
  );
  const present = people.filter((person) => person !== undefined);
  if (present.some(({ token }, index) => token !== demo.people[index]?.token))
    writeDemo(folder, { ...demo, people: present });
  return present;
}

type UserFilter = Parameters<Identity['users']['search']>[0];

async function isUser(identity: Identity, filter: UserFilter): Promise<boolean> {
  return (await identity.users.search({ ...filter, $limit: 0 })).total > 0;
}

async function isValid(identity: Identity, token: string): Promise<boolean> {
  return identity.actors.resolve({ token }).then(
    () => true,
    () => false,
  );
}
