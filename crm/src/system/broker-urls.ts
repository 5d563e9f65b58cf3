import type { BrokerUser } from '@crm/messaging';
import type { Secrets } from './secrets.ts';
import { readsEventsOf, serviceNames } from './services.ts';

/** The broker URL of each service and of the crm command, with their users. */
export type BrokerUrls = Readonly<Record<keyof Secrets['brokerPasswords'], string>>;

export function forEachUser(urlOf: (user: keyof BrokerUrls) => string): BrokerUrls {
  const users = [...serviceNames, 'crm'] as const;
  return Object.fromEntries(users.map((user) => [user, urlOf(user)])) as BrokerUrls;
}

/** The broker's users, with the streams that each reads. */
export function brokerUsersOf({
  brokerPasswords,
}: Pick<Secrets, 'brokerPasswords'>): Readonly<Record<string, BrokerUser>> {
  const services = serviceNames.map((name) => [
    name,
    { password: brokerPasswords[name], reads: readsEventsOf[name] },
  ]);
  return { ...Object.fromEntries(services), crm: { password: brokerPasswords.crm } };
}

/** The servers of a URL with the generated users, unless the URL has a user itself. */
export function withUsers(urls: string, { brokerPasswords }: Pick<Secrets, 'brokerPasswords'>): BrokerUrls {
  return forEachUser((user) =>
    urls
      .split(',')
      .map((url) => (new URL(url).username ? url : withUser(url, user, brokerPasswords[user])))
      .join(','),
  );
}

function withUser(text: string, user: string, password: string): string {
  const url = new URL(text);
  return `${url.protocol}//${user}:${password}@${url.host}`;
}
