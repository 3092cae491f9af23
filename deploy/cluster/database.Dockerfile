# PostgreSQL with pg_auto_failover as Debian has them.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends openssl postgresql-common \
  && echo 'create_main_cluster = false' >> /etc/postgresql-common/createcluster.conf \
  && apt-get install -y --no-install-recommends \
    pg-auto-failover-cli postgresql-15 postgresql-15-auto-failover \
  && rm -rf /var/lib/apt/lists/*
COPY database.sh /opt/openperp/
COPY postgres /opt/openperp/postgres
USER postgres
WORKDIR /var/lib/postgresql
VOLUME /var/lib/postgresql
ENTRYPOINT ["/opt/openperp/database.sh"]
