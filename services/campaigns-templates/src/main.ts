import { runService } from '@crm/service';
import { campaignsTemplatesService } from './index.ts';

await runService(process.env, () => campaignsTemplatesService);
