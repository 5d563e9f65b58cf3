import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a process and passes on what it logs. */
const child = spawn(process.execPath, [fileURLToPath(new URL('idle-process.ts', import.meta.url))], {
  env: { ...process.env, CRM_SUPERVISED: 'yes' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
child.stdout.pipe(process.stdout);
