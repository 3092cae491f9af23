-- The exchange's user and database, and the password by which databases follow each other. Run by
-- database.sh on the first machine; the others are copies of it.

ALTER ROLE pgautofailover_replicator PASSWORD :'replication_password';
SELECT 'CREATE ROLE openperp LOGIN'
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'openperp') \gexec
ALTER ROLE openperp PASSWORD :'exchange_password';
-- It looks up whether a standby has what it wrote before it acknowledges anything.
GRANT pg_monitor TO openperp;
SELECT 'CREATE DATABASE openperp OWNER openperp'
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'openperp') \gexec
-- Users of nodes that read are members of this (reader.sql). Trading nodes give it its rights.
SELECT 'CREATE ROLE openperp_reader NOLOGIN'
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'openperp_reader') \gexec
-- They see the state of standbys, but no settings: one of those has the password of replication.
GRANT pg_read_all_stats TO openperp_reader;
-- They store nothing but their report.
REVOKE TEMPORARY ON DATABASE openperp FROM PUBLIC;
\connect openperp
REVOKE EXECUTE ON FUNCTION lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
