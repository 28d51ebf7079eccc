import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { generateEncryptionKeyPair, openSession, type PreparedTransfer, type TrellisClient } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { systemRandom } from "../../src/adapters/system.js";
import type { RunningService } from "../../src/service.js";
import { createApiKey, ensureTenant } from "../../src/tenants/api-key-store.js";
import {
  type Answered,
  apiPath,
  dataOf,
  type Holder,
  type OwnKey,
  signWire,
  stamp,
  tokenProgram,
  usdcMint,
} from "../adversarial/support.js";

/** A service on a socket, and a client of it. */
export interface RunningTest {
  readonly service: RunningService;
  readonly client: TrellisClient;
  /** Sends a request as it is; the answer's body parsed. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

/** What tests do at a service as people and programs would. */
export function actionsOf(trellis: RunningTest) {
  const at =
    <A extends unknown[], R>(act: (trellis: RunningTest, ...rest: A) => R): ((...rest: A) => R) =>
    (...rest) =>
      act(trellis, ...rest);
  return {
    openHolder: at(openHolder),
    addTenant: at(addTenant),
    post: at(post),
    askPayment: at(askPayment),
    preparePayment: at(preparePayment),
    submit: at(submit),
    pay: at(pay),
    lamportsOf: at(lamportsOf),
    usdcOf: at(usdcOf),
    compose: at(compose),
    sendDirectly: at(sendDirectly),
    countTransactions: at(countTransactions),
  };
}

let opened = 0;

/** Opens an e-mail account as a client would, and funds it. */
async function openHolder(
  { client }: RunningTest,
  money: { readonly sol?: string; readonly usdc?: string; readonly provider?: "kms_a" | "kms_b" } = {},
): Promise<Holder> {
  opened += 1;
  const email = `holder-${opened}-${process.pid}@example.org`;
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error("the code did not arrive");
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    provider: money.provider ?? "kms_a",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  const { settings_address } = await client.accounts.get(verified.address);
  for (const currency of ["sol", "usdc"] as const) {
    const amount = money[currency];
    if (amount !== undefined) await client.sandbox.airdrop({ address: verified.address, currency, amount });
  }
  const address = verified.address as Address;
  return { email, address, settingsAddress: settings_address as Address, keyPair, session };
}

/** The sandbox's network inside a running service. */
export function networkOf({ service }: Pick<RunningTest, "service">): Network {
  const network = service.networks.get("sandbox");
  if (!network) throw new Error("the service has no sandbox");
  return network;
}

/** A request of another tenant, with a key of its own. */
async function addTenant(trellis: RunningTest, id: string, secret: Macs) {
  const now = Date.now();
  await ensureTenant(trellis.service.db, { id, name: id, now });
  const environments: EnvironmentName[] = ["sandbox"];
  return createApiKey(
    { db: trellis.service.db, secret, random: systemRandom, now },
    { tenantId: id, name: id, scopes: tenantsOwnScopes, environments, expiresAt: null },
  );
}

/** POSTs below the interface's prefix. */
function post(trellis: RunningTest, path: string, body: unknown, headers?: Record<string, string>): Promise<Answered> {
  return trellis.request("POST", apiPath + path, body, headers);
}

/** Asks for a payment. */
function askPayment(
  trellis: RunningTest,
  from: Pick<Holder, "address">,
  wanted: { readonly amount: string; readonly currency: string; readonly to: string; readonly more?: object },
): Promise<Answered> {
  return post(trellis, `/accounts/${from.address}/payment-intent`, {
    amount: wanted.amount,
    source: { account: from.address, currency: wanted.currency },
    destination: { address: wanted.to, currency: wanted.currency },
    ...wanted.more,
  });
}

/** A prepared payment; fails when it is refused. */
async function preparePayment(
  trellis: RunningTest,
  from: Pick<Holder, "address">,
  wanted: Parameters<typeof askPayment>[2],
): Promise<PreparedTransfer> {
  return dataOf<PreparedTransfer>(await askPayment(trellis, from, wanted));
}

/** Submits one transaction. */
function submit(
  trellis: RunningTest,
  account: string,
  transaction: string,
  kmsPayloads: readonly unknown[],
): Promise<Answered> {
  return post(trellis, `/accounts/${account}/submit`, { transaction, kms_payloads: kmsPayloads });
}

/** Prepares, signs and submits a payment. */
async function pay(trellis: RunningTest, from: Holder, wanted: Parameters<typeof askPayment>[2]): Promise<Answered> {
  const prepared = await preparePayment(trellis, from, wanted);
  return submit(trellis, from.address, prepared.transaction, stamp(prepared, from.session));
}

/** Lamports of any address. */
async function lamportsOf(trellis: RunningTest, address: string): Promise<bigint> {
  const { value } = await networkOf(trellis)
    .rpc.getBalance(address as Address)
    .send();
  return value;
}

/** Base units of USDC of an owner, by its conventional token account. */
async function usdcOf(trellis: RunningTest, owner: string): Promise<bigint> {
  const ata = deriveTokenAccount(owner as Address, usdcMint, tokenProgram);
  const { value } = await networkOf(trellis).rpc.getAccountInfo(ata, { encoding: "base64" }).send();
  if (value === null) return 0n;
  const bytes = getBase64Encoder().encode(value.data[0]) as Uint8Array;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(64, true);
}

/** An unsigned wire transaction of one's own. */
async function compose(
  trellis: RunningTest,
  feePayer: Address,
  instructions: readonly Instruction[],
  options: { readonly version?: 0 | "legacy"; readonly blockhash?: string } = {},
): Promise<string> {
  const { value } = await networkOf(trellis).rpc.getLatestBlockhash().send();
  const lifetime = {
    blockhash: (options.blockhash ?? value.blockhash) as Blockhash,
    lastValidBlockHeight: value.lastValidBlockHeight,
  };
  const transaction =
    options.version === "legacy"
      ? pipe(
          createTransactionMessage({ version: "legacy" }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(instructions, m),
          compileTransaction,
        )
      : pipe(
          createTransactionMessage({ version: 0 }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(instructions, m),
          compileTransaction,
        );
  return getBase64EncodedWireTransaction(transaction);
}

/** Sends an outsider's own transaction straight to the chain and waits for it. */
async function sendDirectly(
  trellis: RunningTest,
  feePayer: OwnKey,
  instructions: readonly Instruction[],
  others: readonly OwnKey[] = [],
): Promise<string> {
  const wire = signWire(await compose(trellis, feePayer.address, instructions), [feePayer, ...others]);
  return networkOf(trellis)
    .rpc.sendTransaction(wire as never, { encoding: "base64" })
    .send();
}

/** How many transactions of any outcome an address appears in. */
async function countTransactions(trellis: RunningTest, address: string): Promise<number> {
  const found = await networkOf(trellis)
    .rpc.getSignaturesForAddress(address as Address)
    .send();
  return found.length;
}
