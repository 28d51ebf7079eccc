import { base58 } from "@scure/base";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { expect, it } from "vitest";
import { parseConfig } from "../../src/config/config.js";
import { listServiceKeys } from "../../src/operator/list-service-keys.js";
import { useTestLocation } from "../support/use-database.js";
import { useDirectory } from "../support/use-directory.js";

const directory = useDirectory();
const place = useTestLocation();

it("lists every key of a cluster whose node does not answer, with what is known of it", async () => {
  const keys = Array.from({ length: 5 }, () => generateEd25519KeyPair());
  const [feePayer, formerFeePayer, executor, formerExecutor, passkeyPayer] = keys.map(({ seed, publicKey }) =>
    base58.encode(Buffer.concat([seed, publicKey])),
  );
  const config = parseConfig({
    TRELLIS_DATA_DIR: directory,
    ...(place.url === undefined
      ? {}
      : { DATABASE_URL: place.url, TRELLIS_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }),
    TRELLIS_DEVNET_RPC_URLS: "http://127.0.0.1:1",
    TRELLIS_DEVNET_FEE_PAYER: feePayer,
    TRELLIS_DEVNET_FORMER_FEE_PAYER: formerFeePayer,
    TRELLIS_DEVNET_EXECUTOR: executor,
    TRELLIS_DEVNET_FORMER_EXECUTOR: formerExecutor,
    TRELLIS_DEVNET_PASSKEY_PAYER: passkeyPayer,
  });
  const addressOf = (i: number) => base58.encode(keys[i]?.publicKey ?? new Uint8Array());
  const common = { environment: "devnet", lamports: null };
  expect(await listServiceKeys(config)).toEqual([
    { ...common, address: addressOf(0), role: { name: "fee payer" } },
    {
      ...common,
      address: addressOf(1),
      role: { name: "former fee payer", use: { waiting: 0, until: null, underWay: 0 } },
    },
    { ...common, address: addressOf(2), role: { name: "executor", limits: 0 } },
    { ...common, address: addressOf(3), role: { name: "former executor", limits: 0 } },
    { ...common, address: addressOf(4), role: { name: "passkey payer" } },
  ]);
});
