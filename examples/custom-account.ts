import { addressOfKey } from "@trellis/sdk";
import { freshEmail, newKey, runExample, type Stage, signIn } from "./run-example.js";

/** An account with a policy of its own: an e-mail address and a key act together, an admin rules over the policy. */
export async function customAccount(stage: Stage): Promise<void> {
  const { client, say } = stage;
  const [device, admin] = [newKey(), newKey()];
  const email = freshEmail("treasurer");
  const { address, policies } = await client.accounts.createCustom({
    policies: {
      signers: [
        { type: "email", email, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] },
        { type: "pubkey", address: addressOfKey(device), permissions: ["CAN_VOTE"] },
      ],
      threshold: 2,
      admin_address: addressOfKey(admin),
    },
    memo: "treasury",
  });
  say(`account   ${address}`);
  say(`admin     ${policies.adminAddress}`);
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

  // The first sign-in proves the address. Its wallet and the device's key sign together.
  const session = await signIn(stage, email);
  const destination = addressOfKey(newKey());
  const sent = await client.transfers.send({
    account: address,
    session,
    keys: [device],
    currency: "sol",
    destination,
    amount: 100_000_000n,
  });
  say(`paid      ${sent.signature}`);

  // From now on the e-mail address suffices. Only the admin can decide that.
  await client.accounts.update({ account: address, keys: [admin], admin: true, changes: { threshold: 1 } });
  say(`threshold ${(await client.accounts.get(address)).policies.threshold}`);
  await client.transfers.send({ account: address, session, currency: "sol", destination, amount: 100_000_000n });
  say(`left      ${(await client.accounts.balances(address)).lamports} lamports`);
}

await runExample(import.meta.url, customAccount);
