import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { page } from './page.ts';

const policyOf = (shown: Parameters<typeof page>[0]) =>
  String(page(shown).headers['content-security-policy']).split('; ');

describe('a page', () => {
  it('runs no script except the one that copies', () => {
    const isAboutScripts = (directive: string) => directive.startsWith('script-src');
    expect(policyOf({ title: 'Any', main: '' }).filter(isAboutScripts)).toEqual([]);
    expect(page({ title: 'Any', main: '' }).body).not.toContain('<script');
    const [, script = ''] =
      /<script>(.*)<\/script>/s.exec(page({ title: 'Any', main: '', canCopy: true }).body) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policyOf({ title: 'Any', main: '', canCopy: true }).filter(isAboutScripts)).toEqual([
      `script-src 'sha256-${hash}'`,
    ]);
  });

  it.each([
    ['https://app.example', "form-action 'self' https://app.example"],
    ["https://a.example;script-src-elem'", "form-action 'self'"],
    ['https://a.example https://b.example', "form-action 'self'"],
    ['null', "form-action 'self'"],
    [null, "form-action 'self'"],
  ])('whose form can redirect to %j allows this target in its policy, and no other', (leadsTo, directive) => {
    expect(policyOf({ title: 'Any', main: '', leadsTo }).at(-1)).toBe(directive);
  });
});
