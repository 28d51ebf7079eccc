// Charges for requests by x402 version 2, scheme `exact` on Solana, and settles what it is paid itself: no facilitator is needed.
// It takes plain token transfers and payments of smart accounts, and believes what the chain says of a transaction alone.
import { createHash } from "node:crypto";
import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  isFullySignedTransaction,
  partiallySignTransaction,
} from "@solana/kit";
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";

const computeBudget = "ComputeBudget111111111111111111111111111111";

/** What a payment may call. With the fee payer in none of its accounts, none of them can take money of it. */
const programs = new Set([
  computeBudget,
  TOKEN_PROGRAM_ADDRESS,
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  // Spending limits of smart accounts.
  "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG",
]);
/** What a transaction may cost us: 5,000 lamports for each signature, and units times their price. */
const signaturesMax = 3;
const computeUnitsMax = 400_000;
const unitPriceMaxMicroLamports = 50_000n;

const headerLengthMax = 16_384;
/** Longer than a blockhash lives. */
const rememberedMs = 180_000;

/** A payment that is not taken; `message` is the reason that the payer is given. */
class Refused extends Error {}

/**
 * Makes what charges for one resource. `rpc` is kit's client of a node, `keyPair` pays the fees, `payTo` is an owner with a token
 * account for `mint`, and `amount` is in base units.
 *
 * @returns a function from the value of the header `PAYMENT-SIGNATURE`, or undefined, to `{isPaid, headers}`
 */
export async function createCharge({ rpc, keyPair, feePayer, payTo, mint, amount, network, path }) {
  const [account] = await findAssociatedTokenPda({ mint, owner: payTo, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  const option = {
    scheme: "exact",
    network,
    amount,
    asset: mint,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { feePayer, features: { smartWalletSupported: true } },
  };
  const required = { x402Version: 2, error: "Payment is required.", resource: { url: path }, accepts: [option] };
  // A payment buys one answer, and the same answer again for who lost it. What is older than a blockhash, the chain itself refuses.
  const settlements = new Map();

  const settle = async (transaction) => {
    const signed = await partiallySignTransaction([keyPair], transaction);
    if (!isFullySignedTransaction(signed)) throw new Refused("a signature is missing");
    const signature = getSignatureFromTransaction(signed);
    await send(rpc, getBase64EncodedWireTransaction(signed), signature);
    await requirePaid(rpc, signature, { account, mint, amount: BigInt(amount) });
    return signature;
  };

  /** What is asked for at the same moment, or again, is settled once. */
  const settleOnce = (transaction) => {
    const bytes = createHash("sha256").update(transaction.messageBytes).digest("hex");
    const settling = settlements.get(bytes) ?? settle(transaction);
    settlements.set(bytes, settling);
    setTimeout(() => settlements.delete(bytes), rememberedMs).unref();
    return settling;
  };

  return async (header) => {
    if (header === undefined) return refusal();
    try {
      const transaction = readPayment(header, option);
      requireHarmless(transaction, feePayer);
      const signature = await settleOnce(transaction);
      const settlement = { success: true, transaction: signature, network };
      return { isPaid: true, headers: { "payment-response": encode(settlement) } };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refusal({ success: false, errorReason: error.message, transaction: "", network });
    }
  };

  function refusal(settlement) {
    const headers = { "payment-required": encode(required) };
    return { isPaid: false, headers: settlement ? { ...headers, "payment-response": encode(settlement) } : headers };
  }
}

const stringify = (value) => JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? Number(each) : each));

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64");

function readPayment(header, option) {
  if (header.length > headerLengthMax) throw new Refused("the payment is too long");
  try {
    const { x402Version, accepted, payload } = JSON.parse(Buffer.from(header, "base64").toString());
    const { amount, asset, payTo, network, scheme } = accepted;
    const isOurs =
      [amount, asset, payTo, network, scheme].join() ===
      [option.amount, option.asset, option.payTo, option.network, option.scheme].join();
    if (x402Version !== 2 || !isOurs) throw new Refused("this is not what was asked for");
    return getTransactionDecoder().decode(getBase64Encoder().encode(payload.transaction));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("the payment cannot be read");
  }
}

/** What our signature allows is the fee, and nothing else. */
function requireHarmless({ messageBytes, signatures }, feePayer) {
  let message;
  try {
    message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  } catch {
    throw new Refused("the transaction cannot be read");
  }
  if (message.staticAccounts[0] !== feePayer) throw new Refused("another address pays the fee");
  if ((message.addressTableLookups ?? []).length > 0) throw new Refused("addresses are hidden in lookup tables");
  if (Object.keys(signatures).length > signaturesMax) throw new Refused("too many sign");
  for (const { programAddressIndex, accountIndices = [], data = new Uint8Array() } of message.instructions) {
    const program = message.staticAccounts[programAddressIndex];
    if (!programs.has(program)) throw new Refused(`it calls ${program}`);
    if (accountIndices.includes(0)) throw new Refused("it uses the address that pays the fee");
    if (program === computeBudget) requireCheap(data);
  }
}

function requireCheap(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLimit = data[0] === 2 && data.length === 5 && view.getUint32(1, true) <= computeUnitsMax;
  const isPrice = data[0] === 3 && data.length === 9 && view.getBigUint64(1, true) <= unitPriceMaxMicroLamports;
  if (!isLimit && !isPrice) throw new Refused("it costs too much");
}

/** Sends until the chain has it, or never will. */
async function send(rpc, wire, signature) {
  const asked = { encoding: "base64", sigVerify: true, commitment: "confirmed" };
  const { value } = await rpc.simulateTransaction(wire, asked).send();
  if (value.err !== null) throw new Refused(`it would fail: ${stringify(value.err)}`);
  // A blockhash lives for about a minute; some seconds more, and nothing that was sent can land.
  for (let seconds = 0; seconds < 90; seconds += 1) {
    if (seconds % 3 === 0)
      await rpc
        .sendTransaction(wire, { encoding: "base64", skipPreflight: true })
        .send()
        .catch(() => {});
    const {
      value: [status],
    } = await rpc.getSignatureStatuses([signature]).send();
    if (status?.err) throw new Refused("it failed on chain");
    if (["confirmed", "finalized"].includes(status?.confirmationStatus)) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Refused("it was not seen on chain in time");
}

/** Whether the transaction brought what it was to bring: read from what it did, whatever it called. */
async function requirePaid(rpc, signature, { account, mint, amount }) {
  const options = { commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: 0 };
  const landed = await rpc.getTransaction(signature, options).send();
  const place = landed?.transaction.message.accountKeys.indexOf(account) ?? -1;
  const heldIn = (balances) =>
    BigInt(balances?.find((each) => each.accountIndex === place && each.mint === mint)?.uiTokenAmount.amount ?? 0);
  const { preTokenBalances, postTokenBalances, err } = landed?.meta ?? {};
  if (place < 0 || err) throw new Refused("it paid nothing");
  if (heldIn(postTokenBalances) - heldIn(preTokenBalances) < amount) throw new Refused("it paid too little");
}
