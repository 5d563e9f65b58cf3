import { joinTeam, killWaiting, openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';
import { clearImports } from './forget-imports.ts';
import { dueImports } from './portion.queries.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send, done, ofUser, errorsOf } = contacts;

describe('an import', () => {
  it('adds the contacts of a file in portions, with what its options add to each', async () => {
    const anna = await person();
    const text = csv(
      people(1_200).map((line, n) => (n === 400 ? `"Multi\r\nline ""${n}""",é${n}@example.com` : line)),
    );
    const id = await send(
      anna,
      text,
      { tags: 'Spring', name: 'office.csv', mapping: { Email: 'email' } },
      3_000,
    );
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Waiting',
      name: 'office.csv',
      bytes: Buffer.byteLength(text),
      columns: [
        { header: 'First Name', field: 'first_name' },
        { header: 'Email', field: 'email' },
      ],
    });
    const before = (await contacts.published()).length;
    await run();
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Done',
      progress: 100,
      rows: 1_200,
      created: 1_200,
      failed: 0,
      error: null,
    });
    const added = await ofUser(anna);
    expect(added.map(({ first_name }) => first_name)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => (n === 400 ? 'Multi\r\nline "400"' : `Anna ${n}`)),
    );
    expect(new Set(added.map(({ tags }) => tags))).toEqual(new Set(['Spring']));
    const events = (await contacts.published()).slice(before);
    const created = events.filter(({ type }) => type === 'crm.contacts.contact.created');
    expect([created.length, new Set(created.map(({ actor }) => actor))]).toEqual([
      1_200,
      new Set([`user/${anna.id}`]),
    ]);
    expect(events.at(-1)?.type).toBe('crm.contacts.import.ended');
    const audited = await rows(
      "select count(*)::int from audit_events where user_id = $1 and action = 'importedRows.add'",
      [anna.id],
    );
    expect(audited).not.toEqual([{ count: 0 }]);
    await clearImports(contacts.workerContext);
    expect(await rows("select from import_parts where import_id = $1 and text <> ''", [id])).toEqual([]);
  });

  it('of the same file adds nothing twice, and matches who is a contact already', async () => {
    const anna = await person();
    const text = csv(people(300));
    await done(anna, text, { duplicates: 'create' });
    expect(await done(anna, text, { duplicates: 'create' })).toMatchObject({ created: 0, skipped: 300 });
    expect(await done(anna, `${text}\nNew,new@example.com`)).toMatchObject({ created: 1, skipped: 300 });
    const changed = 'Email,Company,Tags\nanna1@example.com,Ng Ltd,\nANNA2@example.com,Ng Ltd,Buyer';
    await rows('update contacts set tags_head = null where owner_user_id = $1', [anna.id]);
    const [, second] = await ofUser(anna);
    await contacts.as(anna).contacts.patch({ id: second?.id ?? 0, tags: 'Kept' });
    expect(await done(anna, changed, { duplicates: 'update', tags: 'Spring' })).toMatchObject({ updated: 2 });
    const [, one, two] = await ofUser(anna);
    expect([one?.tags, two?.tags, one?.company, one?.first_name]).toEqual([
      'Kept, Spring',
      'Buyer, Spring',
      'Ng Ltd',
      'Anna 1',
    ]);
  });

  it('leaves wrong rows out, which can be fixed in the file of errors and sent again', async () => {
    const anna = await person();
    const text =
      'First Name;Email;Phone\r\nAnna;anna@example.com;\r\n"B;en";nowhere;\r\nCy;cy@example.com;5,03556E+09\r\n';
    const one = await done(anna, text);
    expect(one).toMatchObject({ status: 'Done', rows: 3, created: 1, failed: 2 });
    const errors = await errorsOf(anna, one.id);
    expect(errors.split('\n')).toEqual([
      '\ufeffFirst Name;Email;Phone;line;reason',
      expect.stringMatching(/^"B;en";nowhere;;3;Email: must be one e-mail address/),
      expect.stringMatching(/^Cy;cy@example.com;5,03556E\+09;4;"?Phone: is a number that a spreadsheet/),
      '',
    ]);
    const fixed = errors.replace('nowhere', 'ben@example.com').replace('5,03556E+09', '+16045554572');
    expect(await done(anna, fixed)).toMatchObject({ created: 2, failed: 0 });
    expect((await ofUser(anna)).map(({ first_name }) => first_name)).toEqual(['Anna', 'B;en', 'Cy']);
    const converted = await done(anna, 'First Name,Birthday\nDora,10/28/1955');
    expect(converted).toMatchObject({ created: 1, warned: 1 });
    const { text: warnings } = await contacts.as(anna).imports.warnings({ id: converted.id });
    expect(warnings).toMatch(
      /^\ufeffFirst Name,Birthday,line,reason\nDora,10\/28\/1955,2,.*was read as 1955-10-28/,
    );
  });

  it('reads lines of JSON like the bodies of single requests, and gives the wrong ones back', async () => {
    const anna = await person();
    const field = await contacts.as(anna).customFields.create({ name: 'Pet', data_type: 'Text' });
    const lines = [
      {
        first_name: 'Anna',
        tags: 'Buyer',
        addresses: [{ id: 7, city: 'Surrey' }],
        custom_fields: [{ id: field.id, value: 'Cat' }],
      },
      { first_name: 'x'.repeat(300), hotness_id: 5 },
      { first_name: 'Cy', hotness_id: 999_999, unknown: 1 },
    ].map((line) => JSON.stringify(line));
    const text = [...lines, 'no JSON', '', '{"first_name":"Dora","toString":null}'].join('\n');
    const one = await done(anna, text, { type: 'application/x-ndjson', tags: 'Spring' }, 50);
    expect(one).toMatchObject({ status: 'Done', rows: 5, created: 2, failed: 3, columns: [] });
    expect(await ofUser(anna)).toMatchObject([
      {
        first_name: 'Anna',
        tags: 'Buyer, Spring',
        addresses: [{ city: 'Surrey' }],
        custom_fields: [{ value: 'Cat' }],
      },
      { first_name: 'Dora', tags: 'Spring' },
    ]);
    const errors = (await errorsOf(anna, one.id))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(errors).toEqual([
      {
        first_name: 'x'.repeat(300),
        hotness_id: 5,
        line: 2,
        reason: 'first_name: must have at most 255 characters',
      },
      {
        first_name: 'Cy',
        hotness_id: 999_999,
        unknown: 1,
        line: 3,
        reason: expect.stringMatching(/^hotness_id: .*does not exist/),
      },
      { text: 'no JSON', line: 4, reason: 'must be a JSON object' },
    ]);
  });

  it('lets a search find the addresses of contacts that it adds and of those that it updates', async () => {
    const anna = await person();
    const api = contacts.as(anna).contacts;
    const { id } = await api.create({ email: 'old@example.com' });
    const lines = ['Email,Street', 'new@example.com,Elm Rise 1', 'old@example.com,Oak Rise 2'];
    expect(await done(anna, lines.join('\n'), { duplicates: 'update' })).toMatchObject({
      created: 1,
      updated: 1,
    });
    expect(await api.find({ $search: 'oak rise' })).toMatchObject({ total: 1, data: [{ id }] });
    expect(await api.find({ $search: 'elm rise' })).toMatchObject({ data: [{ email: 'new@example.com' }] });
  });

  it('only reports in a dry run, in which rows match each other in all portions', async () => {
    const anna = await person();
    const text = csv([...people(1_190), ...people(10)]);
    const before = await rows('select count(*)::int from contacts');
    expect(await done(anna, text, { dry_run: true })).toMatchObject({
      status: 'Done',
      created: 1_190,
      skipped: 10,
    });
    expect(await rows('select count(*)::int from contacts')).toEqual(before);
    expect(await done(anna, text)).toMatchObject({ status: 'Done', created: 1_190, skipped: 10 });
  });

  it('continues where it was when its process is killed, and adds nothing twice', async () => {
    const anna = await person();
    const id = await send(anna, csv(people(1_200)));
    await rows(
      `create function hold() returns trigger language plpgsql as $$ begin
         perform pg_advisory_xact_lock(42); return new; end $$`,
    );
    await rows(
      "create trigger hold before insert on contacts for each row when (new.first_name = 'Anna 1100') execute function hold()",
    );
    await using held = await openTransaction(contacts.database, 'select pg_advisory_xact_lock(42)');
    const [holder] = await rows(
      "select pid from pg_locks where locktype = 'advisory' and objid = 42 and granted",
    );
    const first = run();
    await untilWaiting(rows, [first], Number(holder?.pid));
    const stored = () => rows('select rows, created from imports where id = $1', [id]);
    expect(await stored()).toEqual([{ rows: 1_000, created: 1_000 }]);
    await killWaiting(rows);
    await first;
    await held.rollback();
    await rows('drop trigger hold on contacts');
    expect(await stored()).toEqual([{ rows: 1_000, created: 1_000 }]);
    await rows('update imports set due_at = now() where id = $1', [id]);
    await Promise.all([run(), run()]);
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Done',
      rows: 1_200,
      created: 1_200,
    });
    expect(await contacts.as(anna).contacts.find({ $limit: 0 })).toMatchObject({ total: 1_200 });
  });

  it('waits for the earlier ones of its user only, and can be canceled', async () => {
    const [anna, ben] = [await person(), await person()];
    const first = await send(anna, csv(people(1_100, 5_000)));
    const second = await send(anna, csv(people(10, 1_000)));
    const canceled = await send(anna, csv(people(10, 2_000)));
    const other = await send(ben, csv(people(10)));
    const uploading = await contacts.as(anna).imports.create({});
    const api = contacts.as(anna).imports;
    for (const id of [canceled, uploading.id])
      expect(await api.patch({ id, status: 'Canceled' })).toMatchObject({ status: 'Canceled', error: null });
    const due = await dueImports(contacts.database.query, 10);
    expect(due.map(({ id }) => id)).toEqual([first, other]);
    const ended = 'select id from imports where id = any($1) and ended_at is not null order by ended_at';
    // A portion that fails because the machine is busy is postponed.
    const inOrder = async () => {
      await run();
      return (await rows(ended, [[first, second]])).map(({ id }) => id);
    };
    await expect.poll(inOrder).toEqual([first, second]);
    expect(await api.patch({ id: first, status: 'Canceled' })).toMatchObject({ status: 'Done' });
    expect(await contacts.as(anna).contacts.find({ $limit: 0 })).toMatchObject({ total: 1_110 });
    const hidden = { name: 'NotFound' };
    const strange = contacts.as(ben).imports;
    await expect(strange.get({ id: first })).rejects.toMatchObject(hidden);
    await expect(strange.errors({ id: first })).rejects.toMatchObject(hidden);
    await expect(strange.warnings({ id: first })).rejects.toMatchObject(hidden);
    await expect(strange.patch({ id: first, status: 'Canceled' })).rejects.toMatchObject(hidden);
    expect((await strange.find({})).data.map(({ id }) => id)).toEqual([other]);
  });

  it('is done with the rights of its user at that moment', async () => {
    const [anna, ben] = [await person(), await person()];
    const { id: team } = await contacts.identity.as(anna).teams.create({ name: 'North' });
    await joinTeam(contacts.identity, team, ben);
    const member = await contacts.now(anna);
    const emails = await contacts.identity.asSystem.users.byIds({ ids: [ben.id] });
    const text = `First Name,Assigned To\nAnna,${emails[0]?.email}\nBob,`;
    const options = { assigned_user_id: ben.id };
    const one = await done(member, text, options);
    expect(one).toMatchObject({ created: 2 });
    expect((await ofUser(member)).map(({ assigned_user_id }) => assigned_user_id)).toEqual([ben.id, ben.id]);
    const later = await send(member, `${text}\nCy,`, options);
    await contacts.identity.asSystem.teamMembers.remove({ team_id: team, user_id: ben.id });
    await run();
    expect(await contacts.as(anna).imports.get({ id: later })).toMatchObject({ created: 0, failed: 3 });
    await expect(contacts.as(anna).imports.create(options)).rejects.toMatchObject({
      errors: { assigned_user_id: expect.stringMatching(/not a user of your teams/) },
    });
    const last = await send(anna, text);
    await contacts.identity.asSystem.users.disable({ user: anna.id });
    await run();
    const failed = { status: 'Failed', error: 'The account can no longer import contacts.', rows: 0 };
    expect(await contacts.as(anna).imports.get({ id: last })).toMatchObject(failed);
  });

  it('leaves out a row that ends in a fault, and adds the others', async () => {
    const anna = await person();
    await rows(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    );
    await rows(
      "create trigger fail before insert on contacts for each row when (new.first_name = 'Broken') execute function fail()",
    );
    const id = await send(anna, csv(['Broken,broken@example.com', ...people(3)]));
    for (let attempt = 0; attempt < 6; attempt++) {
      await run();
      await rows('update imports set due_at = now() where id = $1', [id]);
    }
    await rows('drop trigger fail on contacts');
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Done',
      created: 3,
      failed: 1,
    });
    expect(await errorsOf(anna, id)).toMatch(/^Broken,broken@example.com,2,An internal error prevents/m);
  });

  it.each([
    [
      'First Name,Email\nAnna,anna@example.com\n"Ben,x',
      'Line 3 cannot be read: a quote is opened and never closed',
    ],
    ['First Name,custom:Pet\nAnna,Cat', 'These custom fields do not exist: "Pet".'],
  ])('fails where its file cannot be read, with the reason: %j', async (text, error) => {
    const anna = await person();
    expect(await done(anna, text)).toMatchObject({ status: 'Failed', error: expect.stringContaining(error) });
  });
});
