import { describe, expect, it } from 'vitest';
import { refusalIn } from './classify-error.ts';

const coded = (code: string) => Object.assign(new Error('of the driver'), { code });

describe('an error of the database', () => {
  it.each([
    ...['40001', '40P01', '25P03', '57014', '55P03', '57P01', '28P01', '28000'],
    ...['ECONNREFUSED', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
    ...['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'],
  ])('%s becomes Unavailable with a Retry-After', (code) => {
    expect(refusalIn(coded(code))).toMatchObject({ name: 'Unavailable', retryAfter: 1 });
  });

  it.each(['23505', '42501', '22003', '42P01'])('%s is a fault, which is hidden from callers', (code) => {
    expect(refusalIn(coded(code))).toBeUndefined();
  });
});
