import { addressOfKey } from "@trellis/sdk";
import { freshEmail, newKey, openEmailAccount, runExample, type Stage } from "./run-example.js";

/** An account for an e-mail address: custodians hold its keys, the holder's session commands them. */
export async function emailAccount(stage: Stage): Promise<void> {
  const { client, say } = stage;
  const { address, session } = await openEmailAccount(stage, freshEmail("ada"));
  say(`account   ${address}`);
  await client.sandbox.airdrop({ address, currency: "usdc", amount: "20000000" });
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

  // Before anything is signed, the client decodes the prepared bytes and makes sure that they do this and nothing else.
  const sent = await client.transfers.send({
    account: address,
    session,
    currency: "usdc",
    destination: addressOfKey(newKey()),
    amount: 12_500_000n,
  });
  say(`paid      ${sent.signature}`);
  const { tokens } = await client.accounts.balances(address);
  say(`left      ${tokens.find(({ symbol }) => symbol === "USDC")?.amount_decimal} USDC`);
}

await runExample(import.meta.url, emailAccount);
