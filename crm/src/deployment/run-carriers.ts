import { deliveryVariables } from '@crm/delivery';
import { startLocalCarriers } from '@crm/local-carriers';
import { createLog, readEnvironment, runProcess, variables } from '@crm/service/process';
import { callbackUrlsAt } from '../start/carriers.ts';

const { CARRIER_ACCOUNT_SID, CARRIER_AUTH_TOKEN, CARRIER_NUMBER, PUBLIC_URL } = deliveryVariables;

/**
 * Runs the mail catcher and the carrier until the process is asked to stop. Anybody with the URL of the page can read all
 * messages and reply to them for any recipient.
 */
export function runCarriers(env: NodeJS.ProcessEnv): Promise<never> {
  return runProcess(env, (level) => {
    const read = readEnvironment(
      {
        HOST: variables.host.default('127.0.0.1'),
        PORT: variables.port(0, 65_535),
        SMTP_PORT: variables.port(0, 65_535),
        GATEWAY_URL: variables.httpUrl.optional(),
        ...{ CARRIER_ACCOUNT_SID, CARRIER_AUTH_TOKEN, CARRIER_NUMBER, PUBLIC_URL },
      },
      env,
    );
    const start = async () => {
      const { pageUrl, close } = await startLocalCarriers({
        host: read.HOST,
        smtpPort: read.SMTP_PORT,
        pagePort: read.PORT,
        accountSid: read.CARRIER_ACCOUNT_SID,
        authToken: read.CARRIER_AUTH_TOKEN,
        number: read.CARRIER_NUMBER,
        callbackUrls: callbackUrlsAt(read.PUBLIC_URL),
        callbacksThrough: read.GATEWAY_URL,
      });
      return { url: pageUrl, close };
    };
    return { name: 'carriers', log: createLog('carriers', level), start };
  });
}
