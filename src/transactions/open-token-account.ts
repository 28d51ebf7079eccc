import { type Address, createNoopSigner, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, feeOf, noBlockhash } from "@trellis/solana/compose.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import { readAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { simulateAfresh } from "@trellis/solana/simulate.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { associatedAccountBytes } from "@trellis/solana/token-extensions.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { sql } from "kysely";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  assertWithinTransactionLimit,
  budgetDay,
  type Cost,
  sumOf,
  takeFromBudgets,
  withBudgetErrors,
} from "../sponsorship/sponsorship.js";
import { confirmNewSubmission, confirmSubmission } from "../submissions/confirm-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import type { SignedSubmission } from "../submissions/submission.js";
import { submissionStates } from "../submissions/submission-states.js";
import { storeSigned } from "../submissions/submission-store.js";
import { rentNotSponsored, rentSponsorOf } from "./rent-sponsor.js";
import { isTokenAccountOf } from "./transfer-instructions.js";

export interface OpeningNeeds {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
  readonly realClock: Clock;
}

/**
 * Sees to it that an account has its token account of a currency, before any payer is asked to pay there: not every payer
 * opens one. The account's people can close it and keep its rent, so the service opens it as often as it opens accounts for
 * others (gap 31), and otherwise says who has to. The bytes are stored before they are sent. Lamports alone at its address,
 * which anybody can send, are no token account: it is opened over them.
 *
 * Throws `destination_closed` where the account's people have handed its token account on, `destination_frozen` where it is frozen,
 * `rent_not_sponsored`, `sponsorship_limit_exceeded`, `submission_in_progress` and `chain_unavailable`.
 */
export async function openTokenAccount(
  needs: OpeningNeeds,
  network: Network,
  account: AccountTable,
  currency: Currency,
): Promise<void> {
  assertOurs(currency.mint !== null && currency.tokenProgram !== null, "a partner pays in tokens");
  const owner = account.address as Address;
  const tokenAccount = deriveTokenAccount(owner, currency.mint, currency.tokenProgram);
  const isOpen = async () =>
    isTokenAccountOf(await readAccount(network, tokenAccount), owner, currency.mint as Address, "address");
  if (await isOpen()) return;
  // What an earlier call has begun may still open it.
  const begun = await findOpening(needs.db, account);
  if (begun !== undefined) {
    await confirmSubmission(needs, network, begun);
    if (await isOpen()) return;
  }
  await open(needs, network, account, { mint: currency.mint, tokenProgram: currency.tokenProgram, tokenAccount });
}

async function findOpening(db: Db, account: AccountTable): Promise<string | undefined> {
  const row = await db
    .selectFrom("submission")
    .select("id")
    .where("environment", "=", account.environment)
    .where("state", "in", submissionStates.open)
    .where("account_address", "=", account.address)
    .where("purpose", "=", "token_account")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

async function open(
  needs: OpeningNeeds,
  network: Network,
  account: AccountTable,
  token: { readonly mint: Address; readonly tokenProgram: Address; readonly tokenAccount: Address },
): Promise<void> {
  const { feePayer } = network;
  const owner = account.address as Address;
  const { mint, tokenProgram, tokenAccount } = token;
  const [mintAccount] = await readAccounts(network, [mint]);
  if (mintAccount === undefined) {
    throw new TrellisError("unsupported_currency", { message: "This currency does not exist in this environment." });
  }
  const bytes = associatedAccountBytes(mintAccount.data, tokenProgram === TOKEN_2022_PROGRAM_ADDRESS);
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)));
  const sponsor = rentSponsorOf(needs.db, network, account.address, undefined);
  if ((await sponsor.openingsLeft()) < 1) throw notOpened(account, rent);

  const microLamportsPerUnit = await estimateComputePrice(network, [tokenAccount]);
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(feePayer.address),
      ata: tokenAccount,
      owner,
      mint,
      tokenProgram,
    }),
  ];
  const most = { units: computeUnitsMax, microLamportsPerUnit };
  const simulation = await simulateAfresh(
    network,
    composeTransaction(feePayer.address, noBlockhash, most, instructions).bytes,
  );
  if (simulation.error !== null) {
    needs.log.error(
      { event: "token_account_open_failed", failure: simulation.error, account: account.address },
      "token account could not be opened",
    );
    throw new TrellisError("service_unavailable");
  }
  const budget = { ...most, units: Math.min(computeUnitsMax, Math.ceil(simulation.unitsConsumed * 1.2) + 1_000) };
  const { transaction, id } = composeTransaction(feePayer.address, simulation.lifetime, budget, instructions);
  const costs: Cost[] = [
    { kind: "fee", lamports: feeOf(transaction, budget) },
    { kind: "token_account_rent", lamports: rent, heldAt: tokenAccount, beneficiary: owner },
  ];
  const reservedLamports = sumOf(costs);
  assertWithinTransactionLimit(network, reservedLamports);
  const signature = await feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const realNow = needs.realClock.now();
  const signed: SignedSubmission = {
    id,
    tenantId: account.tenant_id,
    environment: network.name,
    accountAddress: account.address,
    purpose: "token_account",
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(
      transaction,
      new Map<Address, SignatureBytes>([[feePayer.address, signature]]),
    ),
    lastValidBlockHeight: simulation.lifetime.lastValidBlockHeight,
    recordedSlot: simulation.slot,
    reservedLamports,
    reservedOn: budgetDay(realNow),
  };
  const reservation = { tenantId: account.tenant_id, accountAddress: account.address, costs, realNow };
  const now = network.clock.now();
  const statement = sql<{ recorded: boolean }>`
    with recorded as (${storeSigned([signed], now)}),
      ${takeFromBudgets(network, [{ ...reservation, submissionId: id }], realNow, "recorded")}
    select exists (select 1 from recorded) as recorded`;
  const { rows } = await withBudgetErrors(realNow, statement.execute(needs.db), () =>
    reportExhausted(needs.db, network, reservation, now),
  );
  const outcome = await (rows[0]?.recorded === true
    ? confirmNewSubmission(needs, network, {
        id,
        signature: signed.signature,
        wire_transaction: signed.wireTransaction,
        last_valid_block_height: signed.lastValidBlockHeight,
        recorded_slot: signed.recordedSlot,
      })
    : confirmSubmission(needs, network, id));
  // Proven not to have happened, or refused by the chain: the same request tries again.
  if (outcome.state !== "landed") throw new TrellisError("chain_unavailable");
}

function notOpened(account: AccountTable, rentLamports: bigint): TrellisError {
  const payer = account.address as Address;
  const { message, details } = rentNotSponsored({
    what: "Money that arrives needs a token account, which the account lacks. That takes",
    rentLamports,
    payer,
    missing: rentLamports,
  });
  return new TrellisError("rent_not_sponsored", {
    message,
    details: details.map((detail) => ({
      ...detail,
      suggestion:
        "Send the account any amount of this currency first: the payer opens its token account. The service's " +
        "operator can have the service open it: TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT.",
    })),
  });
}
