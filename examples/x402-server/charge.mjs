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
const rememberedMs = 180_000;
/** Those that are under way, and those of the last minutes. */
const settlementsMax = 10_000;

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
  // A payment buys one answer, and the same answer again for who lost it, as long as the chain would still take it.
  const settlements = new Map();

  const settle = async (transaction, blockhash) => {
    if (!(await isValid(blockhash))) throw new Refused("it is too old");
    const signed = await partiallySignTransaction([keyPair], transaction);
    if (!isFullySignedTransaction(signed)) throw new Refused("a signature is missing");
    const signature = getSignatureFromTransaction(signed);
    const wire = getBase64EncodedWireTransaction(signed);
    // It may have landed when it was sent before, and nobody heard of it.
    if (!(await hasLanded(rpc, signature))) {
      await requirePaying(rpc, wire, { account, amount: BigInt(amount) });
      await send(rpc, wire, signature);
    }
    await requirePaid(rpc, signature, { account, mint, amount: BigInt(amount) });
    return signature;
  };

  /** What is asked for at the same moment, or again, is settled once; what failed is looked into again. */
  const settleOnce = (transaction, blockhash) => {
    const bytes = createHash("sha256").update(transaction.messageBytes).digest("hex");
    const known = settlements.get(bytes);
    if (known !== undefined) return known;
    if (settlements.size >= settlementsMax) throw new Refused("there is too much to do: send it again");
    const settling = settle(transaction, blockhash);
    settlements.set(bytes, settling);
    settling.then(
      () => forgetWhenOld(bytes, blockhash),
      () => settlements.delete(bytes),
    );
    return settling;
  };

  const isValid = async (blockhash) =>
    (await rpc.isBlockhashValid(blockhash, { commitment: "confirmed" }).send()).value;

  const forgetWhenOld = (bytes, blockhash) => {
    const look = async () => {
      if (await isValid(blockhash).catch(() => true)) forgetWhenOld(bytes, blockhash);
      else settlements.delete(bytes);
    };
    setTimeout(look, rememberedMs).unref();
  };

  return async (header) => {
    if (header === undefined) return refusal();
    try {
      const transaction = readPayment(header, option);
      const blockhash = requireHarmless(transaction, feePayer);
      const signature = await settleOnce(transaction, blockhash);
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

/** What our signature allows is the fee, and nothing else. Gives the blockhash. */
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
  let limits = 0;
  for (const { programAddressIndex, accountIndices = [], data = new Uint8Array() } of message.instructions) {
    const program = message.staticAccounts[programAddressIndex];
    if (!programs.has(program)) throw new Refused(`it calls ${program}`);
    if (accountIndices.includes(0)) throw new Refused("it uses the address that pays the fee");
    if (program === computeBudget) requireCheap(data);
    if (program === computeBudget && data[0] === 2) limits += 1;
  }
  // Without one the price is paid for many times as many units.
  if (limits !== 1) throw new Refused("it limits its compute units not once");
  return message.lifetimeToken;
}

function requireCheap(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLimit = data[0] === 2 && data.length === 5 && view.getUint32(1, true) <= computeUnitsMax;
  const isPrice = data[0] === 3 && data.length === 9 && view.getBigUint64(1, true) <= unitPriceMaxMicroLamports;
  if (!isLimit && !isPrice) throw new Refused("it costs too much");
}

/** Whether it would bring what it is to bring, before it costs us a fee. */
async function requirePaying(rpc, wire, { account, amount }) {
  const heldIn = (info) => (info === null ? 0n : Buffer.from(info.data[0], "base64").readBigUInt64LE(64));
  const before = await rpc.getAccountInfo(account, { encoding: "base64", commitment: "confirmed" }).send();
  const accounts = { encoding: "base64", addresses: [account] };
  const asked = { encoding: "base64", sigVerify: true, commitment: "confirmed", accounts };
  const { value } = await rpc.simulateTransaction(wire, asked).send();
  if (value.err !== null) throw new Refused(`it would fail: ${stringify(value.err)}`);
  if (heldIn(value.accounts[0]) - heldIn(before.value) < amount) throw new Refused("it would pay too little");
}

async function hasLanded(rpc, signature) {
  const { value: statuses } = await rpc.getSignatureStatuses([signature]).send();
  const [status] = statuses;
  if (status?.err) throw new Refused("it failed on chain");
  return ["confirmed", "finalized"].includes(status?.confirmationStatus);
}

/** Sends until the chain has it, or never will. A blockhash lives for about a minute. */
async function send(rpc, wire, signature) {
  for (let seconds = 0; seconds < 90; seconds += 1) {
    if (seconds % 3 === 0)
      await rpc
        .sendTransaction(wire, { encoding: "base64", skipPreflight: true })
        .send()
        .catch(() => {});
    if (await hasLanded(rpc, signature)) return;
    await pause(1_000);
  }
  throw new Refused("it was not seen on chain in time");
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether the transaction brought what it was to bring: read from what it did, whatever it called. */
async function requirePaid(rpc, signature, { account, mint, amount }) {
  const options = { commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: 0 };
  let landed = null;
  // A node may know of it before it can show it.
  for (let tries = 0; landed === null && tries < 30; tries += 1) {
    if (tries > 0) await pause(1_000);
    landed = await rpc.getTransaction(signature, options).send();
  }
  const place = landed?.transaction.message.accountKeys.indexOf(account) ?? -1;
  const heldIn = (balances) =>
    BigInt(balances?.find((each) => each.accountIndex === place && each.mint === mint)?.uiTokenAmount.amount ?? 0);
  const { preTokenBalances, postTokenBalances, err } = landed?.meta ?? {};
  if (place < 0 || err) throw new Refused("it paid nothing");
  if (heldIn(postTokenBalances) - heldIn(preTokenBalances) < amount) throw new Refused("it paid too little");
}
