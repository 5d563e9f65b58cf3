# PostgreSQL with Patroni, which elects a primary, and etcd, in which it does.
FROM postgres:18.6@sha256:5a5a84b19854a9ffaa54082c166ff4ec27473a361e496e5ea167f298f2da9722
RUN apt-get update \
  && apt-get install --yes --no-install-recommends patroni python3-etcd python3-psycopg2 etcd-server etcd-client curl \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=postgres --group=postgres --mode=700 /var/lib/postgresql/node /var/lib/etcd
USER postgres
ENTRYPOINT []
