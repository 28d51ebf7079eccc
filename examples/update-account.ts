import { addressOfKey, type Permission } from "@trellis/sdk";
import { freshEmail, newKey, openEmailAccount, runExample, type Stage } from "./run-example.js";

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** Leaving: an e-mail account whose holder takes the custodians' keys out and keeps the account with keys of their own. */
export async function updateAccount(stage: Stage): Promise<void> {
  const { client, say } = stage;
  const { address, session } = await openEmailAccount(stage, freshEmail("grace"));
  say(`account   ${address}`);
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

  const [phone, paper] = [newKey(), newKey()];
  const left = await client.accounts.update({
    account: address,
    session,
    changes: { signers: [phone, paper].map((key) => ({ address: addressOfKey(key), permissions: everything })) },
  });
  say(`changed   ${left.signature}`);
  const { policies } = await client.accounts.get(address);
  for (const { address: signer, provider } of policies.signers) say(`signer    ${signer} (${provider})`);

  await client.transfers.send({
    account: address,
    keys: [phone],
    currency: "sol",
    destination: addressOfKey(paper),
    amount: 300_000_000n,
  });
  say(`left      ${(await client.accounts.balances(address)).lamports} lamports`);
}

await runExample(import.meta.url, updateAccount);
