import { web } from '@crm/contract';

const page = { 'text/html': null } as const;

export const claimLinkApi = {
  show: web({
    rest: 'GET /claim/:token',
    kind: 'query',
    summary: 'Show the lead of a claim link; this claims nothing',
    answers: { 200: page, 404: page },
  }),
  claim: web({
    rest: 'POST /claim/:token',
    kind: 'mutation',
    summary: 'Claim the lead of a claim link',
    answers: { 200: page, 403: page, 404: page, 409: page },
  }),
};
