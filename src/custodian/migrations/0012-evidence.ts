import { refusedLogTables } from "@trellis/kernel/tlog/refused-logs.js";
import { type Kysely, sql } from "kysely";

/**
 * What contradicts what this custodian has seen of the service's log; entries of its own log about its secrets and its roots, as the
 * service's log has them; and whether a wallet ever had a row of its policy, so that its absence is noticed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...refusedLogTables, ...audited, hasPolicy]) await sql.raw(statement).execute(db);
}

const hasPolicy = `alter table custodian_wallet add column has_policy boolean not null default false`;

const audited = [
  `create function audit_secret() returns trigger language plpgsql as $$
  begin
    -- The one that there was before any had ids.
    if tg_op = 'INSERT' and new.id = 0 then return null; end if;
    perform audit(null, null,
      'secret.' || case when tg_op = 'INSERT' then 'created' when new.retired_at is not null then 'retired' else 'activated' end,
      'secret/' || new.purpose || '/' || new.id, null, json_build_object('purpose', new.purpose, 'id', new.id));
    return null;
  end $$`,
  `create function audit_wallet_root() returns trigger language plpgsql as $$
  begin
    perform audit(null, null, 'wallet_root.' || case when tg_op = 'INSERT' then 'created' else 'retired' end,
      'wallet_root/' || new.provider || '/' || new.generation, null,
      json_build_object('provider', new.provider, 'generation', new.generation, 'used_from', wire_instant(new.used_from)));
    return null;
  end $$`,
  `create trigger audit_secret_created after insert on derived_secret for each row execute function audit_secret()`,
  `create trigger audit_secret_changed after update of activated_at, retired_at on derived_secret for each row
    when (old.activated_at is distinct from new.activated_at or old.retired_at is distinct from new.retired_at)
    execute function audit_secret()`,
  `create trigger audit_wallet_root_created after insert on wallet_root for each row execute function audit_wallet_root()`,
  `create trigger audit_wallet_root_retired after update of retired_at on wallet_root for each row
    when (old.retired_at is null and new.retired_at is not null) execute function audit_wallet_root()`,
];
