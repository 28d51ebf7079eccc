import type { Address, Instruction, SignatureBytes } from "@solana/kit";
import type { Db, StandingOrderTable } from "@trellis/kernel/ports/database.js";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import {
  ALL_PERMISSIONS_MASK,
  addressOfBytes,
  addSpendingLimitAsAuthorityInstruction,
  createSmartAccountInstruction,
  decodeProgramConfig,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  Period,
  PROGRAM_CONFIG_ADDRESS,
} from "@trellis/program-client";
import { composeTransaction, computeUnitsMax } from "@trellis/solana/compose.js";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { encodeWithSignatures, toBase64 } from "@trellis/solana/wire-transaction.js";
import { countDues, type Frequency } from "../../src/standing-orders/schedule.js";
import { hashOf } from "./test-network.js";

/** An account on chain that an outside key controls alone. */
export interface ControlledAccount {
  readonly settings: Address;
  readonly address: Address;
  readonly authority: ServiceKey;
}

/** Sends a transaction that the network's fee payer pays for and these keys sign as well. Throws where it is refused. */
export async function sendAs(
  network: Network,
  instructions: readonly Instruction[],
  keys: readonly ServiceKey[],
): Promise<void> {
  const { value: lifetime } = await network.rpc.getLatestBlockhash({ commitment: "confirmed" }).send();
  const budget = { units: computeUnitsMax, microLamportsPerUnit: 0n };
  const { transaction } = composeTransaction(network.feePayer.address, lifetime, budget, instructions);
  const bytes = Uint8Array.from(transaction.messageBytes);
  const signatures = new Map<Address, SignatureBytes>();
  for (const key of [network.feePayer, ...keys]) signatures.set(key.address, await key.sign(bytes));
  const wire = toBase64(encodeWithSignatures(transaction, signatures));
  await network.rpc.sendTransaction(wire as never, { encoding: "base64", preflightCommitment: "confirmed" }).send();
}

/** Opens an account on chain whose settings the key made of `label` changes alone. */
export async function openControlledAccount(network: Network, label: string): Promise<ControlledAccount> {
  const authority = serviceKeyOf(hashOf(label));
  const config = await readAccount(network, PROGRAM_CONFIG_ADDRESS);
  if (!config) throw new Error("the program is configured");
  const { smartAccountIndex, treasury } = decodeProgramConfig(config.data);
  const settings = deriveSettingsAddress(smartAccountIndex + 1n);
  const creation = createSmartAccountInstruction({
    creator: network.feePayer.address,
    treasury,
    candidates: [settings],
    signers: [{ address: authority.address, mask: ALL_PERMISSIONS_MASK }],
    threshold: 1,
    timeLockSeconds: 0,
    settingsAuthority: authority.address,
  });
  await sendAs(network, [creation], []);
  return { settings, address: deriveSmartAccountAddress(settings), authority };
}

/** What an order of a test is about. */
export interface OrderTerms {
  readonly id: string;
  readonly amount: bigint;
  readonly frequency: Frequency;
  /** Unix milliseconds. */
  readonly startAt: number;
  readonly endAt?: number;
  /** Null: SOL. */
  readonly mint?: Address | null;
  readonly payee: Address;
  readonly tenantId?: string;
  /** Each open order of an account has one of its own. */
  readonly place?: number;
  /** Of the limit on chain, where it is not the one the service would ask for. */
  readonly limit?: { readonly amount?: bigint; readonly expiration?: bigint | null };
}

const periods = { daily: Period.Day, weekly: Period.Week, monthly: Period.Month } as const;

/** Gives the executor a limit on chain and puts an active order for it into the database, as creation would leave it. */
export async function openOrder(
  db: Db,
  network: Network,
  account: ControlledAccount,
  terms: OrderTerms,
): Promise<StandingOrderTable> {
  const order = await giveLimit(network, account, terms);
  await db.insertInto("standing_order").values(order).execute();
  return order;
}

/** The same without the database's part: the row that would stand there. */
export async function giveLimit(
  network: Network,
  account: ControlledAccount,
  terms: OrderTerms,
): Promise<StandingOrderTable> {
  const { id, amount, frequency, startAt, endAt = null, mint = null, payee } = terms;
  if (network.executor === null) throw new Error("there is an executor");
  const occurrences = countDues({ frequency, startAt, endAt });
  const seed = addressOfBytes(hashOf(`limit of ${id}`));
  const byRule = endAt === null ? null : BigInt(Math.floor(endAt / 1000) + 7 * 86_400);
  const expiration = terms.limit?.expiration === undefined ? byRule : terms.limit.expiration;
  const limit = addSpendingLimitAsAuthorityInstruction({
    settings: account.settings,
    settingsAuthority: account.authority.address,
    rentPayer: network.feePayer.address,
    limit: {
      seed,
      mint,
      amountBaseUnits: terms.limit?.amount ?? amount * BigInt(occurrences ?? 2),
      period: occurrences === null ? periods[frequency] : Period.OneTime,
      signers: [network.executor.address],
      destinations: [payee],
      expiration,
    },
  });
  await sendAs(network, [limit], [account.authority]);
  const now = BigInt(network.clock.now());
  return {
    id,
    tenant_id: terms.tenantId ?? "tenant-1",
    environment: network.name,
    account_address: account.address,
    settings_address: account.settings,
    status: "active",
    reason: null,
    suspended_for: null,
    suspended_from: null,
    amount: amount.toString(),
    currency: "sol",
    mint,
    frequency,
    source: "{}",
    destination: "{}",
    payee,
    payout_address_id: null,
    start_at: BigInt(startAt),
    end_at: endAt === null ? null : BigInt(endAt),
    occurrences,
    executor_address: network.executor.address,
    spending_limit_address: deriveSpendingLimitAddress(account.settings, seed),
    limit_expires_at: expiration,
    prepared_id: `prepared-${id}`,
    proposal_address: null,
    removal_prepared_id: null,
    renewal_limit_address: null,
    place: terms.place ?? 0,
    valid_until: now,
    mandate: "active",
    mandated_at: now,
    next_index: 0,
    next_due_at: BigInt(startAt),
    attempt_at: BigInt(startAt),
    leased_until: null,
    missed_in_a_row: 0,
    last_paid_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** The runs of an order as a person would tell them, oldest first. */
export async function runsOf(db: Db, id: string): Promise<readonly string[]> {
  const runs = await db
    .selectFrom("standing_order_run")
    .selectAll()
    .where("order_id", "=", id)
    .orderBy("due_at")
    .execute();
  return runs.map(
    ({ due_at, state, error }) =>
      `${new Date(Number(due_at)).toISOString().slice(0, 16)} ${state}${error === null ? "" : ` ${error}`}`,
  );
}

/** The order's row as it is now. */
export function orderOf(db: Db, id: string): Promise<StandingOrderTable> {
  return db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
