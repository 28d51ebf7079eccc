import { randomBytes } from "node:crypto";
import type { Address, Instruction, Signature, SignatureBytes } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { resolveMessage } from "@trellis/solana/read-message.js";
import { writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { parseWireTransaction, toBase64 } from "@trellis/solana/wire-transaction.js";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import type { TestNetwork } from "./test-network.js";

/** An account of one key of its holder's own, which has lamports to pay fees with. */
export interface OwnAccount {
  readonly address: Address;
  readonly settings: Address;
  readonly key: SignerKey;
  readonly caller: Caller;
}

/** A payment whose fee its holder pays, and its bytes with all signatures: a wallet can send them on its own. */
export interface SelfPaidPayment extends PaymentIntent {
  readonly account: OwnAccount;
  /** Base64. */
  readonly wire: string;
}

/** Opens such an account, with a SOL of its own. */
export async function openOwnAccount(
  test: TestNetwork,
  network: Network = test.network,
  caller: Caller = test.caller,
): Promise<OwnAccount> {
  const key: SignerKey = new Uint8Array(randomBytes(32));
  const signer = { address: addressOfKey(key), permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] };
  const { address, settings_address } = await test.call<{ address: Address; settings_address: Address }>(
    createCustomAccount,
    {
      body: { policies: { signers: [signer], threshold: 1 } },
      network,
      caller,
      operationId: randomBytes(16).toString("hex"),
    },
  );
  await test.network.sandbox?.airdrop(address, 1_000_000_000n);
  await test.network.sandbox?.airdrop(addressOfKey(key), 1_000_000_000n);
  return { address, settings: settings_address, key, caller };
}

/** Prepares a payment that the holder's key pays the fee of, in SOL unless `body` says otherwise, and signs it. */
export async function prepareSelfPaid(
  test: TestNetwork,
  account: OwnAccount,
  to: string,
  {
    amount = "1000000",
    network = test.network,
    body = {},
  }: { readonly amount?: string; readonly network?: Network; readonly body?: object } = {},
): Promise<SelfPaidPayment> {
  const prepared = await test.call<PaymentIntent & { transaction: string }>(preparePayment, {
    params: { address: account.address },
    body: {
      amount,
      source: { account: account.address, currency: "sol" },
      destination: { address: to, currency: "sol" },
      fee_config: { self_managed_fees: true },
      payer_address: addressOfKey(account.key),
      ...body,
    },
    network,
    caller: account.caller,
  });
  return { ...prepared, account, wire: signTransaction(prepared.transaction, [account.key]) };
}

/** What a wallet does that sends on its own. */
export function sendByWallet(test: TestNetwork, { wire }: SelfPaidPayment, skipPreflight = false): Promise<Signature> {
  return test.network.rpc.sendTransaction(wire as never, { encoding: "base64", skipPreflight }).send();
}

/** What a wallet can change before it signs. */
export interface WalletParts {
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
}

/** A transaction as a wallet reads it, changes it and writes it anew, without signatures. Base64. */
export function changeAsWallet(transaction: string, change: (parts: WalletParts) => Partial<WalletParts>): string {
  const wire = parseWireTransaction(transaction);
  const { instructions, feePayer } = resolveMessage(wire, {});
  const parts: WalletParts = { feePayer, blockhash: wire.message.lifetimeToken as string, instructions };
  const written = { ...parts, ...change(parts) };
  const { messageBytes, signers } = compileMessage(written.feePayer, written.blockhash, written.instructions);
  return toBase64(
    writeTransaction(
      signers.map((): SignatureBytes | null => null),
      messageBytes,
    ),
  );
}
