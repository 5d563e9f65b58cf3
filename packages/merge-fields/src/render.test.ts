import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeFields } from './merge-fields.ts';
import { mergeValuesOf } from './merge-values.ts';
import { readMergeFields } from './read-merge-fields.ts';
import { type MergeValues, render, renderSubject } from './render.ts';

const field = fc.constantFrom(...mergeFields);
/** Text that can neither begin nor end a field. */
const prose = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[{}]/g, ''));
/** Parts of templates in any order. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom('{', '{{', '}', '}}', '#each ', '/each', '.', ' ', '\n'), field, prose), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));
const values: fc.Arbitrary<MergeValues> = fc.dictionary(field, fc.option(fc.string()));
const plain = { html: false };

describe('a template', () => {
  it('without fields is unchanged', () => {
    fc.assert(
      fc.property(prose, values, (text, known) => {
        expect(render(text, known, plain)).toEqual({ text, unknown: [], empty: [] });
      }),
    );
  });

  it('replaces every field with its value, and ignores blanks within the braces', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, field)), fc.stringMatching(/^\w+$/), (parts, value) => {
        const known = Object.fromEntries(mergeFields.map((name) => [name, value]));
        const template = parts.map(([text, name]) => `${text}{{ ${name}\n}}`).join('');
        const text = parts.map(([text]) => text + value).join('');
        expect(render(template, known, plain)).toEqual({ text, unknown: [], empty: [] });
      }),
    );
  });

  it('never shows a raw field, and reports each that it replaces with nothing', () => {
    fc.assert(
      fc.property(hostile, (template) => {
        const { text, unknown, empty } = render(template, {}, plain);
        expect(text).not.toMatch(/\{\{[\s\S]*\}\}/);
        expect(readMergeFields(template)).toEqual({ known: empty, unknown });
        expect(render(text, {}, plain)).toEqual({ text, unknown: [], empty: [] });
      }),
    );
  });

  it('does not read values as templates', () => {
    const value = '{{user.email}} {{nobody}}';
    const known = { 'contact.first_name': value, 'user.email': 'anna@example.com' };
    expect(render('Hi {{contact.first_name}}', known, plain)).toEqual({
      text: `Hi ${value}`,
      unknown: [],
      empty: [],
    });
  });

  it('shows blank values as nothing, and reports them', () => {
    const known = { 'contact.first_name': null, 'contact.last_name': ' \n', 'user.email': '' };
    const template = '{{contact.first_name}}{{contact.last_name}}{{user.email}}{{user.phone}}{{user.email}}';
    expect(render(template, known, plain)).toEqual({
      text: '',
      unknown: [],
      empty: ['contact.first_name', 'contact.last_name', 'user.email', 'user.phone'],
    });
  });

  it('as HTML escapes all special characters of a value', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const { text } = render('{{contact.company}}', { 'contact.company': value }, { html: true });
        expect(text).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
    const known = { 'contact.company': `<b title="x" id='y'>A & B` };
    expect(render('<i>{{contact.company}}</i>', known, { html: true }).text).toBe(
      '<i>&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;A &amp; B</i>',
    );
    expect(render('{{contact.company}}', known, plain).text).toBe(known['contact.company']);
  });

  it('is one line as a subject, whatever it and the values contain', () => {
    fc.assert(
      fc.property(hostile, values, (template, known) => {
        expect(renderSubject(template, known).text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
    const known = { 'contact.first_name': 'Carla\r\nBcc: all@example.com' };
    expect(renderSubject('Hi\r\n{{contact.first_name}}', known).text).toBe('Hi Carla Bcc: all@example.com');
  });

  it.each(['\0', '\u0085', '\u2028', '\u2029'])(
    'as a subject excludes %j, for which an e-mail would be refused',
    (character) => {
      const known = { 'contact.first_name': `Carla${character}Lee` };
      expect(renderSubject(`Hi${character}{{contact.first_name}}`, known).text).toBe('Hi Carla Lee');
    },
  );

  it.each([
    ['{{#each contact}}x{{/each}}', 'x', ['#each contact', '/each']],
    ['{{constructor.constructor("return process")()}}', '', ['constructor.constructor("return process")()']],
    ['{{__proto__}}{{contact.__proto__}}{{toString}}', '', ['__proto__', 'contact.__proto__', 'toString']],
    ['{{{contact.first_name}}}', '}', ['{contact.first_name']],
    ['{{contact.{{user.email}}}}', '}}', ['contact.{{user.email']],
    ['{{CONTACT.FIRST_NAME}}', '', ['CONTACT.FIRST_NAME']],
    ['{{}}', '', ['']],
    ['{{contact.first_name', '{{contact.first_name', []],
    ['}} {{', '}} {{', []],
  ])('has no logic: %s', (template, text, unknown) => {
    const known = { 'contact.first_name': 'Carla', 'user.email': 'anna@example.com' };
    expect(render(template, known, plain)).toEqual({ text, unknown, empty: [] });
  });

  it.each([
    ['{'.repeat(1e6), '{'.repeat(1e6), 0],
    ['{{a'.repeat(350_000), '{{a'.repeat(350_000), 0],
    [`${'{{a'.repeat(350_000)}}}`, '', 1],
    ['{{a}}'.repeat(200_000), '', 1],
    [Array.from({ length: 100_000 }, (_, n) => `{{${n}}}`).join(''), '', 100_000],
    ['{{contact.first_name}}'.repeat(50_000), 'Carla'.repeat(50_000), 0],
  ])('of a megabyte is rendered like any other', (template, text, unknown) => {
    const rendered = render(template, { 'contact.first_name': 'Carla' }, plain);
    expect(rendered.text === text).toBe(true);
    expect(rendered.unknown).toHaveLength(unknown);
    expect(rendered.unknown.every((name) => name.length <= 64)).toBe(true);
  });
});

describe('the values of merge fields', () => {
  const contact = {
    first_name: 'Carla',
    last_name: null,
    email: 'carla@example.com',
    company: 'Acme',
    mobile_phone: '617 555 0100',
    birthday: '1980-02-03',
    anniversary: '2001-04-05',
    spouse_name: 'Max',
  };
  const user = { first_name: 'Anna', last_name: 'Lopez', email: 'anna@example.com', phone: '617 555 0199' };

  it('exist for each field', () => {
    const known = mergeValuesOf(contact, user);
    expect(known.unsubscribe_url).toBeNull();
    expect(Object.keys(known)).toEqual(mergeFields);
    expect(known).toMatchObject({
      'contact.full_name': 'Carla',
      'contact.spouse_name': 'Max',
      'user.full_name': 'Anna Lopez',
      'user.phone': '617 555 0199',
    });
  });

  it('are missing for a user who does not exist', () => {
    const { empty } = render('{{user.full_name}}{{user.email}}', mergeValuesOf(contact, undefined), plain);
    expect(empty).toEqual(['user.full_name', 'user.email']);
  });
});
