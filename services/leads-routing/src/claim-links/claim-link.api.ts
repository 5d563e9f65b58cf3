import { web } from '@crm/contract';

const page = { 'text/html': null } as const;

export const claimLinkApi = {
  show: web({
    rest: 'GET /claim/:token',
    kind: 'query',
    summary: 'Show the lead of a claim link; this claims nothing',
    audience: 'people',
    answers: { 200: page, 404: page },
  }),
  claim: web({
    rest: 'POST /claim/:token',
    kind: 'mutation',
    summary: 'Claim the lead of a claim link',
    audience: 'people',
    answers: { 200: page, 403: page, 404: page, 409: page },
  }),
  decline: web({
    rest: 'POST /claim/:token/decline',
    kind: 'mutation',
    summary: 'Decline the lead of a claim link',
    audience: 'people',
    answers: { 200: page, 403: page, 404: page, 409: page },
  }),
  contactCard: web({
    rest: 'GET /claim/:token/contact.vcf',
    kind: 'query',
    summary: 'Download the contact of a lead that was claimed with a claim link, as a vCard',
    audience: 'people',
    answers: { 200: { 'text/vcard': null }, 404: page },
  }),
};
