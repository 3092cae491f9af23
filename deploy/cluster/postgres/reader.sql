-- The user of a node that reads, named like the node: `psql -v name=c-read -f reader.sql`, with the
-- password in the environment as READER_PASSWORD. Run by `database.sh reader` on the primary. Run
-- again, it sets another password.

\getenv reader_password READER_PASSWORD
SELECT 'CREATE ROLE openperp_reader NOLOGIN'
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'openperp_reader') \gexec
GRANT pg_read_all_stats TO openperp_reader;
SELECT format('CREATE ROLE %I LOGIN CONNECTION LIMIT 16', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
GRANT openperp_reader TO :"name";
ALTER ROLE :"name" PASSWORD :'reader_password';
