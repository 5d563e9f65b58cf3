import { expect, it } from 'vitest';
import { createCrm } from './create-crm.ts';
import { routes } from './routes.ts';

type Call = (input: object) => Promise<unknown>;

/** Every parameter of every path, with the call that has it and the values of the other parameters. */
const parameters = Object.entries(routes).flatMap(([resource, operations]) =>
  Object.entries(operations).flatMap(([name, rest]) => {
    const names = [...rest.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
    const call = name === 'find' ? 'list' : name;
    const valid = Object.fromEntries(names.map((parameter) => [parameter, 1]));
    return names.map((parameter) => ({ resource, call, parameter, valid }));
  }),
);

/** The API over a network that records the URLs of requests. */
function notingCrm() {
  const sent: string[] = [];
  const crm = createCrm({
    url: 'https://crm.example.com',
    auth: 'crm_at_1',
    fetch: async (address) => {
      sent.push(String(address));
      return new Response('{}');
    },
  });
  return { crm, sent };
}

it.each(parameters)(
  '$resource $call sends nothing when its $parameter would lead to another path',
  async (one) => {
    const { crm, sent } = notingCrm();
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

it('a change whose condition is empty is not sent', async () => {
  const { crm, sent } = notingCrm();
  for (const $where of [{}, { rank: undefined }, { rank: { $gt: undefined } }]) {
    await expect(crm.hotnesses.remove({ id: 1, $where })).rejects.toThrow('has no value');
    await expect(crm.hotnesses.patch({ id: 1, rank: 2, $where })).rejects.toThrow('has no value');
  }
  expect(sent).toEqual([]);
  await crm.hotnesses.remove({ id: 1, $where: { rank: 2, name: undefined } });
  await crm.hotnesses.remove({ id: 1, $where: undefined });
  expect(sent).toEqual(['https://crm.example.com/hotnesses/1?rank=2', 'https://crm.example.com/hotnesses/1']);
});
