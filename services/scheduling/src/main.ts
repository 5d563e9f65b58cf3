import { runService } from '@crm/service';
import { schedulingService } from './index.ts';
import { readSettings } from './settings.ts';

await runService(process.env, (env) => schedulingService(readSettings(env)));
