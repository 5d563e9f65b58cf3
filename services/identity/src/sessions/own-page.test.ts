import { describe, expect, it } from 'vitest';
import { isFromOwnPage } from './own-page.ts';

describe('a form', () => {
  const own = 'https://crm.example.com';
  const foreignOrigins = [
    'https://crm.example.com.evil.example',
    'http://crm.example.com',
    'https://evil.example',
  ];
  it.each([
    ['same-origin', [undefined, 'null', own], foreignOrigins],
    ['same-site', [], [undefined, 'null', own, ...foreignOrigins]],
    ['cross-site', [], [undefined, 'null', own, ...foreignOrigins]],
    ['none', [], [undefined, 'null', own, ...foreignOrigins]],
    [undefined, [own], [undefined, 'null', ...foreignOrigins]],
  ] as const)('sent from %s is recognized by its origin', (site, ours, others) => {
    const isOwn = (origin: string | undefined) =>
      isFromOwnPage({ headers: { origin, 'sec-fetch-site': site } }, `${own}/with/a/path`);
    expect(ours.filter((origin) => !isOwn(origin))).toEqual([]);
    expect(others.filter(isOwn)).toEqual([]);
  });
});
