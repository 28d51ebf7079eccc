import { createHmac, type KeyObject } from "node:crypto";
import type { Address, Blockhash } from "@solana/kit";
import { ed25519PublicKeyOf, importEd25519Seed } from "@trellis/kernel/crypto/ed25519.js";
import { addressOf, blockhashOf } from "./address-bytes.js";

/** An Ed25519 key of the chain itself. */
export interface ChainKey {
  readonly address: Address;
  readonly privateKey: KeyObject;
}

/** What the chain's seed determines besides its blockhashes. */
export interface ChainKeys {
  /** Holds the lamports that airdrops hand out, and pays the fees of airdrops and mints. */
  readonly faucet: ChainKey;
  /** May mint every token of the sandbox. */
  readonly mintAuthority: ChainKey;
  /** What getIdentity answers. */
  readonly identity: Address;
  readonly genesisHash: Blockhash;
}

/** Derives the chain's keys from its 32-byte seed: HMAC-SHA256 of a label under the seed is the Ed25519 seed. */
export function deriveChainKeys(seed: Uint8Array): ChainKeys {
  const derive = (label: string): Uint8Array => createHmac("sha256", seed).update(label).digest();
  const key = (label: string): ChainKey => {
    const privateKey = importEd25519Seed(derive(label));
    return { address: addressOf(ed25519PublicKeyOf(privateKey)), privateKey };
  };
  return {
    faucet: key("faucet"),
    mintAuthority: key("mint authority"),
    identity: key("identity").address,
    genesisHash: blockhashOf(derive("genesis hash")),
  };
}

/** What the chain's seed is sealed with. */
export const seedContext = "sandbox-chain/seed";
