import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing, people } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, done, ofUser, errorsOf } = contacts;

const optedOut = async (user: User) => {
  const ids = (await ofUser(user)).map(({ id }) => id);
  return (await contacts.as(user).consents.optedOut({ contact_ids: ids })).map(({ opted_out }) => opted_out);
};

const both = ['Text', 'Email'];

const ofLines = { type: 'application/x-ndjson' } as const;
const lines = (...records: readonly object[]) => records.map((one) => JSON.stringify(one)).join('\n');

describe('an import over HTTP', () => {
  it('keeps who has opted out, and its trial says what is wrong without keeping anything', async () => {
    const anna = await person();
    const text = 'First Name,Email,Unsubscribed\nAnna,anna@example.com,true\nBen,ben@example.com,perhaps';
    const trial = await done(anna, text, { dry_run: true });
    expect(trial).toMatchObject({ created: 1, failed: 1, columns: [{}, {}, { field: 'email_opt_out' }] });
    expect(await rows('select from agent_consents')).toEqual([]);
    const { id, created, failed } = await done(anna, text);
    expect([created, failed]).toEqual([1, 1]);
    expect(await errorsOf(anna, id)).toContain('Unsubscribed: must be yes or no, but is ""perhaps""');
    expect(await optedOut(anna)).toEqual([['Email']]);
  });

  it.each(['0', '0.0'])('reads %s as no, as programs write a column of 0 and 1 with gaps', async (no) => {
    const anna = await person();
    await done(anna, `Email,Email Opt In\na@example.com,${no}`);
    expect(await optedOut(anna)).toEqual([['Email']]);
  });

  it('opts contacts out that it otherwise leaves as they are', async () => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ first_name: 'Anna', email: 'anna@example.com' });
    const text = 'First Name,Email,Opted Out\nAnne,anna@example.com,yes';
    expect(await done(anna, text, { dry_run: true })).toMatchObject({ updated: 1, skipped: 0 });
    expect(await optedOut(anna)).toEqual([]);
    expect(await done(anna, text)).toMatchObject({ updated: 1, skipped: 0 });
    expect(await optedOut(anna)).toEqual([['Text', 'Email']]);
    const [{ id = 0, first_name } = {}] = await ofUser(anna);
    expect(first_name).toBe('Anna');
    const audited = 'select action, user_id from audit_events where record_id = $1 order by created_at';
    expect((await rows(audited, [id])).at(-1)).toEqual({ action: 'consents.optOut', user_id: anna.id });
    const changes = (await contacts.published()).filter(({ data }) => data.contact_id === id);
    expect(changes.at(-1)).toMatchObject({ actor: `user/${anna.id}`, data: { fields: ['consent'] } });
  });

  it('of many rows keeps the opt-outs of all portions', async () => {
    const anna = await person();
    const out = (n: number) => (n % 2_050 === 0 ? 'yes' : '');
    const text = [
      'First Name,Email,Email Opt Out',
      ...people(3_100).map((one, n) => `${one},${out(n)}`),
    ].join('\n');
    expect(await done(anna, text)).toMatchObject({ status: 'Done', created: 3_100 });
    expect(
      await rows('select destination from agent_opt_outs where owner_user_id = $1 order by 1', [anna.id]),
    ).toEqual([{ destination: 'anna0@example.com' }, { destination: 'anna2050@example.com' }]);
  });

  it('of lines of JSON reads what an export of lines says', async () => {
    const [anna, ben] = [await person(), await person()];
    const text = lines(
      { first_name: 'Anna', email: 'a@example.com', email_opt_out: true },
      { first_name: 'Ben', email: 'b@example.com', text_opt_out: false, email_opt_out: null },
      { first_name: 'Cy', email: 'c@example.com', text_opt_out: 'yes' },
    );
    const { id, ...counts } = await done(anna, text, ofLines);
    expect(counts).toMatchObject({ created: 2, failed: 1 });
    expect(await errorsOf(anna, id)).toContain('text_opt_out: must be true or false');
    expect(await optedOut(anna)).toEqual([['Email']]);
    const exported = await contacts.as(anna).exports.contacts(ofLines);
    expect(exported.text).toContain('"text_opt_out":false,"email_opt_out":true');
    await done(ben, exported.text, ofLines);
    expect(await optedOut(ben)).toEqual([['Email']]);
  });
});

