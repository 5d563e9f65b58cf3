import { runService } from '@crm/service';
import { identityService } from './index.ts';
import { readSettings } from './settings.ts';

await runService(process.env, (env) => identityService(readSettings(env)));
