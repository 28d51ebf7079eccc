import { addressOfKey } from "@trellis/sdk";
import { freshEmail, newKey, openEmailAccount, runExample, type Stage } from "./run-example.js";

/** Pocket money: the holder of an e-mail account lets a child pay the kiosk a little every week, and nobody else. */
export async function spendingLimits(stage: Stage): Promise<void> {
  const { client, say } = stage;
  const { address: account, session } = await openEmailAccount(stage, freshEmail("ada"));
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "100000000" });
  const [child, kiosk] = [newKey(), addressOfKey(newKey())];

  const { spendingLimit } = await client.spendingLimits.create({
    account,
    session,
    limit: {
      currency: "usdc",
      amount: 5_000_000n,
      period: "week",
      signers: [addressOfKey(child)],
      destinations: [kiosk],
    },
  });
  say(`limit     ${spendingLimit}`);

  const paid = await client.spendingLimits.pay({
    account,
    spendingLimit,
    keys: [child],
    currency: "usdc",
    recipient: kiosk,
    amount: 2_000_000n,
  });
  say(`paid      ${paid.signature}`);
  const { remaining_amount, next_reset } = await client.spendingLimits.get(account, spendingLimit);
  say(`left      ${remaining_amount} until ${next_reset}`);

  await client.spendingLimits.remove({ account, session, spendingLimit });
  say(`removed   ${(await client.spendingLimits.list(account)).length} limits are left`);
}

await runExample(import.meta.url, spendingLimits);
