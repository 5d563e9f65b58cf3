import type { Report } from '../command-line.ts';
import { lookAtDeadLetters } from '../doctor/broker.ts';
import { type Finding, problem } from '../doctor/finding.ts';
import { lookAtDataFolder, lookAtNode } from '../doctor/machine.ts';
import { lookAtProcess } from '../doctor/process.ts';
import { lookAtGateway, lookAtService } from '../doctor/services.ts';
import { printable } from '../printable.ts';
import { dataFolderOf } from '../system/data-folder.ts';
import { findSystem, natsUrlOf, needOperatorToken } from '../system/find-system.ts';
import { Unable } from '../system/unable.ts';

/** Looks at everything and says what runs, what is wrong and how to mend it. */
export async function doctor(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  const findings = [lookAtNode(), lookAtDataFolder(folder), ...(await lookAtSystem(env, folder))];
  const failed = findings.some(({ state }) => state === 'problem');
  const lines = findings.map(lineOf);
  const warned = findings.some(({ state }) => state === 'warning');
  const good = warned ? 'Nothing is wrong, but see the warnings.' : 'Nothing is wrong.';
  const verdict = failed ? 'Something is wrong.' : good;
  return { json: { healthy: !failed, findings }, text: [...lines, '', verdict].join('\n'), failed };
}

async function lookAtSystem(env: NodeJS.ProcessEnv, folder: string): Promise<Finding[]> {
  try {
    const system = findSystem(env);
    const token = needOperatorToken(env);
    const services = Object.entries(system.services).map(([name, url]) => lookAtService(name, url, token));
    const [gateway, letters, ...own] = await Promise.all([
      lookAtGateway(system),
      lookAtLetters(env),
      ...services,
    ]);
    return [...lookAtProcess(system, folder), gateway, ...own.flat(), ...letters];
  } catch (error) {
    if (error instanceof Unable) return [problem('System', error.message, 'Run `npm start`.')];
    throw error;
  }
}

async function lookAtLetters(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    return [await lookAtDeadLetters(natsUrlOf(env))];
  } catch (error) {
    if (error instanceof Unable) return []; // Of a system elsewhere, whose broker is not named.
    throw error;
  }
}

const signs = { ok: '✓', warning: '!', problem: '✗' };

function lineOf({ part, state, detail, mend }: Finding): string {
  const line = `${signs[state]} ${state.padEnd(8)} ${part.padEnd(16)} ${printable(detail)}`;
  return mend === undefined ? line : `${line}\n${' '.repeat(28)}→ ${printable(mend)}`;
}
