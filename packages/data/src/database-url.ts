/** A URL of PostgreSQL, as its own programs read it, with several hosts. */
const severalHosts = /^\w+:\/\/(?:[^@/?#]*@)?([^@/?#]+,[^@/?#]*)/i;

/** The same URL for each of its hosts alone. */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const hosts = severalHosts.exec(url)?.[1];
  if (hosts === undefined) return [url];
  const [first = '', ...others] = hosts.split(',').map((host) => url.replace(hosts, host));
  return [first, ...others];
}

/** The hosts and ports of a URL, for people. */
export const hostsOf = (url: string): string =>
  urlsOf(url)
    .map((one) => new URL(one).host)
    .join(', ');

/** The same database as another role. */
export function withRole(url: string, role: string, password: string): string {
  const [first] = urlsOf(url);
  const own = Object.assign(new URL(first), { username: role, password });
  const hosts = severalHosts.exec(url)?.[1];
  return hosts === undefined ? own.href : own.href.replace(own.host, hosts);
}
