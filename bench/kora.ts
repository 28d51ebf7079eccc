/** The same chain with another relayer in front of it: Kora 2.2.0-beta.8, where its command is on the PATH. */
import { spawn, spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, type KeyObject, randomInt, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { at } from "./holders.js";
import { timed } from "./http-client.js";
import { processorMs, stop, waitUntil } from "./service-process.js";

/** A wallet of its own key. */
interface Wallet {
  readonly address: Address;
  readonly key: KeyObject;
}

/** Kora in a process of its own, and wallets that have money. */
export interface Kora {
  processorMs(): number;
  /** So many transfers by `signAndSendTransaction`, which answers once a transfer is confirmed; in seconds. */
  play(count: number, concurrency: number): Promise<number>;
  stop(): Promise<void>;
}

/** Undefined: the command is not installed here (`cargo install kora-cli --version 2.2.0-beta.8`). */
export async function startKora(chainUrl: string, port: number, directory: string): Promise<Kora | undefined> {
  if (spawnSync("kora", ["--version"]).status !== 0) return undefined;
  const payer = makeWallet();
  await writeFile(join(directory, "kora.toml"), configuration);
  await writeFile(join(directory, "signers.toml"), signers);
  const child = spawn(
    "kora",
    ["--rpc-url", chainUrl, "rpc", "start", "--port", String(port), "--signers-config", "signers.toml"],
    {
      cwd: directory,
      env: { PATH: process.env.PATH ?? "", RUST_LOG: "error", KORA_PAYER: secretOf(payer) },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const kora = createRpcClient(`http://127.0.0.1:${port}`);
  const chain = createRpcClient(chainUrl);
  await waitUntil("Kora", () =>
    kora.call("getPayerSigner", []).then(
      () => true,
      () => false,
    ),
  );
  const wallets = Array.from({ length: 50 }, makeWallet);
  for (const { address } of [payer, ...wallets]) await chain.call("requestAirdrop", [address, 100_000_000_000]);
  const transfer = async (index: number, blockhash: Lifetime) => {
    const [from, to] = [at(wallets, index % wallets.length), at(wallets, (index + 1) % wallets.length)];
    await kora.call("signAndSendTransaction", {
      transaction: signedTransfer(payer.address, from, to.address, blockhash),
    });
  };
  return {
    processorMs: () => processorMs(child),
    // One blockhash a round: amounts make the transfers different ones.
    play: async (count, concurrency) => {
      const { value } = await chain.call<{ value: Lifetime }>("getLatestBlockhash", []);
      return timed(count, concurrency, (i) => transfer(i, value));
    },
    stop: async () => {
      for (const client of [kora, chain]) client.close();
      await stop(child);
    },
  };
}

interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: number;
}

function signedTransfer(feePayer: Address, from: Wallet, to: Address, { blockhash, lastValidBlockHeight }: Lifetime) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) },
        paid,
      ),
    (alive) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({
          source: createNoopSigner(from.address),
          destination: to,
          amount: BigInt(randomInt(1_000_000, 2_000_000_000)),
        }),
        alive,
      ),
  );
  const compiled = compileTransaction(message);
  const signature = new Uint8Array(sign(null, Buffer.from(compiled.messageBytes), from.key)) as SignatureBytes;
  return getBase64EncodedWireTransaction({
    ...compiled,
    signatures: { ...compiled.signatures, [from.address]: signature },
  });
}

function makeWallet(): Wallet {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { address: getAddressDecoder().decode(publicBytesOf(privateKey)), key: privateKey };
}

const publicBytesOf = (key: KeyObject) =>
  Buffer.from(String(createPublicKey(key).export({ format: "jwk" }).x), "base64url");

/** The 64 numbers of a key pair, as Solana's tools write it. */
function secretOf({ key }: Wallet): string {
  const seed = Buffer.from(String(key.export({ format: "jwk" }).d), "base64url");
  return JSON.stringify([...seed, ...publicBytesOf(key)]);
}

/** JSON-RPC with kept connections; throws what the server calls an error. */
function createRpcClient(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    call: <T>(method: string, params: unknown): Promise<T> =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
        const sent = request(url, { agent, method: "POST", headers }, (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.on("error", reject);
          answer.on("end", () => {
            const { result, error } = JSON.parse(Buffer.concat(parts).toString()) as { result: T; error?: unknown };
            if (error === undefined) resolve(result);
            else reject(new Error(`${method}: ${JSON.stringify(error)}`));
          });
        });
        sent.on("error", reject);
        sent.end(text);
      }),
    close: () => agent.destroy(),
  };
}

const configuration = `
[kora]
rate_limit = 1000000

[validation]
max_allowed_lamports = 10000000000
max_signatures = 10
allowed_programs = ["11111111111111111111111111111111"]
allowed_tokens = []
allowed_spl_paid_tokens = []
disallowed_accounts = []
price_source = "Mock"

[validation.price]
type = "free"
`;

const signers = `
[signer_pool]
strategy = "round_robin"

[[signers]]
name = "payer"
type = "memory"
private_key_env = "KORA_PAYER"
`;
