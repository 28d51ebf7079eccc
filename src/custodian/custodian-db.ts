import type {
  DatabaseSchema,
  Db,
  KmsAuthorizationKeyTable,
  KmsCeremonyTable,
  KmsPasskeyTable,
  KmsWalletTable,
  WalletRootTable,
} from "@trellis/kernel/ports/database.js";
import type { Kysely, Transaction } from "kysely";
import type { PolicyTables } from "./policy/policy-tables.js";

/** What a wallet obeys, fixed when it was made. */
export interface CustodianWalletTable {
  wallet_id: string;
  owner_id: string;
  environment: string;
  kind: string;
  /** Of a guarded wallet, as the next; null: of one whose domain is the service's to name. */
  rp_id: string | null;
  /** JSON of an array. */
  rp_origins: string | null;
  /** Whether a passkey ever commanded it: the first one is enrolled without authorization. */
  had_passkey: boolean;
  /** Whether its policy ever had a row: where that is not there it was taken away. */
  has_policy: boolean;
  /** HMAC over all of these, under a secret outside the database. */
  binding: Uint8Array;
  /** The latest time of the sandbox that it was asked at. */
  sandbox_now: bigint;
}

/** A nonce that was received, so that no request is carried out twice. */
export interface CustodianNonceTable {
  nonce: string;
  /** Real time, Unix milliseconds. */
  received_at: bigint;
}

/** One row: how far the database is. */
export interface CustodianMarkTable {
  id: number;
  count: bigint;
  /** Real time, Unix milliseconds. */
  restored_at: bigint | null;
}

/** The schema of a custodian's own database. */
export interface CustodianSchema extends PolicyTables {
  meta: DatabaseSchema["meta"];
  derived_secret: DatabaseSchema["derived_secret"];
  wallet_root: WalletRootTable;
  kms_wallet: KmsWalletTable;
  kms_authorization_key: KmsAuthorizationKeyTable;
  kms_passkey: KmsPasskeyTable;
  kms_ceremony: KmsCeremonyTable;
  custodian_wallet: CustodianWalletTable;
  custodian_nonce: CustodianNonceTable;
  custodian_mark: CustodianMarkTable;
}

export type CustodianDb = Kysely<CustodianSchema>;

/** A database that was opened with a custodian's migrations. The tables that both schemas have are the same in both. */
export const asCustodianDb = (db: Db): CustodianDb => db as unknown as CustodianDb;

/** The same of a transaction. */
export const asCustodianTrx = (trx: Transaction<DatabaseSchema>): Transaction<CustodianSchema> =>
  trx as unknown as Transaction<CustodianSchema>;
