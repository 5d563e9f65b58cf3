import { newSecret } from '@crm/auth';

/** The settings without which identity does not start. */
export const testSecrets = {
  operatorToken: newSecret('operatorToken'),
  serviceTokens: {},
  subAccountKey: 'sub-account-key-for-tests-only',
  phoneCodeKey: 'phone-code-key-for-tests-only',
  publicUrl: 'https://crm.example.com',
};
