import { afterAll, describe, expect, it } from 'vitest';
import { accountsUnderTest } from './accounts.ts';

const accounts = await accountsUnderTest();
afterAll(accounts.close);

let files = 0;

/** Why the contacts of an agent with other numbers and addresses of a row get no texts or e-mails, in the order of these. */
async function sourcesAfter(
  row: { readonly headers: string; readonly cells: string },
  duplicates: 'skip' | 'update' | 'create',
  others: readonly object[],
) {
  const user = accounts.agent();
  const api = accounts.as(user);
  await api.contacts.create({ first_name: 'Anna', email: 'one@x.example' });
  const ids: number[] = [];
  for (const other of others) ids.push((await api.contacts.create(other)).id);
  const path = accounts.file(`cells-${++files}.csv`, `${row.headers}\n${row.cells}`);
  expect(await accounts.import(user, path, { duplicates })).toMatchObject({ failed: 0 });
  const sent = await accounts.asSystem.contacts.exportForDispatch({ ids });
  return ids
    .map((id) => sent.find((one) => one.id === id))
    .map((one) => one?.text_opt_out ?? one?.email_opt_out ?? null);
}

describe('a row that opts somebody out', () => {
  const others = [
    { mobile_phone: '+16045554001' },
    { mobile_phone: '+16045554002' },
    { mobile_phone: '+16045554003' },
    { email: 'TWO@x.example' },
    { email: 'three@x.example' },
  ];
  const row = {
    headers: 'First Name,Email,Mobile Phone,Work Phone,Fax,Spouse Email,Opted Out',
    cells:
      'Anna,one@x.example ::: two@x.example ::: Anna <three@x.example> ::: none,604 555 4001 ::: 604 555 4002,' +
      '604 555 4003,604 555 4004,spouse@x.example,yes',
  };

  it.each(['skip', 'update', 'create'] as const)(
    'does so for all of its phones and addresses: %s',
    async (duplicates) => {
      expect(await sourcesAfter(row, duplicates, others)).toEqual(others.map(() => 'Agent'));
    },
  );

  it('does so for nobody else, and of texts alone for no address', async () => {
    const strangers = [{ mobile_phone: '+16045554004' }, { email: 'spouse@x.example' }];
    expect(await sourcesAfter(row, 'create', strangers)).toEqual([null, null]);
    const ofTexts = { ...row, headers: row.headers.replace('Opted Out', 'Do Not Text') };
    expect(await sourcesAfter(ofTexts, 'create', [{ email: 'two@x.example' }])).toEqual([null]);
    const ofNobody = { ...row, cells: row.cells.replace('yes', 'no') };
    expect(await sourcesAfter(ofNobody, 'create', others)).toEqual(others.map(() => null));
  });
});
