import type {
  BankAccountDetails,
  PartnerAnswer,
  PartnerBankAccount,
  PartnerRef,
  RailsPartner,
} from "@trellis/kernel/ports/rails.js";
import { codeOf } from "./bridge-http.js";
import { answerOf, type BridgeNeeds, pagesOf, refused, unreadable } from "./bridge-needs.js";
import { field, flag, text } from "./read-json.js";

export function externalAccounts(
  needs: BridgeNeeds,
): Pick<RailsPartner, "addBankAccount" | "readBankAccount" | "removeBankAccount"> {
  const { ask } = needs;
  return {
    addBankAccount: async ({ customer, account, idempotencyKey, signal }) => {
      const answer = await ask({
        method: "POST",
        path: ["customers", customer, "external_accounts"],
        idempotencyKey,
        signal,
        body: bodyOf(account),
      });
      if (answer.ok) return { ok: true, value: bankAccountOf(answer.body, lastFour(account)) };
      const refusal = refused(answer);
      if (refusal.refused.reason !== "duplicate" && codeOf(answer.body) !== "duplicate_external_account")
        return refusal;
      const existing = await findLike(needs, customer, account, signal);
      return { ok: false, refused: { ...refusal.refused, reason: "duplicate", ...(existing && { existing }) } };
    },

    readBankAccount: async ({ customer, ref }, signal) => {
      const answer = await ask({ method: "GET", path: ["customers", customer, "external_accounts", ref], signal });
      return answerOf(answer, (body) => bankAccountOf(body, ""), "not_found");
    },

    removeBankAccount: async ({ customer, ref, signal }): Promise<PartnerAnswer<null>> => {
      const answer = await ask({ method: "DELETE", path: ["customers", customer, "external_accounts", ref], signal });
      if (answer.status === 404) return { ok: true, value: null };
      return answerOf(answer, () => null, "wrong_state");
    },
  };
}

/** The one account of the customer that matches these details; undefined where none or several do. */
async function findLike(
  { ask }: BridgeNeeds,
  customer: PartnerRef,
  account: BankAccountDetails,
  signal: AbortSignal,
): Promise<PartnerRef | undefined> {
  const found: PartnerRef[] = [];
  for await (const page of pagesOf(ask, ["customers", customer, "external_accounts"], {}, signal)) {
    if ("refusal" in page) return undefined;
    for (const item of page) {
      const id = text(item, "id");
      const isLike =
        flag(item, "active") !== false &&
        text(item, "currency") === account.currency &&
        lastFourOf(item) === lastFour(account) &&
        text(item, "account_owner_name")?.toLowerCase() === account.ownerName.toLowerCase();
      if (id !== undefined && isLike) found.push(id as PartnerRef);
    }
  }
  return found.length === 1 ? found[0] : undefined;
}

function bodyOf(account: BankAccountDetails): object {
  const { address } = account;
  return {
    currency: account.currency,
    account_owner_name: account.ownerName,
    account_owner_type: account.ownerType,
    ...(account.firstName === undefined ? {} : { first_name: account.firstName }),
    ...(account.lastName === undefined ? {} : { last_name: account.lastName }),
    ...(account.businessName === undefined ? {} : { business_name: account.businessName }),
    ...(account.bankName === undefined ? {} : { bank_name: account.bankName }),
    ...(address === undefined
      ? {}
      : {
          address: {
            street_line_1: address.streetLine1,
            ...(address.streetLine2 === undefined ? {} : { street_line_2: address.streetLine2 }),
            city: address.city,
            ...(address.state === undefined ? {} : { state: address.state }),
            postal_code: address.postalCode,
            country: address.country,
          },
        }),
    ...numbersOf(account),
  };
}

function numbersOf(account: BankAccountDetails): object {
  switch (account.kind) {
    case "us":
      return {
        account_type: "us",
        account: {
          account_number: account.accountNumber,
          routing_number: account.routingNumber,
          checking_or_savings: account.checkingOrSavings,
        },
      };
    case "iban":
      return {
        account_type: "iban",
        iban: {
          account_number: account.iban,
          ...(account.bic === undefined ? {} : { bic: account.bic }),
          country: account.country,
        },
      };
    case "gb":
      return {
        account_type: "gb",
        account: { account_number: account.accountNumber, sort_code: account.sortCode },
      };
    case "clabe":
      return { account_type: "clabe", clabe: { account_number: account.clabe } };
    case "pix":
      return {
        account_type: "pix",
        pix: {
          pix_key: account.pixKey,
          ...(account.documentNumber === undefined ? {} : { document_number: account.documentNumber }),
        },
      };
  }
}

/** The end of what names the account: all that may be displayed of it. */
function lastFour(account: BankAccountDetails): string {
  const numbers = {
    us: () => (account.kind === "us" ? account.accountNumber : ""),
    iban: () => (account.kind === "iban" ? account.iban : ""),
    gb: () => (account.kind === "gb" ? account.accountNumber : ""),
    clabe: () => (account.kind === "clabe" ? account.clabe : ""),
    pix: () => (account.kind === "pix" ? account.pixKey : ""),
  };
  return numbers[account.kind]().replace(/\s/g, "").slice(-4);
}

const holders = ["account", "iban", "clabe", "pix"];

/** Where it stands depends on the kind of account and on the version of the partner's documents. */
function lastFourOf(body: unknown): string | undefined {
  for (const value of [body, ...holders.map((name) => field(body, name))]) {
    const found = text(value, "last_4") ?? text(value, "iban_last_4");
    if (found !== undefined) return found.slice(-4);
  }
  return undefined;
}

function bankAccountOf(body: unknown, known: string): PartnerBankAccount {
  const id = text(body, "id");
  if (id === undefined) throw unreadable("a bank account has no id");
  return {
    ref: id as PartnerRef,
    last4: lastFourOf(body) ?? known,
    bankName: text(body, "bank_name") ?? null,
    active: flag(body, "active") ?? true,
  };
}
