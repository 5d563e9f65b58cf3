import { deadLetters, streamOf } from './stream.ts';

/** The user of the crm command, which manages streams and redelivers dead letters but publishes no events. */
export const operatorUser = 'crm';

/** What the replies to a user are sent to, and to no other. */
export const inboxOf = (user: string) => `_INBOX.${user}`;

/**
 * The part of a NATS server's configuration with a user for each service and one for the crm command. A service publishes
 * its own events and its own dead letters, keeps its own stream and its own consumers, and no more. Without a user nobody
 * can connect.
 *
 * A service cannot change its stream once it exists: with a transformation of subjects the broker would store and deliver
 * its messages as those of another.
 */
export function brokerUsers(passwords: Readonly<Record<string, string>>): string {
  const users = Object.entries(passwords).map(([user, password]) => {
    const publish = user === operatorUser ? operatorSubjects : subjectsOf(user);
    const permissions = { publish, subscribe: [`${inboxOf(user)}.>`] };
    return `    ${JSON.stringify({ user, password, permissions })}`;
  });
  return ['authorization {', '  users: [', users.join(',\n'), '  ]', '}', ''].join('\n');
}

const operatorSubjects = ['$JS.API.>', 'crm-redrive.>'];

function subjectsOf(service: string): string[] {
  const streams = [streamOf(service), deadLetters];
  return [
    `crm.${service}.>`,
    `crm-dead-letters.${service}.>`,
    ...streams.flatMap((stream) =>
      ['CREATE', 'INFO'].map((request) => `$JS.API.STREAM.${request}.${stream}`),
    ),
    `$JS.API.CONSUMER.CREATE.*.${service}`,
    `$JS.API.CONSUMER.CREATE.*.${service}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.*.${service}`,
    `$JS.API.CONSUMER.INFO.*.${service}`,
    `$JS.API.CONSUMER.MSG.NEXT.*.${service}`,
    `$JS.ACK.*.${service}.>`,
  ];
}
