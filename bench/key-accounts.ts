import type { Address, SignatureBytes } from "@solana/kit";
import { generateEd25519KeyPair, importEd25519Seed, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfBytes } from "@trellis/program-client";
import { encodeWithSignatures, parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import { api, at, prepare } from "./holders.js";
import { dataOf, type HttpClient } from "./http-client.js";

/** A key outside the service. */
function makeKey() {
  const pair = generateEd25519KeyPair();
  return { address: addressOfBytes(pair.publicKey), key: importEd25519Seed(pair.seed) };
}

/** An account that two of three outside keys command. */
export interface KeyAccount {
  readonly address: string;
  readonly keys: readonly ReturnType<typeof makeKey>[];
}

/** Creates one: keys made here, the account made on chain by the service. */
export async function createKeyAccount(http: HttpClient): Promise<KeyAccount> {
  const keys = [makeKey(), makeKey(), makeKey()];
  const signers = keys.map(({ address }) => address);
  const data = dataOf<{ address: string }>(
    await http.post(`${api}/accounts`, { type: "signers", signers, threshold: 2 }),
  );
  return { address: data.address, keys };
}

/** A payment that two of the keys sign themselves. */
export async function payByKeys(http: HttpClient, from: KeyAccount, to: string): Promise<void> {
  const signing = [at(from.keys, 0), at(from.keys, 1)];
  const prepared = await prepare(
    http,
    from.address,
    to,
    signing.map(({ address }) => address),
  );
  const wire = parseWireTransaction(prepared.transaction);
  const message = Uint8Array.from(wire.transaction.messageBytes);
  const signatures = new Map<Address, SignatureBytes>(
    signing.map(({ address, key }) => [address, signEd25519(key, message) as SignatureBytes]),
  );
  const transaction = Buffer.from(encodeWithSignatures(wire.transaction, signatures)).toString("base64");
  dataOf(await http.post(`${api}/accounts/${from.address}/submit`, { transaction }));
}
