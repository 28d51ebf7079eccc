-- Once, on the primary, with the password in the environment: psql -f roles.sql postgres
-- PgBouncer does not pass on the bounds that the service asks for, so that they stand here.
\getenv password TRELLIS_PASSWORD
create role trellis login password :'password' connection limit 150;
alter role trellis set statement_timeout = '60s';
alter role trellis set idle_in_transaction_session_timeout = '15s';
create database trellis owner trellis;
revoke connect on database trellis from public;
