import { redrivePrefix, streamOf, subjectsOf } from './stream-name.ts';

/** The user of the crm command, which manages streams and redelivers events but publishes none. */
export const operatorUser = 'crm';

/** Where replies to a user are sent; no other user receives them. */
export const inboxOf = (user: string) => `_INBOX.${user}`;

/** A user of the broker. */
export interface BrokerUser {
  readonly password: string;
  /** The services whose events it subscribes to. */
  readonly reads?: readonly string[];
}

/**
 * The part of a NATS server's configuration with a user for each service and one for the crm command. A service may publish its
 * own events and manage its own stream and its own consumers of the streams that it reads, and nothing else. Nobody can connect
 * without a user.
 *
 * A service cannot change its stream once it exists: with a transformation of subjects the broker would store and deliver its
 * messages as those of another.
 *
 * The broker does not check where a service has it send a reply, or where a new consumer delivers. Replies may be stored in the
 * stream of another service, where they are no events and become dead letters. A consumer delivers nothing to a subject of a
 * stream, because nobody subscribes to it.
 */
export function brokerUsers(all: Readonly<Record<string, BrokerUser>>): string {
  const users = Object.entries(all).map(([user, { password, reads = [] }]) => {
    const publish = user === operatorUser ? operatorSubjects : writableBy(user, reads);
    const permissions = { publish, subscribe: [`${inboxOf(user)}.>`] };
    return `    ${JSON.stringify({ user, password, permissions })}`;
  });
  return ['authorization {', '  users: [', users.join(',\n'), '  ]', '}', ''].join('\n');
}

const operatorSubjects = ['$JS.API.>', `${redrivePrefix}>`];

function writableBy(service: string, reads: readonly string[]): string[] {
  return [
    subjectsOf(service),
    ...['CREATE', 'INFO', 'MSG.GET'].map((request) => `$JS.API.STREAM.${request}.${streamOf(service)}`),
    ...reads
      .map(streamOf)
      .flatMap((stream) => [
        `$JS.API.CONSUMER.CREATE.${stream}.${service}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${service}.>`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${service}`,
        `$JS.API.CONSUMER.INFO.${stream}.${service}`,
        `$JS.API.CONSUMER.RESET.${stream}.${service}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
        `$JS.ACK.${stream}.${service}.>`,
      ]),
  ];
}
