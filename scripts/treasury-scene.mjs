// What the treasury is shown with: a service of its own whose tenant has turned it on, and a team of three, two of whom decide.
import { addressOfKey, createTrellisClient } from "@trellis/sdk";

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
export const newAddress = () => addressOfKey(crypto.getRandomValues(new Uint8Array(32)));

/** What a page may be allowed. */
const scopes = [
  "auth:write",
  "accounts:read",
  "payments:read",
  "payments:write",
  "proposals:read",
  "proposals:write",
  "transactions:write",
  "virtual-accounts:read",
  "labels:write",
];

export const team = ["ada@example.org", "ben@example.org", "cleo@example.org"];
/** A name that turns the direction of what stands behind it, in a memo. */
export const turningMemo = "rent \u202eCDSU 5";

/** Turns the treasury on, signs three people up and gives them an account of which two of three decide. */
export async function found({ url, apiKey }, { timeLock = 0 } = {}) {
  const client = createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox" });
  const { key } = await client.apiKeys.create({
    name: "Treasury",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [new URL(url).origin],
    scopes,
  });
  await client.treasuryPage.set({ name: "Aldine Press", color: "#7c2d12", publishable_key: key });
  const [signers, accounts] = [[], []];
  for (const email of team) {
    const begun = await client.auth.signIn(email);
    const [{ otp_code: code }] = await client.sandbox.outbox(email);
    const { account } = await begun.verify(code);
    const { policies } = await client.accounts.get(account);
    signers.push(policies.signers[0].address);
    accounts.push(account);
  }
  const { address: account } = await client.accounts.createCustom({
    policies: {
      signers: team.map((email) => ({ type: "email", email, permissions: everything })),
      threshold: 2,
      time_lock: timeLock,
    },
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "3000000000" });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "5000000000" });
  await client.labels.put({ address: signers[0], name: "Ada" });
  await client.labels.put({ address: signers[1], name: "Ben" });
  await client.labels.put({ address: account, name: "Household" });
  return {
    client,
    account,
    own: accounts[0],
    codeOf: async (email) => (await client.sandbox.outbox(email))[0]?.otp_code,
  };
}
