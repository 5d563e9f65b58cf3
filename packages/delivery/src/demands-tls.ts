/**
 * Whether nothing may be sent to a mail server before the connection is encrypted (with STARTTLS for `smtp:`). True by default if
 * the server is on another machine and the URL has a password, because anyone on the network could otherwise suppress the
 * encryption and read it. `requireTLS` in the query of the URL overrides this.
 */
export function demandsTls(smtpUrl: string): boolean {
  const { hostname, username, password, searchParams } = new URL(smtpUrl);
  const said = searchParams.get('requireTLS');
  if (said !== null) return said === 'true';
  return (username !== '' || password !== '') && !thisMachine.test(hostname);
}

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;
