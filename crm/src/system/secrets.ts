import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { secretPrefixes } from '@crm/auth/secret-prefixes';
import { serviceTokenHolders } from '@crm/contract';
import { z } from 'zod';
import { readIfExists, writePrivate } from './data-folder.ts';
import { ensureOperatorToken, findOperatorToken } from './operator-token.ts';
import { serviceNames } from './services.ts';
import { Unable } from './unable.ts';

/** How the keys of versions before 1.0 were derived from the operator token. */
const derivations: Readonly<Record<string, readonly [what: string, encoding: 'hex' | 'base64url']>> = {
  'claim-key': ['key of the claim links', 'base64url'],
  'carrier-token': ['token of the local carrier', 'base64url'],
  'sub-account-key': ['tokens of sub-accounts', 'hex'],
  'phone-code-key': ['codes to confirm phone numbers', 'hex'],
};

const brokerNames = [...serviceNames, 'crm'] as const;

/** The names of all keys. Each is random and independent of the others, so that it can be replaced alone. */
export const keyNames: readonly string[] = [
  ...Object.keys(derivations),
  ...serviceTokenHolders.map((name) => `service-token-${name}`),
  ...brokerNames.map((name) => `broker-password-${name}`),
];

export interface Secrets {
  readonly operatorToken: string;
  /** Each authenticates one service to identity. */
  readonly serviceTokens: Readonly<Record<(typeof serviceTokenHolders)[number], string>>;
  /** Each authenticates one service, or the crm command, to the broker, embedded or in a container. */
  readonly brokerPasswords: Readonly<Record<(typeof brokerNames)[number], string>>;
  /** Signs the links that claim a lead. */
  readonly claimKey: string;
  /** Authenticates the account at the local carrier. */
  readonly carrierToken: string;
  /** The access tokens of sub-accounts are derived from it. */
  readonly subAccountKey: string;
  /** Protects the codes that confirm phone numbers. */
  readonly phoneCodeKey: string;
}

type Keys = Readonly<Record<string, string>>;

/**
 * The secrets of a system, generated at its first start. Keys that an older version has used, from a folder or derived from an
 * operator token, are stored as they were, so that links and tokens keep working.
 */
export function ensureSecrets(env: NodeJS.ProcessEnv, folder: string): Secrets {
  const older = findOperatorToken(env, folder);
  const operatorToken = ensureOperatorToken(env, folder);
  const stored = readKeys(folder);
  const first = (name: string) => (stored || !older ? undefined : derivedBefore(name, older));
  const keys = Object.fromEntries(keyNames.map((name) => [name, stored?.[name] ?? first(name) ?? newKey()]));
  const isComplete = keyNames.every((name) => stored?.[name] !== undefined);
  if (!isComplete) writeKeys(folder, { ...(stored ?? { [idName]: newKeysId() }), ...keys });
  return secretsFrom(operatorToken, keys);
}

/** The token of programs of other teams. A system that was last started by a version without it does not know it yet. */
export function platformToken(folder: string): string {
  const key = readKeys(folder)?.['service-token-platform'];
  if (key === undefined) {
    throw new Unable(
      'NotFound',
      `${fileOf(folder)} has no token for other teams. It is created at the next start.`,
    );
  }
  return `${secretPrefixes.serviceToken}${key}`;
}

/** Replaces one key. The system uses it from its next start. */
export function rotateKey(folder: string, name: string): void {
  if (!keyNames.includes(name)) {
    throw new Unable('Usage', `No key is named "${name}". The names are ${keyNames.join(', ')}.`);
  }
  const keys = readKeys(folder);
  if (!keys)
    throw new Unable('NotFound', `${fileOf(folder)} does not exist. It is created at the first start.`);
  writeKeys(folder, { ...keys, [name]: newKey() });
}

/** What the keys of a folder are recognized by, whichever of them are replaced; undefined for those of an earlier release. */
export const idOfKeys = (folder: string): string | undefined => readKeys(folder)?.[idName];

export const setIdOfKeys = (folder: string, id: string): void =>
  writeKeys(folder, { ...readKeys(folder), [idName]: id });

/** The secrets by the names of their keys; a missing one is empty. */
export function secretsFrom(operatorToken: string, keys: Keys): Secrets {
  const key = (name: string) => keys[name] ?? '';
  const each = (names: readonly string[], value: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  return {
    operatorToken,
    serviceTokens: each(
      serviceTokenHolders,
      (name) => `${secretPrefixes.serviceToken}${key(`service-token-${name}`)}`,
    ) as Secrets['serviceTokens'],
    brokerPasswords: each(brokerNames, (name) =>
      key(`broker-password-${name}`),
    ) as Secrets['brokerPasswords'],
    claimKey: key('claim-key'),
    carrierToken: key('carrier-token'),
    subAccountKey: key('sub-account-key'),
    phoneCodeKey: key('phone-code-key'),
  };
}

function derivedBefore(name: string, operatorToken: string): string | undefined {
  const [what, encoding] = derivations[name] ?? [];
  return (
    what &&
    createHmac('sha256', operatorToken)
      .update(what)
      .digest(encoding ?? 'hex')
  );
}

const idName = 'keys-id';

const newKey = () => randomBytes(32).toString('base64url');

export const newKeysId: () => string = newKey;

export const keysFile = 'keys.json';

const fileOf = (folder: string): string => join(folder, keysFile);

/** A damaged file is not replaced: with other keys, links and tokens would stop working. */
function readKeys(folder: string): Keys | undefined {
  const text = readIfExists(fileOf(folder));
  if (text === undefined) return undefined;
  try {
    return z.record(z.string(), z.string().regex(/^[\w-]{32,200}$/)).parse(JSON.parse(text));
  } catch {
    throw new Unable('Configuration', `${fileOf(folder)} cannot be read. Restore it from a backup.`);
  }
}

function writeKeys(folder: string, keys: Keys): void {
  writePrivate(fileOf(folder), `${JSON.stringify(keys, null, 2)}\n`);
}
