/** From the first hour until before the second one, in local time. */
export type Hours = readonly [from: number, until: number];

interface StateHours {
  readonly hours: Hours;
  /** If different from other days; null for never. */
  readonly saturday?: Hours | null;
  readonly sunday?: Hours | null;
  readonly source: string;
}

/** By the code of a state or province. */
export type HoursByState = Readonly<Record<string, StateHours>>;

/** The law itself was not read: these are the narrowest hours published for it. */
const kept = 'not confirmed, kept strict';

/** When texts and calls may reach somebody, unless a state says otherwise: 47 CFR 64.1200(c)(1). */
export const usualHours: Hours = [8, 21];

/**
 * States with narrower hours. Some of these laws are only about calls, or about people who have not consented; courts and newer
 * laws treat texts like calls, so all of them apply here. Laws that are only about recorded messages are not included, and
 * neither are public holidays.
 */
export const stateHours: HoursByState = {
  AL: { hours: [8, 20], sunday: null, source: 'Ala. Admin. Code 770-X-5-.17(1)(b)' },
  CT: { hours: [9, 20], source: 'Conn. Gen. Stat. 42-288a, as amended by Public Act 23-98' },
  FL: { hours: [8, 20], source: 'Fla. Stat. 501.616(6)(a)' },
  KY: { hours: [10, 21], source: `Ky. Rev. Stat. 367.46955; ${kept}` },
  LA: { hours: [8, 20], sunday: null, source: `La. Pub. Serv. Comm. General Order R-29617; ${kept}` },
  MA: { hours: [8, 20], source: 'Mass. Gen. Laws ch. 159C, 3; 201 CMR 12.02(2)' },
  MD: { hours: [8, 20], source: 'Md. Code, Com. Law 14-4501 to 14-4506' },
  MI: { hours: [9, 21], source: kept },
  MN: { hours: [9, 21], source: 'Minn. Stat. 325E.30' },
  // The narrower hours of the Public Service Commission ended with its rules in 2023.
  MS: { hours: [8, 21], sunday: null, source: 'Miss. Code 77-3-603(a), 77-3-723(1)' },
  NM: { hours: [9, 21], source: 'N.M. Stat. 57-12-22(B)(5)' },
  NV: { hours: [9, 20], source: `Nev. Rev. Stat. ch. 598 and 599B; ${kept}` },
  OK: { hours: [8, 20], source: 'Okla. Stat. tit. 15, 775C.4(A)' },
  OR: { hours: [8, 20], source: 'Or. Rev. Stat. 646.561 to 646.565, as amended by House Bill 3865 of 2025' },
  PA: {
    hours: [9, 19],
    sunday: null,
    source: `73 Pa. Stat. 2245, as amended by Senate Bill 992 of 2025; ${kept}`,
  },
  RI: { hours: [9, 18], saturday: [10, 17], sunday: null, source: 'R.I. Gen. Laws 5-61-2(9), 5-61-3.6' },
  SD: {
    hours: [9, 21],
    saturday: null,
    sunday: null,
    source: `S.D. Codified Laws 37-30-28, of automated dialing; whether that includes texts: ${kept}`,
  },
  TX: { hours: [9, 21], sunday: [12, 21], source: 'Tex. Bus. & Com. Code 301.051(b)(2)' },
  UT: { hours: [8, 21], sunday: null, source: 'Utah Code 13-25a-103(3)' },
  WA: { hours: [8, 20], source: 'Wash. Rev. Code 19.158.040(2)' },
  WY: { hours: [8, 20], source: `Wyo. Stat. 40-12-302; ${kept}` },
};

/** Only for calls: Canada's Anti-Spam Legislation, which applies to texts, sets no hours. */
const canadianCalls: StateHours = {
  // The law allows until 9:30 p.m.; only whole hours are supported.
  hours: [9, 21],
  saturday: [10, 18],
  sunday: [10, 18],
  source: 'CRTC Unsolicited Telecommunications Rules, Part III',
};

const provinces = ['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT'];

/** Provinces and territories with narrower hours for calls, and the states, whose hours for texts also apply to calls. */
export const callHours: HoursByState = {
  ...stateHours,
  ...Object.fromEntries(provinces.map((code) => [code, canadianCalls])),
};
