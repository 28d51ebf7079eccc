import { addressOfKey } from "@trellis/sdk";
import { newKey, runExample, type Stage } from "./run-example.js";

/** An account of keys of your own: both have to sign, and the service never sees them. */
export async function signersAccount({ client, say }: Stage): Promise<void> {
  const [first, second] = [newKey(), newKey()];
  const { address } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(first), addressOfKey(second)],
    threshold: 2,
  });
  say(`account   ${address}`);
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

  const sent = await client.transfers.send({
    account: address,
    keys: [first, second],
    currency: "sol",
    destination: addressOfKey(newKey()),
    amount: 250_000_000n,
  });
  say(`paid      ${sent.signature}`);
  say(`left      ${(await client.accounts.balances(address)).lamports} lamports`);
}

await runExample(import.meta.url, signersAccount);
