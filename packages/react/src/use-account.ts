import {
  type Account,
  type AccountHolder,
  addressesOfHolder,
  type ListedAccount,
  type TrellisClient,
} from "@trellis/sdk";
import { useOwnAccount } from "./account-provider.js";
import { type OwnPowers, ownPowersOf } from "./own-powers.js";
import { type Read, type ReadOptions, useReading, useReadingOf } from "./use-reading.js";

/** An account, and what who is signed in may do in it. */
export type OwnedAccount = Account & {
  readonly own: OwnPowers;
  /** A guarded account, from which the session pays at once together with a passkey: `pay({…, withPasskey: true})`. */
  readonly paysWithPasskey: boolean;
};

/** The chosen account, as the service and the chain have it. A publishable key needs `accounts:read` for it. */
export function useAccount({ pollMs = 0 }: ReadOptions = {}): Read<OwnedAccount> {
  return useReading(
    "account",
    async (client, account, by) => {
      const found = await client.accounts.get(account);
      const own = ownPowersOf(found.policies, addressesOfHolder(by));
      const isAsked = found.protection === "guarded" && own.way === "vote";
      return { ...found, own, paysWithPasskey: isAsked && (await paysWithPasskey(client, found, by)) };
    },
    pollMs,
  );
}

/** Whether the session's wallets and those that the user's passkeys command pay together without a vote. */
async function paysWithPasskey(
  client: TrellisClient,
  { address, policies }: Account,
  by: AccountHolder,
): Promise<boolean> {
  // Passkeys command wallets of custodians: who signs with a wallet of their own has none.
  if (by.session === undefined) return false;
  const passkeys = await client.passkeys.list(address);
  const signers = passkeys.map(({ signer }) => signer);
  return ownPowersOf(policies, [...addressesOfHolder(by), ...signers]).way === "direct";
}

/** An account in a list. `own` is null where the chain does not show the policies at present. */
export type ListedOwnedAccount = ListedAccount & { readonly own: OwnPowers | null };

/**
 * All accounts that the session of who is signed in signs for: their own first, then the newest. Whatever the chosen account is, they are the
 * same. A publishable key needs `accounts:read` for it.
 */
export function useAccounts({ pollMs = 0 }: ReadOptions = {}): Read<readonly ListedOwnedAccount[]> {
  return useReadingOf(
    useOwnAccount(),
    "accounts",
    async (client, own, by) => {
      const signers = addressesOfHolder(by);
      const found = new Map<string, ListedAccount>();
      for (const signer of signers) {
        for await (const account of client.accounts.list({ signer, limit: accountsPerPage })) {
          found.set(account.address, account);
        }
      }
      const isOwn = ({ address }: ListedAccount) => Number(address === own);
      return [...found.values()]
        .sort((one, other) => isOwn(other) - isOwn(one) || other.created_at.localeCompare(one.created_at))
        .map((account) => ({ ...account, own: account.policies && ownPowersOf(account.policies, signers) }));
    },
    pollMs,
  );
}

/** As many as one answer holds. */
const accountsPerPage = 100;
