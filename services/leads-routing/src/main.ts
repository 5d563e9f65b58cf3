import { runService } from '@crm/service';
import { leadsRoutingService } from './index.ts';

await runService(process.env, () => leadsRoutingService);
