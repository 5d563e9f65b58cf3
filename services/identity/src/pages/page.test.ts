import { describe, expect, it } from 'vitest';
import { page } from './page.ts';

describe('a page', () => {
  it.each([
    ['https://app.example', "form-action 'self' https://app.example"],
    ["https://a.example;script-src-elem'", "form-action 'self'"],
    ['https://a.example https://b.example', "form-action 'self'"],
    ['null', "form-action 'self'"],
    [null, "form-action 'self'"],
  ])('whose form can redirect to %j allows that in its policy, and nothing else', (leadsTo, directive) => {
    const { headers } = page({ title: 'Any', main: '', leadsTo });
    expect(String(headers['content-security-policy']).split('; ').at(-1)).toBe(directive);
  });
});
