import type { CampaignsTemplatesRouter, campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import type { ContactsRouter, contactsApi } from '@crm/contacts/api';
import type { Contract, Operation, Problem } from '@crm/contract';
import { contracts } from '@crm/gateway';
import type { IdentityRouter, identityApi } from '@crm/identity/api';
import type { LeadsRoutingRouter, leadsRoutingApi } from '@crm/leads-routing/api';
import type { SchedulingRouter, schedulingApi } from '@crm/scheduling/api';
import { QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  createTRPCUntypedClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client';
import type { AnyTRPCRouter, inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { shapesFor, startSystem } from './system.ts';

type MethodOf<Kind> = Kind extends 'subscription' ? 'subscribe' : Kind extends 'query' ? 'query' : 'mutate';

/** The procedures of a contract that the stock client would not call, or not with these types. Never, if all is well. */
type Wrong<C extends Contract, R extends AnyTRPCRouter> = {
  [Resource in keyof C]: {
    [Verb in keyof C[Resource]]: C[Resource][Verb] extends Operation<infer In, infer Out, infer Kind>
      ? Resource extends keyof TRPCClient<R>
        ? Verb extends keyof TRPCClient<R>[Resource]
          ? TRPCClient<R>[Resource][Verb] extends Record<MethodOf<Kind>, infer Call>
            ? Kind extends 'subscription'
              ? never
              : Call extends (input: z.input<In>) => Promise<infer Result>
                ? Result extends z.output<Out>
                  ? never
                  : ['result of', Resource, Verb]
                : ['input of', Resource, Verb]
            : ['kind of', Resource, Verb]
          : ['name of', Resource, Verb]
        : ['name of', Resource]
      : never;
  }[keyof C[Resource]];
}[keyof C];

describe('the types of the stock client', () => {
  it('reach every query and mutation of every contract, with its input and its result', () => {
    expectTypeOf<Wrong<typeof contactsApi, ContactsRouter>>().toBeNever();
    expectTypeOf<Wrong<typeof identityApi, IdentityRouter>>().toBeNever();
    expectTypeOf<Wrong<typeof leadsRoutingApi, LeadsRoutingRouter>>().toBeNever();
    expectTypeOf<Wrong<typeof campaignsTemplatesApi, CampaignsTemplatesRouter>>().toBeNever();
    expectTypeOf<Wrong<typeof schedulingApi, SchedulingRouter>>().toBeNever();
    // Of another service nothing is reached.
    expectTypeOf<Wrong<typeof contactsApi, SchedulingRouter>>().not.toBeNever();
  });

  it('have inputs and outputs, and not any or unknown', () => {
    type Inputs = inferRouterInputs<ContactsRouter>;
    type Outputs = inferRouterOutputs<ContactsRouter>;
    expectTypeOf<{ name: string; rank: '1' }>().toExtend<Inputs['hotnesses']['create']>();
    expectTypeOf<{ name: 5 }>().not.toExtend<Inputs['hotnesses']['create']>();
    expectTypeOf<Inputs['contacts']['get']>().not.toBeAny();
    expectTypeOf<Inputs['contacts']['get']['id']>().toEqualTypeOf<number | string>();
    // No field is required, so the input is not either.
    expectTypeOf<undefined>().toExtend<Inputs['contacts']['find']>();
    expectTypeOf<undefined>().not.toExtend<Inputs['contacts']['get']>();
    expectTypeOf<Outputs['contacts']['find']['total']>().toEqualTypeOf<number>();
    expectTypeOf<Outputs['contacts']['find']['data'][number]['first_name']>().toEqualTypeOf<string | null>();
    type Client = TRPCClient<ContactsRouter>;
    expectTypeOf<Client['contacts']['find']>().not.toHaveProperty('mutate');
    expectTypeOf<Client['contacts']['create']>().not.toHaveProperty('query');
    expectTypeOf<Client>().not.toHaveProperty('tasks');
    type Subscribe = Client['events']['subscribe']['subscribe'];
    const received = async (subscribe: Subscribe) => {
      for await (const { id, data } of subscribe({ types: ['contacts.contact.created'] }))
        return { id, data };
    };
    type Received = NonNullable<Awaited<ReturnType<typeof received>>>;
    expectTypeOf<Received['id']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Received['data']>['type']>().toEqualTypeOf<string>();
    expectTypeOf<null>().toExtend<Received['data']>();
    type Failure = TRPCClientError<ContactsRouter>;
    expectTypeOf<NonNullable<Failure['data']>['problem']>().toEqualTypeOf<Problem>();
  });
});

/** Subscriptions need another link. */
const calledIn = (operations: Contract[string]) =>
  Object.entries(operations).filter(([, { kind }]) => kind !== 'subscription');

describe.each(shapesFor(import.meta))('%s: the stock client', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person();
  const options = (service: string) => ({
    url: `${system.services[service]}/trpc`,
    headers: { authorization: `Bearer ${anna.token}` },
  });

  it.each(Object.entries(contracts))('reaches every procedure of %s', async (service, contract) => {
    const batched = createTRPCUntypedClient({
      links: [httpBatchLink({ ...options(service), maxItems: 50, methodOverride: 'POST' })],
    });
    const calls = Object.entries(contract).flatMap(([resource, operations]) =>
      calledIn(operations).map(async ([verb, { kind }]) => {
        const path = `${resource}.${verb}`;
        // An invalid input: each procedure refuses it, or refuses the user before.
        const send = kind === 'query' ? batched.query.bind(batched) : batched.mutation.bind(batched);
        const error = await send(path, []).then(
          () => undefined,
          (reason) => reason,
        );
        return { path, error: error?.data };
      }),
    );
    expect(calls.length).toBeGreaterThan(10);
    for (const { path, error } of await Promise.all(calls)) {
      expect(error, path).toMatchObject({ path, problem: { name: expect.any(String) } });
      expect(['BadRequest', 'Forbidden', 'NotAuthenticated'], path).toContain(error.problem.name);
    }
  });

  it.each([
    ['httpLink', httpLink<ContactsRouter>],
    ['httpBatchLink', httpBatchLink<ContactsRouter>],
    ['httpBatchStreamLink', httpBatchStreamLink<ContactsRouter>],
  ])('creates, finds and removes with %s, and knows what failed', async (_, link) => {
    const { contacts } = createTRPCClient<ContactsRouter>({ links: [link(options('contacts'))] });
    const grace = await contacts.create.mutate({ first_name: 'Grace', email: 'grace@example.com' });
    const [found, read] = await Promise.all([
      contacts.find.query({ email: 'grace@example.com' }),
      contacts.get.query({ id: grace.id }),
    ]);
    expect(found).toMatchObject({ total: 1, data: [{ id: grace.id, first_name: 'Grace' }] });
    expect(read).toEqual(grace);
    await contacts.remove.mutate({ id: grace.id });
    const error = await contacts.get.query({ id: grace.id }).catch((reason: unknown) => reason);
    if (!(error instanceof TRPCClientError)) throw error;
    const { data }: TRPCClientError<ContactsRouter> = error;
    expect(data?.problem).toEqual({
      name: 'NotFound',
      message: `No record found for id '${grace.id}'`,
      reason: 'record_not_found',
      errors: {},
    });
  });

  it('serves the options of TanStack Query, with their types', async () => {
    const client = createTRPCClient<ContactsRouter>({ links: [httpBatchLink(options('contacts'))] });
    const queryClient = new QueryClient();
    const { contacts } = createTRPCOptionsProxy<ContactsRouter>({ client, queryClient });
    const { mutationFn } = contacts.create.mutationOptions();
    expectTypeOf<{ first_name: 'Ada' }>().toExtend<Parameters<NonNullable<typeof mutationFn>>[0]>();
    expectTypeOf<{ first_name: 5 }>().not.toExtend<Parameters<NonNullable<typeof mutationFn>>[0]>();
    const { id } = await client.contacts.create.mutate({ first_name: 'Ada' });
    const page = await queryClient.fetchQuery(contacts.find.queryOptions({ id }));
    expectTypeOf<(typeof page.data)[number]['first_name']>().toEqualTypeOf<string | null>();
    expect(page).toMatchObject({ total: 1, data: [{ id, first_name: 'Ada' }] });
    // @ts-expect-error A contact has no such field.
    contacts.find.queryOptions({ no_such_field: 1 });
    queryClient.clear();
  });
});
