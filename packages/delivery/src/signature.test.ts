import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSignature, signatureOf } from './signature.ts';

const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const form = new URLSearchParams({
  Digits: '1234',
  To: '+18005551212',
  From: '+14158675309',
  Caller: '+14158675309',
  CallSid: 'CA1234567890ABCDE',
});

describe('the signature of a callback', () => {
  it('is the one that the provider documents', () => {
    expect(signatureOf(url, form, '12345')).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it("counts a repeated value once and sorts values, like the provider's libraries", () => {
    const repeated = new URLSearchParams('Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234');
    expect(signatureOf(url, repeated, '12345')).toBe('IK+Dwps556ElfBT0I3Rgjkr1wJU=');
  });

  it.each([
    ['https://crm.example/a?b=%27c', 'https://crm.example:443/a?b=%27c'],
    ['http://crm.example/a', 'http://crm.example:80/a'],
    ['https://crm.example:443/a', 'https://crm.example/a'],
    ['https://crm.example:8443/a', 'https://crm.example/a'],
    ['https://CRM.example/A', 'https://crm.example/A'],
    ["https://CRM.example:8443?it's", "https://crm.example:8443?it's"],
  ])('of %s is also valid for %s, because providers may write the URL in another way', (url, signed) => {
    expect(isSignature(signatureOf(url, form, '12345'), url, form, '12345')).toBe(true);
    expect(isSignature(signatureOf(signed, form, '12345'), url, form, '12345')).toBe(true);
  });

  it.each([
    'http://crm.example/a',
    'https://crm.example:444/a',
    'https://crm.example/A',
    'https://x.crm.example/a',
  ])('of https://crm.example/a is not valid for %s', (other) => {
    const signature = signatureOf(other, form, '12345');
    expect(isSignature(signature, 'https://crm.example/a', form, '12345')).toBe(false);
  });

  const forms = fc
    .array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })))
    .map((pairs) => new URLSearchParams(pairs));

  it('is valid for the signed values in any order, and for nothing else', () => {
    fc.assert(
      fc.property(fc.webUrl(), forms, fc.string({ minLength: 1 }), fc.string(), (url, form, token, other) => {
        const signature = signatureOf(url, form, token);
        const reversed = new URLSearchParams([...form].reverse());
        expect(isSignature(signature, url, new URLSearchParams(reversed.toString()), token)).toBe(true);
        expect(isSignature(signature, `${url}x`, form, token)).toBe(false);
        expect(isSignature(signature, url, form, `${token}x`)).toBe(false);
        const longer = new URLSearchParams([...form, ['Zz', 'x']]);
        if (!form.getAll('Zz').includes('x')) expect(isSignature(signature, url, longer, token)).toBe(false);
        expect(isSignature(other, url, form, token)).toBe(other === signature);
      }),
    );
  });
});
