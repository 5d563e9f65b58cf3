/** The prefixes of each kind of secret, by which people and secret scanners recognize them. */
export const secretPrefixes = {
  accessToken: 'crm_at_',
  refreshToken: 'crm_rt_',
  authorizationCode: 'crm_ac_',
  clientSecret: 'crm_cs_',
  calendarFeed: 'crm_cf_',
  operatorToken: 'crm_op_',
  serviceToken: 'crm_sv_',
} as const;
