import { type LocalCarriersOptions, startLocalCarriers } from '@crm/local-carriers';
import { onTestFinished } from 'vitest';
import { openDelivery } from '../src/index.ts';

export const account: LocalCarriersOptions = {
  host: '127.0.0.1',
  smtpPort: 0,
  pagePort: 0,
  accountSid: 'AC00000000000000000000000000000000',
  authToken: 'a-token-for-tests',
  number: '+16045550100',
  callbackUrls: { text: 'http://127.0.0.1:9/', keyPress: 'http://127.0.0.1:9/' },
};

/** A mail server and a carrier for one test, and a delivery that sends to them. */
export async function providers(
  other: {
    smtpUrl?: string;
    carrierUrl?: string;
    callbackUrl?: string;
    authToken?: string;
    timeoutMs?: number;
    emailTimeoutMs?: number;
    honoursKeys?: boolean;
  } = {},
) {
  const local = await startLocalCarriers({
    ...account,
    ...(other.callbackUrl && { callbackUrls: { text: other.callbackUrl, keyPress: other.callbackUrl } }),
  });
  const { smtpUrl = local.mail.url, carrierUrl = local.carrier.url, authToken = account.authToken } = other;
  const { timeoutMs = 5_000, emailTimeoutMs = timeoutMs } = other;
  const carrier = {
    url: carrierUrl,
    accountSid: account.accountSid,
    authToken,
    number: account.number,
    honoursKeys: other.honoursKeys ?? true,
    allowedCountries: ['US', 'CA', 'GB'],
  };
  const mailFrom = { name: 'Harbour Homes', address: 'office@harbour.example' };
  const delivery = openDelivery({ smtpUrl, mailFrom, carrier }, { timeoutMs, emailTimeoutMs });
  onTestFinished(async () => {
    await delivery.close();
    await local.close();
  });
  return { delivery, ...local };
}
