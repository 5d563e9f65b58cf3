import type { CarrierOptions, MailOptions } from '@crm/delivery';
import { serviceUnderTest } from '@crm/service/testing';
import { testSecrets } from '@crm/testing';
import { identityApi } from '../src/api.ts';
import { identityService } from '../src/index.ts';

export const { operatorToken, publicUrl } = testSecrets;
export const serviceTokens = {
  scheduling: 'crm_sv_of-scheduling',
  'leads-routing': 'crm_sv_of-leads-routing',
};

/** The whole service without HTTP or NATS, on a database of its own. */
export const identityUnderTest = (
  settings: { readonly carrier?: CarrierOptions; readonly mail?: MailOptions } = {},
) => serviceUnderTest(identityApi, identityService({ ...testSecrets, serviceTokens, ...settings }));
