import { afterAll, describe, expect, it } from 'vitest';
import { type ImportOptions, importing } from '../../test/importing.ts';
import { clearImports } from './forget-imports.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send, ofUser } = contacts;

describe('a file', () => {
  const receive = contacts.asSystem.imports.receive;

  it('may be sent again, part after part, and is then the same import', async () => {
    const anna = await person();
    const { id } = await contacts.as(anna).imports.create({});
    const first = { id, index: 0, text: 'First Name\nAn', is_last: false };
    await receive(first);
    await receive(first);
    await expect(receive({ ...first, text: 'First Name\nBe' })).rejects.toMatchObject({
      name: 'Unprocessable',
    });
    await expect(receive({ ...first, index: 2 })).rejects.toMatchObject({ name: 'BadRequest' });
    await receive({ id, index: 1, text: 'na', is_last: false });
    for (let times = 0; times < 2; times++) await receive({ id, index: 2, text: '', is_last: true });
    await run();
    await receive({ id, index: 2, text: '', is_last: true });
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ status: 'Done', created: 1 });
    expect((await ofUser(anna))[0]?.first_name).toBe('Anna');
  });

  it('of which more comes after its import was canceled is refused with that reason', async () => {
    const anna = await person();
    const { create, patch } = contacts.as(anna).imports;
    const { id } = await create({});
    const first = { id, index: 0, text: 'First Name\n', is_last: false };
    await receive(first);
    await patch({ id, status: 'Canceled' });
    await receive(first);
    await expect(receive({ ...first, index: 1 })).rejects.toMatchObject({
      name: 'Conflict',
      reason: 'ended_before_file',
    });
    await expect(receive({ ...first, text: 'Email\n' })).rejects.toMatchObject({ name: 'Unprocessable' });
  });

  it.each([
    ['', { file: 'is empty' }],
    ['\n\n', { file: 'has no row' }],
    ['Nothing,Known\n1,2', { file: expect.stringMatching(/^No header matches a field/) }],
    [
      'sep=;\nFirst Name;Email\nAnna;a@example.com',
      { file: expect.stringMatching(/^The first line is "sep=".*Remove it/) },
    ],
    ['"First Name\nAnna', { file: expect.stringMatching(/^is malformed on line 1: a quote is opened/) }],
  ])('from which nothing can be imported is refused: %j', async (text, errors) => {
    const anna = await person();
    await expect(send(anna, text)).rejects.toMatchObject({ name: 'BadRequest', errors });
    const [uploading] = (await contacts.as(anna).imports.find({})).data;
    const id = uploading?.id ?? 0;
    const ended = await receive({ id, index: 1, text: '', is_last: false, problem: 'It is wrong.' });
    expect(ended).toMatchObject({ status: 'Failed', error: 'It is wrong.' });
    await clearImports(contacts.workerContext);
    expect(await rows("select from import_parts where import_id = $1 and text <> ''", [id])).toEqual([]);
  });

  it.each([
    [{ mapping: { Stage: 'nosuch' } }, 'mapping.Stage'],
    [{ mapping: { '*': 'email' } }, 'mapping.*'],
    [{ duplicates: 'burn' }, 'duplicates'],
    [{ tags: 'x'.repeat(509) }, 'tags'],
    [{ assigned_user_id: 999_999 }, 'assigned_user_id'],
  ])('is refused before it arrives if an option is wrong: %j', async (options, named) => {
    const anna = await person();
    await expect(contacts.as(anna).imports.create(options as ImportOptions)).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { [named]: expect.any(String) },
    });
  });

  it('is given up when it stops arriving, and may not be one of too many', async () => {
    const anna = await person();
    const { create, get } = contacts.as(anna).imports;
    const { id } = await create({});
    await rows("update imports set modified_at = now() - interval '61 minutes' where id = $1", [id]);
    await create({});
    const unconfirmed = await send(anna, 'First Name\nAnna');
    await rows(
      "update imports set status = 'Mapping', modified_at = now() - interval '25 hours' where id = $1",
      [unconfirmed],
    );
    const before = (await contacts.published()).length;
    await clearImports(contacts.workerContext);
    expect(await get({ id })).toMatchObject({
      status: 'Failed',
      error: 'The file did not arrive completely.',
    });
    expect(await get({ id: unconfirmed })).toMatchObject({ status: 'Canceled', error: null });
    const ended = (await contacts.published()).slice(before).map(({ type, data }) => [type, data]);
    expect(ended).toEqual(
      [id, unconfirmed].map((one) => ['crm.contacts.import.ended', { import_id: one, user_id: anna.id }]),
    );
    for (let open = 1; open < 20; open++) await create({});
    await expect(create({})).rejects.toMatchObject({ name: 'Conflict', reason: 'too_many_imports' });
    await rows("update imports set ended_at = now() - interval '31 days' where id = $1", [id]);
    await clearImports(contacts.workerContext);
    await expect(get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is kept while it arrives, and for a day until somebody confirms its columns; its import is kept for 30 days', async () => {
    const anna = await person();
    const { create, get } = contacts.as(anna).imports;
    const age = (id: number, what: string, days: number) =>
      rows(`update imports set ${what} = now() - $2 * interval '1 day' where id = $1`, [id, days]);
    const { id: arriving } = await create({});
    await receive({ id: arriving, index: 0, text: 'First Name\n', is_last: false });
    await age(arriving, 'modified_at', 0.9);
    await receive({ id: arriving, index: 1, text: 'Anna\n', is_last: false });
    const unconfirmed = await send(anna, 'First Name\nBea');
    await age(unconfirmed, "status = 'Mapping', modified_at", 0.9);
    const ended = await send(anna, 'First Name\nCleo');
    await contacts.as(anna).imports.patch({ id: ended, status: 'Canceled' });
    await age(ended, 'ended_at', 29);
    await clearImports(contacts.workerContext);
    const statuses = [];
    for (const id of [arriving, unconfirmed, ended]) statuses.push((await get({ id })).status);
    expect(statuses).toEqual(['Uploading', 'Mapping', 'Canceled']);
  });
});
