import { nowhere } from '@crm/delivery/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstRight, isRightHour, persons } from '../../test/sending-model.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { decide, type Rules, type Situation } from './decide.ts';
import { fullSince } from './full-since.ts';
import { hoursOn } from './quiet-hours.ts';
import { callHours } from './state-hours.ts';
import { allStates, areaOf } from './states.ts';

const rules: Rules = { ...nowhere.rules, quietHours: true, allowedCountries: ['US', 'CA', 'GB', 'MP'] };
const text: Situation = {
  type: 'Text Contact',
  to: '+16045554572',
  contact: { number: '+16045554572', zone: null, addresses: [], senderZone: 'America/New_York' },
  objection: null,
  contactFullSince: null,
  numberFullSince: null,
  accountFullSince: null,
  isRepeated: false,
};
const at = (iso: string) => Temporal.Instant.from(iso);
const hoursOf = { 'Text Contact': 'texts', 'Call Contact': 'calls', 'Email Contact': null } as const;
const noon = at('2026-03-02T20:00:00Z');

const scale = Number(process.env.TEST_SCALE ?? 1);
const changes = [
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-03-08T05:30:00Z',
];
const aroundChanges = fc
  .tuple(fc.constantFrom(...changes.map(Date.parse)), fc.integer({ min: -2 * 86_400, max: 2 * 86_400 }))
  .map(([change, seconds]) => change + seconds * 1000);
const anywhere = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2031, 0) });
const instants = (all: number[] = []) => all.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
const sent = fc.array(fc.integer({ min: 1, max: 30 * 3600 }), { maxLength: 6 });

