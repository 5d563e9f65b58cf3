import { readOperatorToken, readPublicUrl, runService } from '@crm/service';
import { identityService } from './index.ts';

await runService(process.env, (env) =>
  identityService({ operatorToken: readOperatorToken(env), publicUrl: readPublicUrl(env) }),
);
