import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTeam } from './choose-team.ts';

const team = (id: number, distribution_zipcodes: string | null = null) => ({ id, distribution_zipcodes });
const byZip = (zipcode: number | string | null) => ({ team_selection_method: 'Zipcode', zipcode }) as const;

describe('the team of a lead', () => {
  it('is the team of the route', () => {
    const lead = { team_selection_method: 'Specific Team', zipcode: 98112 } as const;
    expect(chooseTeam(lead, 2, [team(1, '98112'), team(2)])).toEqual(team(2));
  });

  it('is undefined if the team of the route does not belong to the creator of the lead', () => {
    expect(chooseTeam({ team_selection_method: 'Specific Team' }, 3, [team(1), team(2)])).toBeUndefined();
  });

  it('is the one with the zip code of the lead', () => {
    expect(chooseTeam(byZip(98112), null, [team(1, '98101'), team(2, '98111, 98112')])?.id).toBe(2);
  });

  it('is the oldest of two with the zip code', () => {
    expect(chooseTeam(byZip(98112), null, [team(7, '98112'), team(3, '98101,98112')])?.id).toBe(3);
  });

  it.each([98113, null, '', 'Seattle'])('is undefined for the zip code %j that no team has', (zipcode) => {
    expect(chooseTeam(byZip(zipcode), null, [team(1, '98112'), team(2, null)])).toBeUndefined();
  });

  it.each([
    [2134, '02134'],
    ['2134', '02134'],
    [601, '00601'],
    [98112, '98112-1234'],
    ['98112-1234', '98112'],
    [981121234, '98112'],
    [21341234, '02134'],
    ['k1a0b1', 'K1A 0B1'],
  ])('is found for %j among the zip codes %s', (zipcode, zips) => {
    expect(chooseTeam(byZip(zipcode), null, [team(1, zips)])?.id).toBe(1);
  });
});

/** Zip codes in their different spellings. Numbers lose their leading zeros. */
const spellings = fc
  .tuple(fc.integer({ min: 501, max: 99_999 }), fc.nat(9_999), fc.nat(4))
  .map(([zip, more, how]) => {
    const five = String(zip).padStart(5, '0');
    const four = String(more).padStart(4, '0');
    return { five, written: [five, `${five}-${four}`, `${five}${four}`, zip, zip * 10_000 + more][how] };
  });

describe('every zip code', () => {
  it('is matched by its five digits, however it is written', () => {
    fc.assert(
      fc.property(spellings, ({ five, written }) => {
        expect(chooseTeam(byZip(written ?? null), null, [team(1, five)])?.id).toBe(1);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('every choice by zip code', () => {
  it('is the oldest of the teams that have it', () => {
    const zip = fc.integer({ min: 600, max: 606 });
    const teams = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 50 }), zips: fc.array(zip, { maxLength: 4 }) }),
      { maxLength: 6, selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(zip, teams, (wanted, all) => {
        const given = all.map(({ id, zips }) => team(id, zips.map((one) => `00${one}`).join(',') || null));
        const ids = all.flatMap(({ id, zips }) => (zips.includes(wanted) ? [id] : []));
        const least = ids.sort((a, b) => a - b)[0];
        expect(chooseTeam(byZip(wanted), null, given)?.id).toBe(least);
      }),
      { numRuns: 20_000 },
    );
  });
});
