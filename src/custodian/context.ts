import type { KeyObject } from "node:crypto";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { type Authorized, type CustodianName, CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { BuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import type { WireAuthorized } from "../custody/protocol/schemas.js";
import { fromWireAuthorized } from "../custody/protocol/wire.js";
import type { CustodianDb } from "./custodian-db.js";
import type { OwnLog } from "./own-log.js";
import type { WalletPolicies } from "./policy/create-policy.js";
import type { AllowedParty, AppAddresses } from "./relying-parties.js";
import type { TermsStore, WalletTerms } from "./wallet-terms.js";

/** What a custodian is made of. */
export interface CustodianContext {
  readonly name: CustodianName;
  readonly identity: KeyObject;
  readonly db: CustodianDb;
  readonly custodian: BuiltInCustodian;
  readonly terms: TermsStore;
  readonly policies: WalletPolicies;
  /** Its own, in real time. */
  readonly clock: Clock;
  readonly random: Random;
  /** Until then, in real time, no grant is taken: its database was restored. */
  readonly grantsFrom: number;
  /** The id of an owner's session wallet: the same one ever after, also where its row was lost. */
  readonly sessionWalletId: (environment: EnvironmentName, owner: string) => string;
  /** Those whose wallets it holds. */
  readonly environments: readonly EnvironmentName[];
  readonly ownLog: OwnLog;
  readonly log: Log;
  /** Those of guarded wallets; empty: any. */
  readonly relyingParties: readonly AllowedParty[];
  /** Of its own page, where it has one: holders of guarded wallets approve there, too. */
  readonly pageOrigin: string | null;
  /** Where the page may return to in native applications, by the domain of the wallets' passkeys. */
  readonly pageApps: readonly AppAddresses[];
}

export const termsOf = ({ terms }: CustodianContext, { wallet_id = "" }: Readonly<Record<string, string>>) =>
  terms.get(wallet_id);

/** The time that a wallet goes by: the custodian's own, but for the sandbox, whose clock is moved, and never back. */
export async function timeOf({ terms, clock }: CustodianContext, wallet: WalletTerms, now: number): Promise<number> {
  return wallet.environment === "sandbox" ? terms.advance(wallet.walletId, now) : clock.now();
}

export function authorizedOf(
  { name, clock, pageOrigin }: CustodianContext,
  { walletId, rp }: WalletTerms,
  authorized: WireAuthorized,
  now: number,
): Authorized {
  const ownOrigins = pageOrigin === null ? [] : [pageOrigin];
  const origins = rp === null ? undefined : [...rp.origins, ...ownOrigins];
  return fromWireAuthorized(authorized, { name, walletId, now, realNow: clock.now(), origins });
}

/** Of a guarded wallet passkeys dispose over passkeys, and no key that one of them granted. */
export function requirePasskeyOf({ kind }: WalletTerms, authorized: WireAuthorized): WireAuthorized {
  if (kind === "guarded" && authorized.authority.kind !== "passkey") {
    throw new CustodyRefusal("not_granted", "A passkey of the wallet has to authorize this.");
  }
  return authorized;
}

export async function getWallet({ custodian }: CustodianContext, { ownerId, walletId }: WalletTerms): Promise<Wallet> {
  const wallet = await custodian.findWallet(ownerId);
  if (wallet?.id !== walletId) throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
  return wallet;
}
