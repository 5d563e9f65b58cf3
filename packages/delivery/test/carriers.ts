import { randomBytes } from 'node:crypto';
import { type LocalCarriers, startLocalCarriers } from '@crm/local-carriers';
import type { DeliveryConfig } from '../src/index.ts';
import { nowhere } from './nowhere.ts';

export interface Carriers extends LocalCarriers {
  readonly delivery: DeliveryConfig;
}

/** The local providers of one system. They list all messages that arrived, or the last `kept` of them. */
export async function startCarriers(publicUrl: string, kept?: number): Promise<Carriers> {
  const account = {
    accountSid: 'AC00000000000000000000000000000000',
    authToken: randomBytes(16).toString('hex'),
    number: '+16045550100',
  };
  const local = await startLocalCarriers({
    ...account,
    ...(kept !== undefined && { kept }),
    host: '127.0.0.1',
    smtpPort: 0,
    pagePort: 0,
    callbackUrls: {
      text: `${publicUrl}/callbacks/texts`,
      keyPress: `${publicUrl}/callbacks/key-presses/`,
    },
  });
  const delivery = {
    ...nowhere,
    smtpUrl: local.mail.url,
    mailFrom: { name: 'Harbour Homes', address: 'office@harbour.example' },
    carrier: { ...nowhere.carrier, ...account, url: local.carrier.url },
    bounceToken: randomBytes(16).toString('hex'),
    publicUrl,
  };
  return { ...local, delivery };
}