describe('the decision on a message', () => {
  it('matches a model that tries every quarter of an hour', () => {
    const property = fc.property(
      fc.constantFrom(...persons),
      fc.constantFrom(...communicationTypes),
      fc.oneof(anywhere, aroundChanges),
      fc.boolean(),
      sent,
      sent,
      sent,
      (person, type, now, quietHours, toContact, toNumber, byAccount) => {
        const [contactSent, numberSent, accountSent] = [toContact, toNumber, byAccount].map((ago) =>
          ago.map((s) => now - s * 1000),
        );
        const moment = Temporal.Instant.fromEpochMilliseconds(now);
        const [max, maxPerAccount] = [
          { texts: 2, emails: 3 },
          { texts: 4, emails: 5 },
        ];
        const situation: Situation = {
          ...text,
          type,
          to: type === 'Email Contact' ? 'carla@example.com' : (person.number ?? text.to),
          contact: person,
          contactFullSince: fullSince(instants(contactSent), type === 'Text Contact' ? 2 : 3, moment),
          numberFullSince: fullSince(instants(numberSent), 2, moment),
          accountFullSince: fullSince(instants(accountSent), type === 'Text Contact' ? 4 : 5, moment),
        };
        const decision = decide(
          situation,
          { ...rules, quietHours, maxPerContact: max, maxPerAccount },
          moment,
        );
        const limits =
          type === 'Call Contact'
            ? []
            : [
                { sentAt: contactSent ?? [], max: type === 'Text Contact' ? 2 : 3 },
                ...(type === 'Text Contact' ? [{ sentAt: numberSent ?? [], max: 2 }] : []),
                { sentAt: accountSent ?? [], max: type === 'Text Contact' ? 4 : 5 },
              ];
        const right = firstRight(person, quietHours ? hoursOf[type] : null, limits, now);
        const decided =
          decision.is === 'move'
            ? decision.until.epochMilliseconds
            : decision.is === 'send'
              ? now
              : undefined;
        expect(decided, JSON.stringify(decision)).toBe(right);
      },
    );
    fc.assert(property, { numRuns: 200 * scale });
  });

  it.each(['Text Contact', 'Call Contact'] as const)(
    "follows everybody's hours in the model, each hour of a week: a %s",
    (type) => {
      for (const person of persons) {
        for (let hour = 0; hour < 7 * 24; hour += 1) {
          const now = Date.UTC(2026, 5, 1, hour);
          const situation = { ...text, type, to: person.number ?? text.to, contact: person };
          const { is } = decide(situation, rules, Temporal.Instant.fromEpochMilliseconds(now));
          const isRight = isRightHour(person, type === 'Call Contact', now);
          expect([is === 'send', person, hour]).toEqual([isRight, person, hour]);
        }
      }
    },
  );

  it.each([
    ['2026-11-21T13:05:00Z', '2026-11-21T15:00:00Z'],
    ['2026-11-23T01:30:00Z', '2026-11-23T14:00:00Z'],
  ])('asks to call somebody in Toronto only in telemarketing hours, but texts at %s', (now, until) => {
    const number = '+14165550123';
    const contact = { ...text.contact, number };
    const call = { ...text, type: 'Call Contact', contact } as const;
    expect(decide(call, rules, at(now))).toMatchObject({ is: 'move', until: at(until) });
    expect(decide({ ...text, to: number, contact }, rules, at(now))).toEqual({ is: 'send' });
  });

  it.each([
    ['+16045554572', undefined],
    ['+442079460958', undefined],
    ['+18765550123', /Jamaica \(JM\) are not allowed/],
    ['+18095550123', /Dominican Republic \(DO\)/],
    ['+88216123456', /belongs to no country/],
    ['+4915123456789', /Germany \(DE\)/],
    ['+19002345678', /fees/],
    ['+15002345678', /fees/],
    ['+16002345678', /fees/],
    ['+16222345678', /fees/],
    ['+449012345678', /fees/],
    ['+447012345678', /fees/],
    ['+18002345678', undefined],
  ])('on a text to %s refuses %s', (to, because) => {
    const decision = decide({ ...text, to }, rules, noon);
    expect(decision).toEqual(
      because ? { is: 'refuse', because: expect.stringMatching(because) } : { is: 'send' },
    );
  });

  it.each([
    ['+12125550123', 'CA', '90001', '2026-11-24T13:05:00Z', '2026-11-24T16:00:00Z'],
    ['+12135550123', 'NY', '10001', '2026-11-25T03:30:00Z', '2026-11-25T16:00:00Z'],
    ['+12125550123', 'HI', '96801', '2026-11-24T13:05:00Z', '2026-11-24T18:00:00Z'],
    ['+12125550123', 'Calif.', '10001', '2026-11-24T13:05:00Z', '2026-11-24T16:00:00Z'],
    ['+12125550123', 'Fla.', '90001', '2026-11-25T01:30:00Z', '2026-11-25T16:00:00Z'],
    ['+12125550123', 'Honolulu, Hawaii, USA', null, '2026-11-24T13:05:00Z', '2026-11-24T18:00:00Z'],
    ['+12125550123', 'Rhode Island', '10001', '2026-11-24T23:30:00Z', '2026-11-25T14:00:00Z'],
    // Saturday in South Dakota, which is in two zones.
    ['+16055550123', null, null, '2026-11-28T18:00:00Z', '2026-11-30T16:00:00Z'],
  ])('on a text to %s with an address in %s waits until it is day in both', (to, state, zip, now, until) => {
    const contact = { ...text.contact, number: to, addresses: [{ state, zip }] };
    expect(decide({ ...text, to, contact }, rules, at(now))).toMatchObject({ is: 'move', until: at(until) });
  });

  it.each([
    ['+442079460958', '2000'],
    ['+442079460958', '6000'],
    ['+442079460958', '10115'],
  ])('on a text to %s does not treat %s as a zip', (to, zip) => {
    const contact = { ...text.contact, number: to, addresses: [{ state: null, zip }] };
    expect(decide({ ...text, to, contact }, rules, at('2026-11-24T09:00:00Z'))).toEqual({ is: 'send' });
  });

  it('on a text to area code 219 waits until it is day in Pulaski County too, which is on Eastern time', () => {
    const contact = { ...text.contact, number: '+12198435678' };
    const evening = at('2026-11-25T02:30:00Z');
    expect(decide({ ...text, to: contact.number, contact }, rules, evening)).toMatchObject({
      is: 'move',
      until: at('2026-11-25T14:00:00Z'),
    });
  });

  it.each([
    ['+442079460958', 'America/Los_Angeles', '2026-11-24T03:00:00Z', '2026-11-24T08:00:00Z'],
    ['+16702345678', 'America/New_York', '2026-11-24T13:05:00Z', '2026-11-24T22:00:00Z'],
  ])(
    'on a text to %s from %s waits until it is day in the country of the number',
    (to, senderZone, now, until) => {
      const contact = { ...text.contact, number: to, senderZone };
      expect(decide({ ...text, to, contact }, rules, at(now))).toMatchObject({
        is: 'move',
        until: at(until),
      });
    },
  );

  it('refuses messages that the contact objects to, and repeated ones, whatever the hour', () => {
    const night = at('2026-03-02T11:00:00Z');
    const objection = 'The number of the contact has opted out.';
    expect(decide({ ...text, objection }, rules, night)).toEqual({ is: 'refuse', because: objection });
    expect(decide({ ...text, isRepeated: true }, rules, night)).toMatchObject({ is: 'refuse' });
  });

  it('to move a message says until when and why', () => {
    const night = at('2026-03-02T11:00:00Z');
    expect(decide(text, rules, night)).toEqual({
      is: 'move',
      until: at('2026-03-02T16:00:00Z'),
      because: 'it is too early or too late for the contact (America/Vancouver, BC)',
    });
    const full = {
      contactFullSince: night.subtract({ hours: 2 }),
      accountFullSince: night.subtract({ hours: 1 }),
    };
    expect(decide({ ...text, ...full }, rules, night)).toEqual({
      is: 'move',
      until: at('2026-03-03T16:00:00Z'),
      because:
        'the contact was sent 3 texts within 24 hours, and the account has sent 2000 texts within 24 hours, and it is too early or too late for the contact (America/Vancouver, BC)',
    });
  });
});

describe('the tables', () => {
  it('have zones that exist, and hours of states that exist', () => {
    for (const { zones } of allStates)
      for (const zone of zones) expect(noon.toZonedDateTimeISO(zone).timeZoneId).toBe(zone);
    const codes = new Set(allStates.map(({ code }) => code));
    for (const code of Object.keys(callHours)) expect(codes).toContain(code);
    expect(areaOf('902')?.states.map(({ code }) => code)).toEqual(['NS', 'PE']);
  });

  it('narrow the usual hours and never widen them', () => {
    for (const code of Object.keys(callHours)) {
      const week = [1, 2, 3, 4, 5, 6, 7].map((day) => hoursOn([code], callHours, day));
      for (const hours of week) if (hours) expect(hours[0] >= 8 && hours[1] <= 21).toBe(true);
      expect(week).not.toEqual(Array(7).fill([8, 21]));
    }
  });
});
