import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readEnvironment, variables } from '@crm/service/process';
import { readIfThere, writePrivate } from './data-folder.ts';

/** The operator's token: `OPERATOR_TOKEN`, else the one kept in the data folder, if either is there. */
export function findOperatorToken(env: NodeJS.ProcessEnv, folder: string): string | undefined {
  const given = readEnvironment({ OPERATOR_TOKEN: variables.operatorToken.optional() }, env).OPERATOR_TOKEN;
  if (given !== undefined) return given;
  const kept = readIfThere(fileOf(folder))?.trim();
  return variables.operatorToken.safeParse(kept).data;
}

/** The same, made and kept at the first start. */
export function takeOperatorToken(env: NodeJS.ProcessEnv, folder: string): string {
  const known = findOperatorToken(env, folder);
  if (known !== undefined) return known;
  const made = `crm_op_${randomBytes(32).toString('base64url')}`;
  writePrivate(fileOf(folder), `${made}\n`);
  return made;
}

const fileOf = (folder: string): string => join(folder, 'operator-token');
