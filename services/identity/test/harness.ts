import type { CarrierOptions, MailOptions } from '@crm/delivery';
import { serviceUnderTest } from '@crm/service/testing';
import { identityApi } from '../src/api.ts';
import { identityService } from '../src/index.ts';

export const operatorToken = 'crm_op_for-tests-only';
export const serviceTokens = {
  scheduling: 'crm_sv_of-scheduling',
  'leads-routing': 'crm_sv_of-leads-routing',
};

const keys = {
  subAccountKey: 'sub-account-key-for-tests-only',
  phoneCodeKey: 'phone-code-key-for-tests-only',
};

export const publicUrl = 'https://crm.example.com';

/** The whole service short of HTTP and the broker, on a database of its own. */
export const identityUnderTest = (
  settings: { readonly carrier?: CarrierOptions; readonly mail?: MailOptions } = {},
) =>
  serviceUnderTest(
    identityApi,
    identityService({ operatorToken, serviceTokens, ...keys, publicUrl, ...settings }),
  );
