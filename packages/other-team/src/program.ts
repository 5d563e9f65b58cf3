// What another team writes with the packages that it has installed. Copied by the test that installs them.
import { type Client, createClient } from '@crm/client';
import { type ContactsRouter, contactsApi } from '@crm/contacts/api';
import { type Problem, Refused } from '@crm/contract';
import { contactCreated, subjectOf } from '@crm/events';
import { createCrm, isCrmError } from '@crm/sdk';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, type TRPCClientError } from '@trpc/client';
import { EventSource } from 'eventsource';

interface Place {
  readonly url: string;
  readonly contactsUrl: string;
  readonly token: string;
  /** Of programs of other teams. */
  readonly platformToken: string;
}

export async function report(place: Place) {
  return {
    trpc: await withTrpc(place),
    client: await withClient(place),
    sdk: await withSdk(place),
    events: await withEvents(place),
    subject: subjectOf(contactCreated),
  };
}

async function withTrpc({ contactsUrl, token }: Place) {
  const headers = { authorization: `Bearer ${token}` };
  const { contacts } = createTRPCClient<ContactsRouter>({
    links: [httpBatchLink({ url: `${contactsUrl}/trpc`, headers })],
  });
  const { id } = await contacts.create.mutate({ first_name: 'Grace' });
  const [{ first_name }, { total }] = await Promise.all([contacts.get.query({ id }), contacts.find.query()]);
  contactCreated.data.parse({ contact_id: id, owner_user_id: 1, assigned_user_id: null });
  let problem: Problem | undefined;
  // @ts-expect-error A contact has no such field.
  const failing = contacts.find.query({ no_such_field: 1 });
  await failing.catch((error: TRPCClientError<ContactsRouter>) => {
    problem = error.data?.problem;
  });
  return { first_name, total, refused: problem?.name };
}

async function withClient({ contactsUrl, token }: Place) {
  const { contacts }: Client<typeof contactsApi> = createClient(contactsApi, { url: contactsUrl, token });
  const { data } = await contacts.find({ first_name: 'Grace' });
  const refused: unknown = await contacts.get({ id: 999_999 }).catch((error: unknown) => error);
  return { found: data.length, refused: refused instanceof Refused ? refused.name : undefined };
}

async function withSdk({ url, token }: Place) {
  const { contacts } = createCrm({ url, auth: token });
  const names: (string | null)[] = [];
  for await (const { first_name } of contacts.all({ first_name: { $like: '%race%' } }))
    names.push(first_name);
  const refused: unknown = await contacts.get({ id: 999_999 }).catch((error: unknown) => error);
  return { names, isNotFound: isCrmError(refused, 'NotFound') };
}

/** Gets the event of a contact, leaves, and gets the one that it has missed when it comes back. */
async function withEvents({ contactsUrl, token, platformToken }: Place) {
  const { contacts } = createClient(contactsApi, { url: contactsUrl, token });
  const { events } = createTRPCClient<ContactsRouter>({
    links: [
      httpSubscriptionLink({
        url: `${contactsUrl}/trpc`,
        EventSource,
        eventSourceOptions: {
          fetch: (url, init) =>
            fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${platformToken}` } }),
        },
      }),
    ],
  });
  const next = (lastEventId: string | null, onStarted: () => void) =>
    new Promise<{ id: string; contact: number }>((resolve, reject) => {
      const { unsubscribe } = events.subscribe.subscribe(
        { lastEventId, types: ['contacts.contact.created'] },
        {
          onStarted,
          onError: reject,
          onData({ id, data }) {
            if (!data) return;
            unsubscribe();
            resolve({ id, contact: contactCreated.data.parse(data.data).contact_id });
          },
        },
      );
    });
  let created: Promise<{ id: number }> | undefined;
  const first = await next(null, () => {
    created ??= contacts.create({ first_name: 'Ada' });
  });
  const missed = await contacts.create({ first_name: 'Emmy' });
  const second = await next(first.id, () => undefined);
  return { isFirst: first.contact === (await created)?.id, isMissed: second.contact === missed.id };
}
