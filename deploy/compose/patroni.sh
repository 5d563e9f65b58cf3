# Runs Patroni, or patronictl for an operator. The passwords of replication and of Patroni's own interface follow from that of the
# administrator.
own() { printf '%s %s' "$1" "$(cat /run/crm/password)" | sha256sum | cut -d ' ' -f 1; }
export PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD="$(cat /run/crm/password)"
export PATRONI_REPLICATION_USERNAME=replication PATRONI_REPLICATION_PASSWORD="$(own replication)"
export PATRONI_RESTAPI_USERNAME=patroni PATRONI_RESTAPI_PASSWORD="$(own patroni)"
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
export PATRONICTL_CONFIG_FILE=/etc/patroni.yml
exec "$@"
