import { ConfigurationError } from '@crm/service/process';
import type { StartConfig } from './start-config.ts';
import { isLoopback } from './wants-demo.ts';

type Facts = Pick<StartConfig, 'isProduction' | 'host' | 'publicUrl' | 'isPublicUrlSet'> & Chosen;
type Chosen = Pick<StartConfig, 'mail' | 'carrier' | 'allowsLocalCarriers'>;

/**
 * Throws a ConfigurationError if a system for others would start with development defaults: if NODE_ENV is production, or other
 * machines reach it. There is a sentence for each, with what to set.
 */
export function refuseDevelopmentDefaults(config: Facts): void {
  const { isProduction, host, publicUrl, isPublicUrlSet } = config;
  const isForOthers = isProduction || !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);
  if (!isForOthers) return;
  const address = `PUBLIC_URL is not set: links in e-mails would point to ${publicUrl}. Set it to the address that clients use.`;
  refuse([...(isPublicUrlSet ? [] : [address]), ...carriersFor(config)]);
}

/**
 * Throws a ConfigurationError if local carriers would serve others. For containers, which listen on all addresses, only the
 * public address counts.
 */
export function refuseLocalCarriers(config: Facts): void {
  if (config.isPublicUrlSet && !isLoopback(new URL(config.publicUrl).hostname)) refuse(carriersFor(config));
}

function carriersFor({ mail, carrier, allowsLocalCarriers }: Chosen): string[] {
  if (allowsLocalCarriers) return [];
  const allowed = 'or LOCAL_CARRIERS=missing to keep them on this machine';
  return [
    ...(mail
      ? []
      : [`SMTP_URL is not set: e-mails would reach nobody. Set SMTP_URL and MAIL_FROM, ${allowed}.`]),
    ...(carrier
      ? []
      : [
          `CARRIER_URL is not set: texts and calls would reach nobody. Set the CARRIER_ variables, ${allowed}.`,
        ]),
  ];
}

function refuse(sentences: readonly string[]): void {
  if (sentences.length > 0) throw new ConfigurationError(sentences.join('\n'));
}
