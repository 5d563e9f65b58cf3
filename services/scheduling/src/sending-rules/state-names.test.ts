import { describe, expect, it } from 'vitest';
import { statesNamed } from './state-names.ts';
import { allStates, statesOfPostalCode } from './states.ts';

const codes = (text: string) => statesNamed(text).map(({ code }) => code);

describe('a state', () => {
  it.each([
    ...[
      ['Québec', 'QC'],
      ['QUEBEC', 'QC'],
      ['Que.', 'QC'],
      ['P.Q.', 'QC'],
      ['Province of Quebec', 'QC'],
    ],
    ...[
      ['D.C.', 'DC'],
      ['Washington, D.C.', 'DC'],
      ['Washington DC', 'DC'],
      ['washington d. c. 20001', 'DC'],
    ],
    ...[
      ['Washington', 'WA'],
      ['Wash.', 'WA'],
      ['Washington State', 'WA'],
      ['State of Washington', 'WA'],
    ],
    ...[
      ['Fla.', 'FL'],
      ['N.Y.', 'NY'],
      ['N. Y.', 'NY'],
      ['New-York', 'NY'],
      [' new  york ', 'NY'],
      ['NY State', 'NY'],
      ['Miami FL', 'FL'],
      ['St. Louis MO.', 'MO'],
      ['Kansas City MO 64101', 'MO'],
      ['Kansas City MO 64101-1234', 'MO'],
    ],
    ...[
      ['Texas, USA', 'TX'],
      ['Texas (USA)', 'TX'],
      ['TX, U.S.A.', 'TX'],
      ['TX US', 'TX'],
      ['US-TX', 'TX'],
      ['Texas, United States', 'TX'],
    ],
    ...[
      ['Austin, Texas', 'TX'],
      ['Kansas City, Mo.', 'MO'],
      ['New York, NY', 'NY'],
      ['Toronto, Ontario, Canada', 'ON'],
    ],
    ...[
      ['CA-ON', 'ON'],
      ['ca-bc', 'BC'],
      ['B.C., Canada', 'BC'],
      ['BC Canada', 'BC'],
      ['Colombie-Britannique', 'BC'],
    ],
    ...[
      ['N. Dak.', 'ND'],
      ['S.D.', 'SD'],
      ['W. Va.', 'WV'],
      ['W.Va.', 'WV'],
      ['N. Mex.', 'NM'],
      ['S. Dakota', 'SD'],
      ['So. Dakota', 'SD'],
      ['No. Dakota', 'ND'],
      ['N. Carolina', 'NC'],
      ['So Carolina', 'SC'],
      ['N. Mexico', 'NM'],
      ['Mass', 'MA'],
      ['Commonwealth of Massachusetts', 'MA'],
    ],
    ...[
      ['P.E.I.', 'PE'],
      ['Newfoundland', 'NL'],
      ['Nfld.', 'NL'],
      ['N.W.T.', 'NT'],
      ['Yukon Territory', 'YT'],
      ['Île-du-Prince-Édouard', 'PE'],
    ],
    ...[
      ['U.S. Virgin Islands', 'VI'],
      ['P.R.', 'PR'],
      ['USVI', 'VI'],
      ['FL 33101', 'FL'],
      ['CA', 'CA'],
      ['CA, USA', 'CA'],
    ],
  ])('written as %j is %s', (text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  it.each([
    '',
    '  ',
    'Ontario-ish',
    'USA',
    'Canada',
    'us',
    'Bavaria',
    'Kansas City',
    'x',
    '?',
    '12345',
    'Washington Heights',
    'Rio de la',
    'Baja California',
    'Miami flat',
  ])('is not recognized in %j', (text) => expect(codes(text)).toEqual([]));

  it('is each of several in the text', () => {
    expect(codes('NY, NJ')).toEqual(['NY', 'NJ']);
    expect(codes('Texas / Florida')).toEqual(['TX', 'FL']);
  });

  it('has its own code and name, which no other state has', () => {
    for (const { code, name } of allStates) {
      expect(codes(code.toLowerCase())).toEqual([code]);
      expect(codes(name.toUpperCase())).toEqual([code]);
      expect(codes(`${name}, ${code}`)).toEqual([code]);
    }
  });
});

describe('a postal code', () => {
  const codesOf = (text: string) => statesOfPostalCode(text).map(({ code }) => code);

  it.each([
    ['K1A', ['ON']],
    ['k1a 0b1', ['ON']],
    ['X0A', ['NT', 'NU']],
    ['1002', ['MA']],
    ['01002', ['MA']],
    ['1002-1234', ['MA']],
    ['8540', ['NJ']],
    ['10001-1234', ['NY']],
    ['FL 33101', ['FL']],
    ['fl-33101-1234', ['FL']],
    ['ON K1A 0B1', ['ON']],
    ['DE 10115', []],
    ['K1', []],
    ['K1A 0', []],
    ['601', []],
    ['100011', []],
  ])('%j belongs to %j', (text, expected) => {
    expect(codesOf(text)).toEqual(expected);
  });
});
