# PostgreSQL with Patroni, which elects a primary, and etcd, in which it does.
FROM postgres:18
RUN apt-get update \
  && apt-get install --yes --no-install-recommends patroni python3-etcd python3-psycopg2 etcd-server etcd-client curl \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=postgres --group=postgres --mode=700 /var/lib/postgresql/node /var/lib/etcd
USER postgres
ENTRYPOINT []
