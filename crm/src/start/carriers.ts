import type { DeliveryConfig } from '@crm/delivery';
import { addressOf, localCarrierName, localMailName, portOf } from '@crm/service/process';
import type { Secrets } from '../system/secrets.ts';
import type { EmergencyExit } from './emergency-exit.ts';
import type { Progress } from './progress.ts';
import type { StartConfig } from './start-config.ts';

export interface Carriers {
  readonly delivery: DeliveryConfig;
  /** The page with the messages of the local carriers, if they run. */
  readonly pageUrl: string | undefined;
}

interface LaunchContext {
  readonly config: StartConfig;
  readonly secrets: Secrets;
  readonly progress: Progress;
  readonly emergency: EmergencyExit;
  readonly ends: AsyncDisposableStack;
}

export const localAccount = { accountSid: 'AC00000000000000000000000000000000', number: '+16045550100' };
const localSender = { name: 'CRM', address: 'crm@crm.localhost' };

/** Whether some or all messages of this system stay on this machine. */
export const needsLocalCarriers = ({ mail, carrier }: StartConfig): boolean => !mail || !carrier;

/** Starts the local carriers if any provider is not configured. */
export async function startCarriers(context: LaunchContext): Promise<Carriers> {
  const { publicUrl, mail, carrier, rules, bounceToken, postalAddress } = context.config;
  if (mail && carrier) {
    const delivery = { ...mail, carrier, publicUrl, rules, bounceToken, postalAddress };
    return { delivery, pageUrl: undefined };
  }
  const local = await startLocal(context);
  const { carrierToken: authToken } = context.secrets;
  const delivery = deliveryWith(context.config, {
    smtpUrl: local.mail.url,
    carrierUrl: local.carrier.url,
    authToken,
  });
  return { delivery, pageUrl: local.pageUrl };
}

/** The local carriers, which reach nobody. */
interface LocalCarriers {
  readonly smtpUrl: string;
  readonly carrierUrl: string;
  readonly authToken: string;
}

/** The configured providers, with local carriers instead of missing ones. */
export function deliveryWith(config: StartConfig, local: LocalCarriers): DeliveryConfig {
  const { mail, carrier, publicUrl, bounceToken, postalAddress, allowedCountries, rules } = config;
  const { smtpUrl, carrierUrl: url, authToken } = local;
  return {
    ...(mail ?? { smtpUrl, mailFrom: localSender }),
    carrier: carrier ?? { ...localAccount, authToken, url, honoursKeys: true, allowedCountries },
    publicUrl,
    bounceToken,
    postalAddress,
    rules,
  };
}

/** Where a carrier posts incoming texts and pressed keys. */
export const callbackUrlsAt = (publicUrl: string) => ({
  text: `${publicUrl}/callbacks/texts`,
  keyPress: `${publicUrl}/callbacks/key-presses/`,
});

async function startLocal({ config, secrets, progress, emergency, ends }: LaunchContext) {
  const { startLocalCarriers } = await import('@crm/local-carriers');
  const { host, port, publicUrl } = config;
  const local = await progress.step(
    'Carriers',
    () =>
      startLocalCarriers({
        ...localAccount,
        // Anybody with the URL of the page can read all messages and reply to them for any recipient.
        host: '127.0.0.1',
        smtpPort: portOf(localMailName, port),
        pagePort: portOf(localCarrierName, port),
        authToken: secrets.carrierToken,
        callbackUrls: callbackUrlsAt(publicUrl),
        // PUBLIC_URL may be another system, of which this one is a copy.
        callbacksThrough: addressOf(host, port),
      }),
    ({ pageUrl }) => pageUrl,
  );
  emergency.add(local.close);
  ends.defer(local.close);
  return local;
}
