/** From this hour to before that one, in local time. */
export type Hours = readonly [from: number, until: number];

interface StateHours {
  readonly hours: Hours;
  /** If other than on other days; null for never. */
  readonly saturday?: Hours;
  readonly sunday?: Hours | null;
  readonly source: string;
}

/** A list that several vendors of telemarketing software publish alike, for laws that name no hours or could not be read. */
const published = 'https://www.dropcowboy.com/state-compliance, as of 2025-11-01';

/** When texts and calls may reach somebody: 47 CFR 64.1200(c)(1). */
export const usualHours: Hours = [8, 21];

/**
 * States with narrower hours. Some of these laws are about calls alone; courts and newer laws treat texts like calls, so all
 * of them apply here. Public holidays are not included.
 */
export const stateHours: Readonly<Record<string, StateHours>> = {
  AL: { hours: [8, 20], sunday: null, source: published },
  CT: { hours: [9, 20], source: 'Conn. Gen. Stat. 42-288a' },
  FL: { hours: [8, 20], source: 'Fla. Stat. 501.616(6)(a)' },
  KY: { hours: [10, 21], source: 'Ky. Rev. Stat. 367.46955(4)' },
  LA: { hours: [8, 20], sunday: null, source: published },
  MA: { hours: [8, 20], source: 'Mass. Gen. Laws ch. 159C, 3' },
  MD: { hours: [8, 20], source: 'Md. Code, Com. Law 14-4503' },
  MI: { hours: [9, 21], source: published },
  MN: { hours: [9, 21], source: 'Minn. Stat. 325E.30' },
  MS: {
    hours: [8, 20],
    sunday: null,
    source: 'Miss. Code 77-3-603(a), 77-3-723(1); hours as published by the Public Service Commission',
  },
  NM: { hours: [9, 21], source: published },
  NV: { hours: [9, 20], source: 'Nev. Rev. Stat. 599B.230' },
  OK: { hours: [8, 20], source: 'Okla. Stat. tit. 15, 775C.4(A)' },
  RI: { hours: [9, 18], saturday: [10, 17], sunday: null, source: 'R.I. Gen. Laws 5-61-2(9), 5-61-3.6' },
  TX: { hours: [9, 21], sunday: [12, 21], source: 'Tex. Bus. & Com. Code 301.051' },
  WA: { hours: [8, 20], source: 'Wash. Rev. Code 19.158.040(2)' },
};
