import { randomBytes } from "node:crypto";
import { type Address, address, createNoopSigner, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { openSandboxNetwork } from "@trellis/sandbox/sandbox-network.js";
import { composeTransaction } from "@trellis/solana/compose.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { sql } from "kysely";
import { openDatabase } from "../src/adapters/db/open-database.js";
import { systemPause, systemRandom } from "../src/adapters/system.js";
import { recoverSubmissions } from "../src/submissions/recover-submissions.js";
import { storeSigned } from "../src/submissions/submission-store.js";
import { evenLimits } from "../test/support/sponsorship.js";
import { sized } from "./size.js";

/** Payments that a crash left open: signed, stored, never sent. */
const count = sized(10_000, 1_000);
const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const plenty = evenLimits(1n);

/**
 * How long the recovery pass takes to confirm 10,000 open submissions, in seconds, on a sandbox and a database of its own: an
 * embedded one in `directory`, or an empty one on a server. Throws when one of them is not confirmed.
 */
export async function measureRecovery(
  place: { readonly directory: string } | { readonly databaseUrl: string },
): Promise<{ readonly count: number; readonly seconds: number }> {
  const database = await openDatabase(
    "databaseUrl" in place
      ? { kind: "postgres", url: place.databaseUrl, poolSize: 10 }
      : { kind: "embedded", directory: place.directory },
  );
  const { db } = database;
  const sandbox = await openSandboxNetwork({
    database,
    keyring: createKeyring({ masterKeys: [{ id: "bench", key: randomBytes(32) }], activeId: "bench" }),
    // The chain's time stands still, so that preparing them uses up none of their minute.
    realClock: { now: () => Date.UTC(2026, 0, 15) },
    random: systemRandom,
    pause: systemPause,
    log,
    sponsorship: plenty,
    programPath: null,
  });
  const { network } = sandbox;
  try {
    const signed = [];
    for (let i = 0; i < count; i += 1) signed.push(await signPayment(network, BigInt(1_000_000 + i)));
    for (const each of signed) await storeSigned([each], network.clock.now()).execute(db);
    const started = performance.now();
    await recoverSubmissions({ db, log }, network, 0);
    const seconds = (performance.now() - started) / 1000;
    const { rows } = await sql<{ landed: number }>`
      select count(*)::int4 as landed from submission where state = 'landed'`.execute(db);
    if (rows[0]?.landed !== count) throw new Error(`only ${rows[0]?.landed} of ${count} submissions have landed`);
    return { count, seconds };
  } finally {
    await sandbox.close();
    await database.close();
  }
}

async function signPayment(network: Network, lamports: bigint) {
  const payer = network.feePayer.address;
  const { value: lifetime, context } = await network.rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({ source: createNoopSigner(payer), destination: payee, amount: lamports });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(payer, lifetime, budget, [transfer]);
  const signature = await network.feePayer.sign(Uint8Array.from(transaction.messageBytes));
  return {
    id,
    tenantId: null,
    environment: network.name,
    accountAddress: null,
    purpose: "transaction",
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(transaction, new Map<Address, SignatureBytes>([[payer, signature]])),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    recordedSlot: context.slot,
    reservedLamports: 0n,
    reservedOn: 0,
  } as const;
}
