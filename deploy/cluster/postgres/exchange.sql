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