describe('a file with a column that could opt contacts out', () => {
  const text = 'First Name,Email,Unsubscribe Reason,Do Not Call\nAda,ada@example.com,Too many,yes';

  it.each([{}, { dry_run: true }, { mapping: { '*': 'custom' }, create_missing: true }])(
    'is refused until somebody decides about it: %j',
    async (options) => {
      const anna = await person();
      await expect(done(anna, text, options)).rejects.toMatchObject({
        name: 'BadRequest',
        errors: {
          file: expect.stringMatching(/"Unsubscribe Reason" could say.*email_opt_out.*leave it out/),
        },
      });
    },
  );

  it.each([
    ['', null],
    ['custom:Reason', 'custom:Reason'],
    ['spouse_name', 'spouse_name'],
  ])('is imported when the column is mapped to %j', async (mapped, field) => {
    const anna = await person();
    const options = { mapping: { 'unsubscribe reason': mapped }, create_missing: true };
    expect(await done(anna, text, options)).toMatchObject({
      created: 1,
      columns: [{}, {}, { field }, { field: null }],
    });
    expect(await optedOut(anna)).toEqual([]);
  });
});

describe('a line of JSON', () => {
  it('names who gets no messages like a column', async () => {
    const anna = await person();
    const text = lines(
      { first_name: 'None', opt_out: false, opt_in: true, text_opt_in: null, email_opt_in: true },
      { email: 'all@example.com', opt_out: true },
      { email: 'also@example.com', opt_in: false },
      { email: 'text@example.com', text_opt_in: false, text_opt_out: true },
      { email: 'email@example.com', email_opt_in: false, opt_out: null },
    );
    expect(await done(anna, text, ofLines)).toMatchObject({ created: 5, failed: 0 });
    expect(await optedOut(anna)).toEqual([both, both, ['Text'], ['Email']]);
  });

  it('is refused for a name that would be left out, with the right one', async () => {
    const anna = await person();
    const names = [
      'Email_Opt_Out',
      'unsubscribed',
      'do_not_text',
      'Subscribed',
      'emailOptOut',
      'email_status',
    ];
    const text = lines(...names.map((name) => ({ first_name: name, [name]: true })));
    const { id, ...counts } = await done(anna, text, ofLines);
    expect(counts).toMatchObject({ created: 0, failed: 6 });
    const errors = await errorsOf(anna, id);
    expect(errors).toContain('email_status: must be named email_opt_out, and be true or false');
    expect(errors).toContain('Email_Opt_Out: must be named email_opt_out, and be true or false');
    expect(errors).toContain('do_not_text: must be named text_opt_out, and be true or false');
    expect(errors).toContain('Subscribed: must be named email_opt_in, and be true or false');
  });
});

describe('a line of JSON with a name of opt-outs that means no field', () => {
  it.each(['unsubscribed?', 'is_opted_out', 'Email Opt Out?'])('is told the field of %s', async (name) => {
    const anna = await person();
    const { id, ...counts } = await done(anna, lines({ email: 'a@example.com', [name]: true }), ofLines);
    expect(counts).toMatchObject({ created: 0, failed: 1 });
    expect(await errorsOf(anna, id)).toMatch(/must be named (email_)?opt_out, and be true or false/);
  });

  it('is told all of them', async () => {
    const anna = await person();
    const line = { email: 'a@example.com', whatsapp_opted_out: true, do_not_call: true };
    const { id, ...counts } = await done(anna, lines(line), ofLines);
    expect(counts).toMatchObject({ created: 0, failed: 1 });
    const errors = await errorsOf(anna, id);
    expect(errors).toContain(
      'whatsapp_opted_out: names no field and could say that the contact gets no messages',
    );
    expect(errors).not.toContain('do_not_call:');
  });
});

