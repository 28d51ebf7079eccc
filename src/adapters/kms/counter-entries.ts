/** What is entered into a log where a passkey has counted less than before: there may be a copy of it. */
import { type RawBuilder, sql } from "kysely";

export type CounterEntry = (passkey: {
  readonly id: string;
  readonly walletId: string;
  /** How far it had counted. */
  readonly counter: bigint;
  readonly reported: number;
}) => RawBuilder<unknown>;

const type = "passkey.counter_went_back";

/** In the service's log. One that the service does not know of commands nothing there. */
export const entryOfService: CounterEntry = ({ id, counter, reported }) => sql`
  select audit(tenant_id, environment, ${type}::text, 'passkey/' || id, user_id, json_build_object(
    'wallet', signer_address, 'provider', provider, 'credential_id', credential_id, 'counter', ${String(counter)}::int8,
    'reported', ${reported}::int8)) from passkey where id = ${id}`;

/** In the log of a custodian of its own. */
export const entryOfCustodian: CounterEntry = ({ id, walletId, counter, reported }) => sql`
  select audit_of_wallet(${walletId}::text, ${type}::text, json_build_object(
    'passkey', ${id}::text, 'counter', ${String(counter)}::int8, 'reported', ${reported}::int8))`;
