import { runService } from '@crm/service';
import { leadsRoutingService } from './index.ts';
import { readSettings } from './settings.ts';

await runService(process.env, (env) => leadsRoutingService(readSettings(env)));