describe('a row that opts its contact out', () => {
  const text = 'Email,Mobile Phone,Opted Out\nAnna@example.com,(604) 555-4572,yes';
  const numbered = { mobile_phone: '604 555 4572' };

  it.each(['skip', 'update', 'create'] as const)(
    'opts out its number and address, whichever contacts have them: %s',
    async (duplicates) => {
      const anna = await person();
      const api = contacts.as(anna);
      await api.contacts.create({ email: 'anna@example.com', mobile_phone: '604 555 4571' });
      await api.contacts.create(numbered);
      expect(await done(anna, text, { duplicates })).toMatchObject({ status: 'Done', failed: 0 });
      const { id } = await api.contacts.create(numbered);
      expect(await api.consents.get({ id })).toMatchObject({ text_state: 'Opted Out', text_source: 'Agent' });
      expect((await optedOut(anna)).filter((channels) => channels.includes('Text'))).toHaveLength(3);
    },
  );

  it('does so again if it was imported before, and for nobody else', async () => {
    const [anna, ben] = [await person(), await person()];
    await done(anna, text, { duplicates: 'create' });
    const [{ id = 0 } = {}] = await ofUser(anna);
    await contacts.as(anna).contacts.patch({ id, mobile_phone: '604 555 4571', email: 'b@example.com' });
    await rows('delete from agent_opt_outs where owner_user_id = $1', [anna.id]);
    expect(await done(anna, text, { duplicates: 'create' })).toMatchObject({ updated: 1, failed: 0 });
    for (const user of [anna, ben])
      await contacts.as(user).contacts.create({ ...numbered, email: 'anna@example.com' });
    expect(await optedOut(anna)).toEqual([both, both]);
    expect(await optedOut(ben)).toEqual([]);
  });
});

describe('the numbers of a line of JSON that opts its contact out', () => {
  it.each(['mobile_phone', 'home_phone', 'office_phone'])('get no texts, also as %s', async (field) => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ mobile_phone: '604 555 4572' });
    await done(anna, lines({ first_name: 'Ben', [field]: '(604) 555-4572', text_opt_out: true }), {
      ...ofLines,
      duplicates: 'create',
    });
    expect(await optedOut(anna)).toContainEqual(['Text']);
    const [{ id = 0 } = {}] = await ofUser(anna);
    expect(await contacts.as(anna).consents.get({ id })).toMatchObject({ text_source: 'Agent' });
  });
});

describe('the address of a line of JSON that opts its contact out', () => {
  it.each([
    ' anna@example.com',
    'Anna <anna@example.com>',
    'mailto:anna@example.com',
    'ben@example.com; Anna@example.com',
    "'anna@example.com'",
  ])('is found in %j', async (email) => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ email: 'anna@example.com' });
    const options = { ...ofLines, duplicates: 'create' } as const;
    expect(await done(anna, lines({ email, email_opt_out: true }), options)).toMatchObject({ created: 1 });
    expect(await optedOut(anna)).toEqual([['Email'], ['Email']]);
  });
});

describe('contacts that get no messages', () => {
  it('are told only to those who see them', async () => {
    const [anna, ben] = [await person(), await person()];
    const { id } = await contacts.as(anna).contacts.create({ email: 'x@example.com' });
    await contacts.as(anna).consents.patch({ id, email_state: 'Opted Out' });
    const told = (user: User) => contacts.as(user).consents.optedOut({ contact_ids: [id] });
    expect(await told(anna)).toEqual([{ contact_id: id, opted_out: ['Email'] }]);
    expect(await told(ben)).toEqual([]);
  });
});
