import type { Report } from '../command-line.ts';
import { checkBrokerAt } from '../doctor/broker.ts';
import { type Finding, problem } from '../doctor/finding.ts';
import { checkDataFolder, checkNode } from '../doctor/machine.ts';
import { checkPostalAddress, checkProcess } from '../doctor/process.ts';
import { checkGateway, checkService } from '../doctor/services.ts';
import { printable } from '../printable.ts';
import { dataFolderOf } from '../system/data-folder.ts';
import { findSystem, natsUrlOf, needOperatorToken } from '../system/find-system.ts';
import { Unable } from '../system/unable.ts';

/** Reports what runs, what is wrong and how to fix it. */
export async function doctor(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  const findings = [checkNode(), checkDataFolder(folder), ...(await checkSystem(env, folder))];
  const failed = findings.some(({ state }) => state === 'problem');
  const lines = findings.map(lineOf);
  const warned = findings.some(({ state }) => state === 'warning');
  const healthy = warned ? 'No problems were found, but see the warnings.' : 'No problems were found.';
  const verdict = failed ? 'Problems were found.' : healthy;
  return { json: { healthy: !failed, findings }, text: [...lines, '', verdict].join('\n'), failed };
}

async function checkSystem(env: NodeJS.ProcessEnv, folder: string): Promise<Finding[]> {
  try {
    const system = findSystem(env);
    const token = needOperatorToken(env);
    const services = Object.entries(system.services).map(([name, url]) => checkService(name, url, token));
    const natsUrl = natsUrlOf(env);
    const [gateway, events, ...own] = await Promise.all([
      checkGateway(system),
      natsUrl === undefined ? [] : checkBrokerAt(natsUrl),
      ...services,
    ]);
    const here = [...checkProcess(system, folder), ...checkPostalAddress(system, folder, env)];
    return [...here, gateway, ...own.flat(), ...events];
  } catch (error) {
    if (error instanceof Unable) return [problem('System', error.message, 'Run `npm start`.')];
    throw error;
  }
}

const signs = { ok: '✓', warning: '!', problem: '✗' };

function lineOf({ part, state, detail, fix }: Finding): string {
  const line = `${signs[state]} ${state.padEnd(8)} ${part.padEnd(16)} ${printable(detail)}`;
  return fix === undefined ? line : `${line}\n${' '.repeat(28)}→ ${printable(fix)}`;
}
