import { beforeEach } from "vitest";
import { standIn, use } from "../../../test/support/use.js";
import { createLedger, type Ledger } from "./ledger.js";
import { type Terms, TWO_OF_TWO } from "./members.js";
import { openAccount, type SmartAccount } from "./smart-account.js";

/** A ledger that is new for each test of the file. */
export const useLedger = (): Ledger => use(createLedger, { each: true });

/**
 * A ledger with a smart account, of A and B or of other terms, new for each test. `open` begins again with other terms;
 * `openNext` opens a further account on the same ledger, which takes the place of the account.
 */
export function useSmartAccount(terms: () => Terms = () => TWO_OF_TWO) {
  let latest: Ledger | undefined;
  let account: SmartAccount | undefined;
  const ledger = standIn(() => latest);
  async function open(terms: Terms): Promise<void> {
    latest = await createLedger();
    await openNext(terms);
  }
  async function openNext(terms: Terms): Promise<void> {
    account = await openAccount(ledger, terms);
  }
  beforeEach(() => open(terms()));
  return { ledger, account: standIn(() => account), open, openNext };
}
