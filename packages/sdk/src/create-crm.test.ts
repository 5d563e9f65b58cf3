import { expect, it } from 'vitest';
import { createCrm } from './create-crm.ts';
import { routes } from './routes.ts';

type Call = (input: object) => Promise<unknown>;

/** Every parameter of every path: the call that has it, and the values of the others. */
const parameters = Object.entries(routes).flatMap(([resource, operations]) =>
  Object.entries(operations).flatMap(([name, rest]) => {
    const names = [...rest.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
    const call = name === 'find' ? 'list' : name;
    const valid = Object.fromEntries(names.map((parameter) => [parameter, 1]));
    return names.map((parameter) => ({ resource, call, parameter, valid }));
  }),
);

it.each(parameters)(
  '$resource $call sends nothing when its $parameter would lead to another path',
  async (one) => {
    const sent: unknown[] = [];
    const crm = createCrm({
      url: 'https://crm.example.com',
      auth: 'crm_at_1',
      fetch: async (address) => {
        sent.push(address);
        return new Response('{}');
      },
    });
    const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = crm;
    const call = resources[one.resource]?.[one.call] as Call;
    for (const value of ['', '.', '..', null, undefined, []]) {
      const asked = call({ ...one.valid, [one.parameter]: value });
      await expect(asked, String(value)).rejects.toThrow(TypeError);
      await expect(asked, String(value)).rejects.toThrow(`"${one.parameter}"`);
    }
    expect(sent).toEqual([]);
  },
);
