#!/bin/sh
# The databases of an exchange, kept by pg_auto_failover: makes what is not there yet, then runs it.
# For systemd and for containers alike; as the user that PostgreSQL runs as.
#
#   database.sh certificates FOLDER HOST...   once, anywhere: a CA, and a certificate for each host
#   database.sh monitor                       on one machine: who decides on a promotion
#   database.sh database                      on three: the first that is started is the primary
#   database.sh reader NODE                   on the primary: makes the user of a node that reads
#
# What it needs to know is in the environment: env/database.env has all of it with its meaning.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

ten_years=3650

certificates() {
  folder=$1
  shift
  mkdir -p "$folder"
  openssl req -x509 -newkey rsa:3072 -nodes -days $ten_years -subj '/CN=openperp databases' \
    -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
  for host in "$@"; do
    mkdir -p "$folder/$host"
    openssl req -newkey rsa:3072 -nodes -subj "/CN=$host" \
      -keyout "$folder/$host/server.key" -out "$folder/$host/server.csr" 2>/dev/null
    printf 'subjectAltName=DNS:%s\n' "$host" > "$folder/$host/names"
    openssl x509 -req -days $ten_years -in "$folder/$host/server.csr" -extfile "$folder/$host/names" \
      -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial \
      -out "$folder/$host/server.crt" 2>/dev/null
    rm "$folder/$host/server.csr" "$folder/$host/names"
    cp "$folder/ca.crt" "$folder/$host/ca.crt"
    chmod 644 "$folder/$host/ca.crt" "$folder/$host/server.crt"
    echo "$folder/$host: for $host, as its TLS_FOLDER; only postgres may read server.key"
  done
  echo "$folder/ca.key: makes further certificates; keep it away from the machines"
}

# PostgreSQL is made with doors that are open to everybody on its machine: they get locks. Its own
# user, as which pg_autoctl runs, comes in under the names that pg_autoctl uses.
lock_doors() {
  sed -i -E \
    -e 's/^(local .*)trust$/\1peer map=own/' \
    -e 's/^(host .*)trust$/\1scram-sha-256/' "$1/pg_hba.conf"
  user=$(id -un)
  printf 'own %s %s\nown %s autoctl_node\n' "$user" "$user" "$user" >> "$1/pg_ident.conf"
}

# Runs statements of standard input on a server that nobody else can reach, which ends after them.
# Values are variables of psql, so that no password is part of a command line.
alone() {
  folder=$1
  name=$2
  socket=$(mktemp -d)
  "$PG_BIN/pg_ctl" start -D "$folder" -w -s -o "-c listen_addresses= -c unix_socket_directories=$socket"
  status=0
  "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 -h "$socket" -p "$3" -d "$name" || status=$?
  "$PG_BIN/pg_ctl" stop -D "$folder" -w -s -m fast
  rm -rf "$socket"
  return $status
}

# As they are shipped everybody knows them.
require_secrets() {
  for secret in "$MONITOR_PASSWORD" "$REPLICATION_PASSWORD" "$EXCHANGE_PASSWORD"; do
    [ "$secret" != CHANGE-ME ] || { echo 'database.sh: a password is still CHANGE-ME' >&2; exit 2; }
  done
}

created() {
  require_secrets
  common="--auth scram-sha-256 --ssl-mode verify-full --ssl-ca-file $TLS_FOLDER/ca.crt"
  common="$common --server-cert $TLS_FOLDER/server.crt --server-key $TLS_FOLDER/server.key"
  # Words without spaces, split on purpose.
  # shellcheck disable=SC2086
  pg_autoctl create "$@" $common --pgctl "$PG_BIN/pg_ctl"
}

monitor() {
  if [ ! -e "$MONITOR_FOLDER/made" ]; then
    created monitor --pgdata "$MONITOR_FOLDER" --pgport "$MONITOR_PORT" --hostname "$MONITOR_HOST"
    lock_doors "$MONITOR_FOLDER"
    for network in $NETWORKS; do
      echo "hostssl pg_auto_failover autoctl_node $network scram-sha-256" >> "$MONITOR_FOLDER/pg_hba.conf"
    done
    cp "$here/postgres/monitor.conf" "$MONITOR_FOLDER/monitor.conf"
    echo "include 'monitor.conf'" >> "$MONITOR_FOLDER/postgresql.conf"
    {
      echo '\getenv monitor_password MONITOR_PASSWORD'
      echo "ALTER ROLE autoctl_node PASSWORD :'monitor_password';"
    } | alone "$MONITOR_FOLDER" pg_auto_failover "$MONITOR_PORT"
    touch "$MONITOR_FOLDER/made"
  fi
  exec pg_autoctl run --pgdata "$MONITOR_FOLDER"
}

# Whoever comes first to a new monitor; all others are copies.
first_database() {
  lock_doors "$DATABASE_FOLDER"
  for network in $NETWORKS; do
    echo "hostssl openperp openperp,+openperp_reader $network scram-sha-256" \
      >> "$DATABASE_FOLDER/pg_hba.conf"
  done
  cp "$here/postgres/exchange.conf" "$DATABASE_FOLDER/exchange.conf"
  echo "include 'exchange.conf'" >> "$DATABASE_FOLDER/postgresql.conf"
  {
    echo '\getenv replication_password REPLICATION_PASSWORD'
    echo '\getenv exchange_password EXCHANGE_PASSWORD'
    cat "$here/postgres/exchange.sql"
  } | alone "$DATABASE_FOLDER" postgres "$DATABASE_PORT"
}

database() {
  at="postgres://autoctl_node:$MONITOR_PASSWORD@$MONITOR_HOST:$MONITOR_PORT/pg_auto_failover"
  if [ ! -e "$DATABASE_FOLDER/made" ]; then
    PGPASSWORD=$REPLICATION_PASSWORD created postgres --pgdata "$DATABASE_FOLDER" \
      --pgport "$DATABASE_PORT" --hostname "$DATABASE_HOST" --name "$DATABASE_HOST-$DATABASE_PORT" \
      --candidate-priority "$DATABASE_PRIORITY" \
      --monitor "$at?sslmode=verify-full&sslrootcert=$TLS_FOLDER/ca.crt"
    [ -e "$DATABASE_FOLDER/standby.signal" ] || first_database
    touch "$DATABASE_FOLDER/made"
  fi
  pg_autoctl config set replication.password "$REPLICATION_PASSWORD" \
    --pgdata "$DATABASE_FOLDER" > /dev/null
  exec pg_autoctl run --pgdata "$DATABASE_FOLDER"
}

# Says the password, which is nowhere else. Needs no more of the environment than the port.
reader() {
  READER_PASSWORD=$(openssl rand -hex 24)
  export READER_PASSWORD
  "${PG_BIN:-/usr/lib/postgresql/15/bin}/psql" -X -q -v ON_ERROR_STOP=1 -v name="$1" \
    -p "${DATABASE_PORT:-5432}" -d openperp -f "$here/postgres/reader.sql"
  echo "for OPENPERP_CLUSTER in the read.env of $1: postgres://$1:$READER_PASSWORD@..."
}

case ${1:-} in
  certificates)
    shift
    [ $# -ge 2 ] || { echo 'database.sh certificates FOLDER HOST...' >&2; exit 2; }
    certificates "$@"
    ;;
  monitor) monitor ;;
  database) database ;;
  reader)
    [ $# -eq 2 ] || { echo 'database.sh reader NODE' >&2; exit 2; }
    reader "$2"
    ;;
  *)
    echo 'database.sh certificates FOLDER HOST... | monitor | database | reader NODE' >&2
    exit 2
    ;;
esac
