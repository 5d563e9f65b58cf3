import type { DeliveryConfig } from '@crm/delivery';
import { startLocalCarriers } from '@crm/local-carriers';
import { localCarrierName, localMailName, portOf } from '@crm/service/process';
import type { Secrets } from '../system/secrets.ts';
import type { EmergencyExit } from './emergency-exit.ts';
import type { Progress } from './progress.ts';
import type { StartConfig } from './start-config.ts';

export interface Carriers {
  readonly delivery: DeliveryConfig;
  /** Where the messages of the local carriers are looked at, if there are such. */
  readonly pageUrl: string | undefined;
}

interface Given {
  readonly config: StartConfig;
  readonly secrets: Secrets;
  readonly progress: Progress;
  readonly emergency: EmergencyExit;
  readonly ends: AsyncDisposableStack;
}

export const localAccount = { accountSid: 'AC00000000000000000000000000000000', number: '+16045550100' };
export const localSender = { name: 'CRM', address: 'crm@crm.localhost' };

/** Whether messages of this system stay on this machine, all or some. */
export const needsLocalCarriers = ({ mail, carrier }: StartConfig): boolean => !mail || !carrier;

/** What messages leave through: what the configuration names, and in place of the rest carriers that reach nobody. */
export async function startCarriers(given: Given): Promise<Carriers> {
  const { publicUrl, mail, carrier } = given.config;
  if (mail && carrier) return { delivery: { ...mail, carrier, publicUrl }, pageUrl: undefined };
  const local = await startLocal(given);
  const { carrierToken: authToken } = given.secrets;
  return {
    delivery: {
      ...(mail ?? { smtpUrl: local.mail.url, mailFrom: localSender }),
      carrier: carrier ?? { ...localAccount, authToken, url: local.carrier.url, honoursKeys: true },
      publicUrl,
    },
    pageUrl: local.pageUrl,
  };
}

/** Where a carrier tells what came back. */
export const callbackUrlsAt = (publicUrl: string) => ({
  text: `${publicUrl}/callbacks/texts`,
  keyPress: `${publicUrl}/callbacks/key-presses/`,
});

async function startLocal({ config, secrets, progress, emergency, ends }: Given) {
  const { port, publicUrl } = config;
  const local = await progress.step(
    'Carriers',
    () =>
      startLocalCarriers({
        ...localAccount,
        // Whoever reaches the page reads all messages and answers in anybody's name.
        host: '127.0.0.1',
        smtpPort: portOf(localMailName, port),
        pagePort: portOf(localCarrierName, port),
        authToken: secrets.carrierToken,
        callbackUrls: callbackUrlsAt(publicUrl),
      }),
    ({ pageUrl }) => pageUrl,
  );
  emergency.add(local.close);
  ends.defer(local.close);
  return local;
}
