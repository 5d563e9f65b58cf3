import type { Query } from '@crm/data';
import type { Origin } from '../security-events/security-event.queries.ts';
import { newBrowserSecret } from './browser-secret.ts';
import { cookieNames, keepingCookie, secretIn, settingCookie } from './cookies.ts';
import { deviceLifeSeconds, rememberDevice } from './known-device.queries.ts';
import { openSession } from './session.queries.ts';

/** Makes a browser a known one of the user. */
export async function knowDevice(query: Query, request: Origin, userId: number) {
  const secret = secretIn(request, cookieNames.device) ?? newBrowserSecret();
  const { id, is_new } = await rememberDevice(query, { secret, userId, request });
  return { id, isNew: is_new, cookie: keepingCookie(cookieNames.device, secret, deviceLifeSeconds) };
}

/** Opens a session of a user in a browser, with a new secret. */
export async function beginSession(query: Query, request: Origin, userId: number) {
  const device = await knowDevice(query, request, userId);
  const secret = newBrowserSecret();
  await openSession(query, secret, { userId, deviceId: device.id });
  return { isNewDevice: device.isNew, cookies: [settingCookie(cookieNames.session, secret), device.cookie] };
}
