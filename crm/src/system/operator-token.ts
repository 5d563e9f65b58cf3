import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { secretPrefixes } from '@crm/auth/secret-prefixes';
import { readEnvironment, variables } from '@crm/service/process';
import { readIfExists, writePrivate } from './data-folder.ts';

/** The operator token: `OPERATOR_TOKEN`, or the one in the data folder, if either exists. */
export function findOperatorToken(env: NodeJS.ProcessEnv, folder: string): string | undefined {
  const given = readEnvironment({ OPERATOR_TOKEN: variables.operatorToken.optional() }, env).OPERATOR_TOKEN;
  if (given !== undefined) return given;
  const stored = readIfExists(fileOf(folder))?.trim();
  return variables.operatorToken.safeParse(stored).data;
}

/** The operator token, which is generated at the first start. */
export function ensureOperatorToken(env: NodeJS.ProcessEnv, folder: string): string {
  const known = findOperatorToken(env, folder);
  if (known !== undefined) return known;
  const token = `${secretPrefixes.operatorToken}${randomBytes(32).toString('base64url')}`;
  writePrivate(fileOf(folder), `${token}\n`);
  return token;
}

const fileOf = (folder: string): string => join(folder, 'operator-token');
