import { createHmac } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import type {
  BankAccountDetails,
  PartnerAnswer,
  PartnerBankAccount,
  PartnerRef,
  RailsPartner,
  Refusal,
} from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import type { SimulatorParts } from "./parts.js";
import { findSimulatedCustomer } from "./verifications.js";

/** What it knows of a bank account: whose, and no number. */
export interface SimulatedBankAccount {
  readonly ref: string;
  readonly customer_ref: string;
  readonly currency: string;
  readonly last4: string;
  readonly bank_name: string | null;
}

/** The bank accounts the simulated partner could pay, if it could. It takes every number that is well formed. */
export function createSimulatedBankAccounts({
  db,
  keyring,
  random,
  network,
}: SimulatorParts): Pick<RailsPartner, "addBankAccount" | "readBankAccount" | "removeBankAccount"> {
  const secret = keyring.deriveSecret("simulated-bank-account");
  return {
    addBankAccount: async ({ idempotencyKey, customer, account }) => {
      const known = await findSimulatedCustomer(db, customer);
      if (known === null) return refuse("not_found", "no such customer");
      if (known.status !== "approved") return refuse("verification_required", "not approved");
      const fingerprint = new Uint8Array(
        createHmac("sha256", secret)
          .update(canonicalJson(numbersOf(account)))
          .digest(),
      );
      await sql`insert into simulated_bank_account (ref, customer_ref, operation_key, fingerprint, currency, last4,
          bank_name, created_at)
        values (${random.uuid()}, ${customer}, ${idempotencyKey}, ${fingerprint}, ${account.currency},
          ${last4Of(account)}, ${account.bankName ?? null}, ${Math.floor(network.clock.now())})
        on conflict do nothing`.execute(db);
      const { rows } = await sql<SimulatedBankAccount & { operation_key: string }>`select * from simulated_bank_account
        where operation_key = ${idempotencyKey} or (customer_ref = ${customer} and fingerprint = ${fingerprint})
        order by (operation_key = ${idempotencyKey}) desc limit 1`.execute(db);
      const [row] = rows;
      if (row === undefined) return refuse("invalid_details", "the account was removed meanwhile");
      if (row.operation_key !== idempotencyKey) {
        return {
          ok: false,
          refused: { reason: "duplicate", existing: row.ref as PartnerRef, forOperator: "this account is known" },
        };
      }
      return { ok: true, value: show(row) };
    },
    readBankAccount: async ({ customer, ref }) => {
      const { rows } = await sql<SimulatedBankAccount>`select * from simulated_bank_account
        where ref = ${ref} and customer_ref = ${customer}`.execute(db);
      const [row] = rows;
      return row === undefined ? refuse("not_found", "no such bank account") : { ok: true, value: show(row) };
    },
    removeBankAccount: async ({ customer, ref }) => {
      await db
        .deleteFrom("simulated_bank_account")
        .where("ref", "=", ref)
        .where("customer_ref", "=", customer)
        .execute();
      return { ok: true, value: null };
    },
  };
}

const show = ({ ref, last4, bank_name }: SimulatedBankAccount): PartnerBankAccount => ({
  ref: ref as PartnerRef,
  last4,
  bankName: bank_name,
  active: true,
});

/** What makes two accounts the same one. */
function numbersOf(account: BankAccountDetails): Record<string, string> {
  switch (account.kind) {
    case "us":
      return { kind: account.kind, a: account.accountNumber, b: account.routingNumber };
    case "iban":
      return { kind: account.kind, a: account.iban };
    case "gb":
      return { kind: account.kind, a: account.accountNumber, b: account.sortCode };
    case "clabe":
      return { kind: account.kind, a: account.clabe };
    case "pix":
      return { kind: account.kind, a: account.pixKey };
  }
}

/** The end of what names an account. */
export const last4Of = (account: BankAccountDetails): string => (numbersOf(account).a ?? "").slice(-4);

export function refuse(reason: Refusal["reason"], forOperator: string, field?: string): PartnerAnswer<never> {
  return { ok: false, refused: { reason, forOperator, ...(field === undefined ? {} : { field }) } };
}
