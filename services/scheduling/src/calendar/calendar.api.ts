import { web } from '@crm/contract';

const calendar = { 'text/calendar': null } as const;

export const calendarApi = {
  get: web({
    rest: 'GET /calendar/:secret.ics',
    kind: 'query',
    summary: "Read a user's open tasks as a calendar (RFC 5545), through a link created on the account page",
    answers: { 200: calendar, 304: {}, 404: { 'text/plain': null } },
  }),
};
