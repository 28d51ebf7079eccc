import type { Contract } from "@trellis/kernel/endpoint.js";

/** What each noun of the API is about, in a sentence. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Accounts: "Creating, reading and changing smart accounts, and who signs for them.",
  Labels: "Names that pages show beside addresses: of the tenant, and of one account.",
  Authentication: "Sessions of users who sign in with their e-mail address.",
  Users: "People with an e-mail address, and their sessions, as the tenant sees them.",
  Passkeys: "Passkeys that sign for wallets of custodians, and the domain that they belong to.",
  "Passkey signers": "Passkeys that sign on chain themselves, by a session key, with no custodian.",
  "Wallet exports": "Keys of custodians' wallets, handed out to their owners.",
  "Wallet imports": "Keys that owners bring: they become wallets of custodians.",
  "API keys": "Keys of the tenant: what they may do, and until when.",
  "Audit log": "What was done with keys, sessions, passkeys and policies, in a log that can be checked from outside.",
  "Treasury pages": "Pages at `/app/` where holders of accounts sign in, pay and vote.",
  Requests: "What the tenant's keys have asked for within the last day, and why it was refused.",
  Members: "People of the tenant who sign in to the console, and what each may do.",
  Console: "How a member signs in and out. For the console's pages.",
  Tenants: "Applications that share this service, and see nothing of each other. For the operator of the service.",
  Transactions: "Preparing any transaction, and submitting what was prepared and signed.",
  Proposals: "What signers vote on before it is executed.",
  "Spending limits": "Allowances that a signer uses alone.",
  Payments: "Payments from an account, on chain or with a bank at one end, and where they stand.",
  "Standing orders": "Recurring payments. The holder does not sign each of them.",
  KYC: "The check of the person or business behind an account, by the partner of bank rails.",
  Rails: "Bank accounts that are paid.",
  "Virtual accounts": "Bank details under which money arrives at an account.",
  Events: "A feed of what happened, and the endpoints to which it is sent.",
  Legacy: "The older form of the interface, v0.",
  Sandbox: "What only the sandbox has: its mail, its clock, its faucet, its chain.",
  Operations: "For the operator of the service.",
};

/** The nouns in the order in which operations have them. */
export function describeTags(contracts: readonly Contract[]): object[] {
  return [...new Set(contracts.map(({ tag }) => tag))].map((name) => {
    const description = tagDescriptions[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });
}
