import { randomInt } from "node:crypto";
import { TrellisApiError, type TrellisClient, type VirtualAccount } from "@trellis/sdk";
import { freshEmail } from "./demo-steps.js";

/** What banks of each currency need a holder to be verified for. */
const endorsementOf = { usd: "base", eur: "sepa", gbp: "faster_payments", mxn: "spei", brl: "pix" } as const;

const currencies = Object.keys(endorsementOf) as (keyof typeof endorsementOf)[];

/** Begins the verification of a new person behind an account. */
export const startVerification = (client: TrellisClient, account: string, email = freshEmail("Ada")) =>
  client.kyc.start(account, {
    type: "individual",
    email,
    full_name: "Ada Lovelace",
    endorsements: Object.values(endorsementOf),
  });

/** Has the partner of the sandbox approve a new person behind an account, for every currency. */
export async function openVerified(client: TrellisClient, account: string): Promise<void> {
  const { id } = await startVerification(client, account);
  await client.sandbox.setKyc(id, { status: "approved" });
}

/** Does it, and where it needs an approval that is not there, has that given first. */
async function whenVerified<T>(client: TrellisClient, account: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof TrellisApiError) || error.code !== "kyc_required") throw error;
  }
  await openVerified(client, account);
  return action();
}

/** Bank details in a currency the account has none in yet; a person is verified where none is. */
export async function openDetails(client: TrellisClient, account: string): Promise<VirtualAccount> {
  const held = await client.virtualAccounts.list(account);
  const currency = currencies.find((one) =>
    held.every((details) => details.source_deposit_instructions.currency !== one),
  );
  if (currency === undefined) throw new Error(`${account} has bank details in every currency already.`);
  return whenVerified(client, account, () => client.virtualAccounts.request(account, { currency }));
}

/** Adds a bank account that was not there before. */
export const addBankAccount = (client: TrellisClient, account: string) =>
  whenVerified(client, account, () =>
    client.externalAccounts.add(account, {
      account_type: "us",
      currency: "usd",
      account_owner_name: "The Landlord",
      account: { account_number: String(randomInt(100_000_000, 1_000_000_000)), routing_number: "021000021" },
      address: {
        street_line_1: "1 Main Street",
        city: "Springfield",
        state: "IL",
        postal_code: "62701",
        country: "USA",
      },
    }),
  );
