import { randomBytes } from "node:crypto";
import {
  address,
  compileTransaction,
  createKeyPairFromPrivateKeyBytes,
  createSolanaRpc,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getU64Encoder,
  type Instruction,
  setTransactionMessageFeePayer,
  signTransaction,
} from "@solana/kit";
import { addressOfKey, createTrellisClient, TrellisApiError, type TrellisClient } from "@trellis/sdk";
import { type DemoOptions, freshEmail, requireThat, stepper } from "./demo-steps.js";

const unit = 1_000_000n;
const daily = 20n * unit;

/**
 * Plays an agent with 20 USDC a day against a running service: three payments within, one that the chain refuses, and one after the
 * allowance was revoked. Throws when any step ends otherwise.
 */
export async function playAgentDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada has an account with 250 USDC, and her agent has a key of its own");
  const email = freshEmail("Ada");
  const { verify } = await client.auth.signIn(email);
  const [mail] = await client.sandbox.outbox(email);
  requireThat(mail !== undefined, "the outbox holds no mail for Ada");
  const { account, session } = await verify(mail.otp_code);
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: (250n * unit).toString() });
  const key = new Uint8Array(randomBytes(32));
  const agent = addressOfKey(key);
  const shop = addressOfKey(new Uint8Array(randomBytes(32)));
  say(`account      ${account}`);
  say(`agent        ${agent}, no signer of the account`);

  step("She gives it 20 USDC a day, for this shop alone, and signs once");
  const { allowance } = await client.allowances.create({
    account,
    session,
    allowance: { agent, currency: "usdc", amount: daily, period: "day", payees: [shop] },
  });
  say(`allowance    ${allowance}`);

  step("The agent pays three times; nobody is asked");
  const payment = { account, allowance, keys: [key], currency: "usdc", recipient: shop };
  for (const amount of [5n * unit, 6n * unit, 7n * unit]) {
    const { signature } = await client.allowances.pay({ ...payment, amount });
    const { remaining } = await client.allowances.get(account, allowance);
    say(`paid ${amount / unit} USDC, ${remaining / unit} left: ${signature}`);
  }

  step("It tries 3 USDC more, where 2 are left");
  say(await refusalOf(client.allowances.pay({ ...payment, amount: 3n * unit }), "spending_limit_exceeded"));

  step("So it writes the payment of 3 USDC itself, and sends it to the node, past the service");
  await client.sandbox.airdrop({ address: agent, currency: "sol", amount: "10000000" });
  const rpcUrl = `${baseUrl}/api/service/v1/sandbox/rpc?api-key=${encodeURIComponent(apiKey)}`;
  say(await sendForged(client, { rpcUrl, account, allowance, key, shop, amount: 3n * unit }));

  step("And it tries to pay another address");
  const stranger = addressOfKey(new Uint8Array(randomBytes(32)));
  const other = client.allowances.pay({ ...payment, recipient: stranger, amount: unit });
  say(await refusalOf(other, "destination_not_allowed"));

  step("Ada takes the allowance back");
  await client.allowances.revoke({ account, session, allowance });
  say(await refusalOf(client.allowances.pay({ ...payment, amount: unit }), "spending_limit_not_found"));
  requireThat((await client.allowances.list({ account })).length === 0, "an allowance is left");
  say("no allowance is left");
}

/**
 * Takes a payment that the service prepares, writes another amount into it, and has the agent pay its fee: no check but the chain's is left.
 * Gives what the chain says of it. Throws where the chain takes it.
 */
async function sendForged(
  client: TrellisClient,
  given: {
    readonly rpcUrl: string;
    readonly account: string;
    readonly allowance: string;
    readonly key: Uint8Array;
    readonly shop: string;
    /** Base units. */
    readonly amount: bigint;
  },
): Promise<string> {
  const agent = addressOfKey(given.key);
  const { transaction } = await client.spendingLimits.preparePayment(given.account, given.allowance, {
    amount: "1",
    signer_address: agent,
    recipient_address: given.shop,
  });
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
  const composed: readonly Instruction[] = message.instructions;
  const instructions = composed.map((instruction, at, { length }) =>
    at < length - 1 ? instruction : { ...instruction, data: withAmount(instruction.data, given.amount) },
  );
  const forged = setTransactionMessageFeePayer(address(agent), { ...message, instructions });
  const keyPair = await createKeyPairFromPrivateKeyBytes(given.key);
  const signed = await signTransaction([keyPair], compileTransaction(forged as typeof message));
  const rpc = createSolanaRpc(given.rpcUrl);
  const options = { encoding: "base64", skipPreflight: true } as const;
  const signature = await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), options).send();
  const found = await rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send();
  requireThat(found?.meta?.err != null, "the chain has paid more than the allowance");
  const reason = (found.meta.logMessages ?? []).find((line) => line.includes("Error Message")) ?? "";
  return `the chain has refused it: ${reason.replace(/^.*Error Message: /, "") || JSON.stringify(found.meta.err)}`;
}

/** The amount stands behind the eight bytes that name the instruction. */
function withAmount(data: Instruction["data"], amount: bigint): Uint8Array {
  const bytes = Uint8Array.from(data ?? []);
  bytes.set(getU64Encoder().encode(amount), 8);
  return bytes;
}

/** What the service says of what it must refuse. Throws where it does not, or says something else. */
async function refusalOf(attempt: Promise<unknown>, code: string): Promise<string> {
  const outcome = await attempt.catch((error: unknown) => error);
  requireThat(outcome instanceof TrellisApiError && outcome.code === code, `it was not refused with ${code}`);
  return `refused: ${outcome.code}`;
}
