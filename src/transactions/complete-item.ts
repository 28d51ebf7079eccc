import type { Address } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import { parseTransactionSync, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { type ReadMessage, readMessage } from "@trellis/solana/read-message.js";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import { matchStamps } from "../custody/match-stamps.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { explainAltered } from "./altered-transaction.js";
import type { FoundPrepared } from "./prepared-store.js";
import type { CompleteItem, ItemContext } from "./submit-item.js";
import { readCaller } from "./submit-policy.js";

/**
 * Requires that every signature is there, and is one: in the bytes, or as the holders' signatures of payloads. `found`: what
 * was prepared here, if it was. What was built elsewhere is fully signed by its own keys, paid by its own payer, and about
 * this account only.
 */
export async function completeItem(context: ItemContext, found: FoundPrepared | undefined): Promise<CompleteItem> {
  const signed = verifySignatures(context);
  return found ? completePrepared(context, found, signed) : completeForeign(context, signed);
}

async function completePrepared(
  context: ItemContext,
  found: FoundPrepared,
  signed: ReadonlySet<Address>,
): Promise<CompleteItem> {
  const { needs, network, item, wire } = context;
  const { prepared } = found;
  const now = network.clock.now();
  const payloads = found.payloads.filter(({ address }) => !signed.has(address as Address));
  if (now >= Number(prepared.expires_at) || prepared.refused_at !== null) {
    throw new TrellisError(payloads.length > 0 ? "payload_expired" : "blockhash_expired", { field: item.field });
  }
  if (payloads.some(({ used_by }) => used_by !== null && used_by !== wire.id)) {
    throw new TrellisError("payload_already_used", { field: "kms_payloads" });
  }
  const times = { now, realNow: needs.realClock.now(), tenantId: prepared.tenant_id, environment: network.name };
  const stamps = await matchStamps(needs, payloads, item.entries, { ...times, asksGuardian: true });
  const present = new Set([...signed, ...stamps.map(({ payload }) => payload.address as Address)]);
  requireSignatures(context, present);
  return { wire, prepared, stamps, present };
}

async function completeForeign(context: ItemContext, signed: ReadonlySet<Address>): Promise<CompleteItem> {
  const { needs, network, account, owner, item, wire } = context;
  const message = await readMessage(network, wire, { leastSlot: account.slot });
  try {
    requireSelfContained(context, message);
    if (item.entries.length > 0) {
      throw new TrellisError("transaction_not_prepared", {
        field: item.field,
        message: "Custody signatures are given to transactions prepared here only.",
      });
    }
  } catch (refusal) {
    throw (await explainAltered(needs.db, network, owner, { wire, message }, item.field)) ?? refusal;
  }
  requireSignatures(context, signed);
  return { wire, prepared: null, stamps: [], present: signed };
}

/**
 * Requires that a transaction prepared elsewhere is about this account and nothing else, and needs no signature that only
 * the service or a custodian could give (gap 31). Throws `transaction_not_prepared` or `forbidden_account`.
 */
function requireSelfContained({ network, account, item: { field } }: ItemContext, message: ReadMessage): void {
  const refuse = (text: string) => new TrellisError("transaction_not_prepared", { field, message: text });
  for (const address of network.serviceAddresses) {
    if (message.addresses.has(address)) {
      throw refuse(
        "This transaction was not prepared here for this account, so the service neither pays for it nor appears in it. " +
          "Submit what was answered, byte for byte, at the account it was prepared for.",
      );
    }
  }
  for (const instruction of message.instructions) {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS) continue;
    const settings = instruction.accounts?.[0]?.address;
    if (instruction.programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS || settings !== account.settingsAddress) {
      throw refuse("A transaction built elsewhere may only call the smart account program for this account.");
    }
    const call = readCaller(() => parseTransactionSync(instruction));
    if (call && call.smartAccount !== account.address) {
      throw refuse("A transaction built elsewhere may only move what this account's own address holds.");
    }
  }
}

/** Every signature that is there must be one; returns who signed. Throws `invalid_signature`. */
function verifySignatures({ network, wire, item: { field } }: ItemContext): ReadonlySet<Address> {
  const signed = new Set<Address>();
  for (const [name, signature] of Object.entries(wire.transaction.signatures)) {
    const address = name as Address;
    if (signature === null || signature.every((byte) => byte === 0)) continue;
    const message = Uint8Array.from(wire.transaction.messageBytes);
    if (isFeePayer(network, address) || !isChainSignature(address, message, Uint8Array.from(signature))) {
      throw new TrellisError("invalid_signature", {
        field,
        message: `The signature of ${address} does not verify.`,
        suggestion:
          "Have exactly these bytes signed. A wallet that adds something to them signs other bytes: submit what it gives " +
          "back, to read what it has added.",
        facts: { address },
      });
    }
    signed.add(address);
  }
  return signed;
}

function requireSignatures({ network, wire, item }: ItemContext, present: ReadonlySet<Address>): void {
  const missing = wire.signers.find((address) => !isFeePayer(network, address) && !present.has(address));
  if (missing === undefined) return;
  throw new TrellisError("missing_signature", {
    field: item.field,
    message: `The signature of ${missing} is missing.`,
    facts: { address: missing },
  });
}
