import { operation } from '@crm/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { implement, inSteps, proceduresOf } from './implement.ts';

const draft = { summary: 'Order', input: z.object({}), output: z.object({}) } as const;
const orderApi = { create: operation({ rest: 'POST /orders', ...draft }) };
const untriedApi = { create: operation({ rest: 'POST /orders', dryRun: false, ...draft }) };

const act = async () => ({});
const deliver = async () => ({});

describe('an operation that does something after its transaction', () => {
  it('says what a dry run returns in its place, or that it has none', () => {
    const assemble = (steps: object) =>
      proceduresOf(
        { orders: orderApi },
        { orders: implement(orderApi, { create: inSteps(orderApi.create, { act, ...steps }) }) },
      );
    expect(() => assemble({ finish: deliver })).toThrow('"orders.create"');
    expect(() => assemble({ finish: deliver, rehearse: act })).not.toThrow();
    expect(() => assemble({ complete: act })).not.toThrow();
    const untried = implement(untriedApi, { create: inSteps(untriedApi.create, { act, finish: deliver }) });
    expect(() => proceduresOf({ orders: untriedApi }, { orders: untried })).not.toThrow();
  });
});
