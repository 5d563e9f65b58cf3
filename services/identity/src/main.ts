import { readOperatorToken, readPublicUrl, readServiceToken, runService } from '@crm/service';
import { identityService } from './index.ts';

await runService(process.env, (env) =>
  identityService({
    operatorToken: readOperatorToken(env),
    serviceToken: readServiceToken(env),
    publicUrl: readPublicUrl(env),
  }),
);
