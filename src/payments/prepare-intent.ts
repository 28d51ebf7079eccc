import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { namesOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { getCurrency } from "@trellis/solana/currency.js";
import { type RawBuilder, sql } from "kysely";
import Type, { type Static } from "typebox";
import { obstacleCodes } from "../payees/obstacle.js";
import { getActingAccountAnd, withApproval } from "../transactions/acting-account.js";
import { chooseSigners } from "../transactions/choose-signers.js";
import { chooseFeePayer, type FeeFields } from "../transactions/fee-config.js";
import { type MemoWords, memoFields, parsePaymentMemo } from "../transactions/payment-memo.js";
import { prepareSynchronous } from "../transactions/prepare-synchronous.js";
import type { AlongsideKind } from "../transactions/prepared-store.js";
import { type PreparedTransaction, toPreparedFields } from "../transactions/prepared-transaction.js";
import { rentSponsorOf } from "../transactions/rent-sponsor.js";
import { confirmProgramAddress } from "../transactions/require-payable.js";
import { accountsOfTransfer, buildTransfer, parseDestination } from "../transactions/transfer-instructions.js";
import type { IntentDestination, IntentSource, PaymentIntent } from "./payment-intent.js";

/** Where the money is to go, as a request says it. */
export const WantedDestination = Type.Object(
  {
    address: Type.Optional(addressText({ description: "An owner, or a token account of this currency." })),
    confirm_program_address: confirmProgramAddress,
    currency: Type.Optional(Type.String({ examples: ["usdc"] })),
    payment_rail: Type.Optional(
      Type.String({
        description: "`solana`, or of a bank: `ach_push`, `wire`, `sepa`, `faster_payments`, `spei`, `pix`.",
      }),
    ),
    external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
    reference: Type.Optional(
      Type.String({
        maxLength: limits.paymentMemoBytes,
        description:
          "Of a bank that is paid: what its statement says, at most 140 characters. On chain another name of `memo`.",
      }),
    ),
    memo: memoFields.memo,
  },
  {
    $id: "RequestedPaymentDestination",
    examples: [{ address: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2", currency: "usdc" }],
  },
);

export type WantedDestination = Static<typeof WantedDestination>;

/** What preparing a payment can be refused with. */
export const intentErrors = [
  "account_not_found",
  "invalid_amount",
  "rail_not_available",
  "insufficient_balance",
  "rent_not_sponsored",
  "insufficient_permissions",
  "passkey_session_required",
  "proposal_required",
  ...obstacleCodes,
  "unsupported_fee_config",
  "transaction_failed",
  "chain_unavailable",
] as const satisfies readonly ErrorCode[];

/** What a payment with a bank at either end can be refused with, besides. */
export const bankIntentErrors = [
  "kyc_required",
  "external_account_not_found",
  "sponsorship_limit_exceeded",
  "submission_in_progress",
  "partner_refused",
  "partner_unavailable",
] as const satisfies readonly ErrorCode[];

/** A payment as it is asked for (gap 33). */
export interface WantedPayment extends FeeFields, Pick<MemoWords, "memo" | "reference"> {
  readonly amount: string;
  readonly source: IntentSource;
  readonly destination: WantedDestination;
  readonly transaction_signers?: readonly string[];
  readonly provider?: string;
  /** Whether a passkey among the signers approves it itself. */
  readonly passkey_approval?: boolean;
  /** Where the events of this intent alone are to be sent. */
  readonly listener?: (intentId: string, now: number, made?: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** What the coins are for where a partner passes them on to a bank: its transfer's id, and how the payee is displayed. */
  readonly bank?: { readonly id: string; readonly destination: IntentDestination };
  /** Throws when these, of those who are to sign, are not such as the caller can have sign. */
  readonly admits?: (signers: readonly AccountSignerTable[]) => void;
}

/** Its result. */
export interface PreparedIntent {
  readonly account: AccountTable;
  readonly intent: PaymentIntent;
  readonly prepared: PreparedTransaction;
}

const intentColumns = {
  id: "text",
  tenant_id: "text",
  environment: "text",
  account_address: "text",
  prepared_id: "text",
  amount: "text",
  currency: "text",
  source: "text",
  destination: "text",
  rail: "text",
  created_at: "int8",
  open_until_height: "int8",
  prepared_slot: "int8",
  attempt_at: "int8",
} as const;

/** Intents that await their signatures, each beside its transaction; the account's row is held. */
const intents: AlongsideKind = {
  columns: intentColumns,
  write: (rows) => sql`insert into payment_intent (${namesOf(intentColumns)}, state, updated_at)
    select intent.id, intent.tenant_id, intent.environment,
      held_account(intent.environment, intent.account_address, intent.tenant_id), intent.prepared_id, intent.amount,
      intent.currency, intent.source, intent.destination, intent.rail, intent.created_at, intent.open_until_height,
      intent.prepared_slot, intent.attempt_at, 'awaiting_funds', intent.created_at
    from remembered join ${rows("intent")} on intent.prepared_id = remembered.id`,
};

/**
 * Prepares a payment from the account to an address on chain, and records it as an intent that awaits its signatures: one
 * statement remembers both (gap 33). Throws what `intentErrors` names.
 */
export async function prepareIntent(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  tenantId: string,
  accountAddress: string,
  wanted: WantedPayment,
): Promise<PreparedIntent> {
  const amountBaseUnits = parseBaseUnits(wanted.amount, "amount");
  const amount = amountBaseUnits.toString();
  if (wanted.source.account !== accountAddress) {
    throw new TrellisError("invalid_request", {
      field: "source.account",
      message: "source.account must be the account of the path.",
    });
  }
  const currency = getCurrency(network, wanted.source.currency, "source.currency");
  const to = parseDestination(requireAddress(wanted.destination));
  requireSameCurrency(currency, wanted.destination, (text) => getCurrency(network, text, "destination.currency"));
  const memo = parsePaymentMemo(wanted);
  const { others, isPayeeServed, ...acting } = await getActingAccountAnd(
    needs.db,
    network,
    tenantId,
    accountAddress,
    (from) => accountsOfTransfer({ from, to, currency }),
    to,
  );
  const account = withApproval(acting.account, wanted);
  const members = chooseSigners(account, { named: wanted.transaction_signers, provider: wanted.provider });
  wanted.admits?.(account.signers.filter((signer) => members.some((member) => member === signer.signer_address)));
  const feePayer = chooseFeePayer(network, wanted);
  // Bytes that others complete can be sent by others.
  const isSelfPaid = feePayer !== undefined;
  const sponsor = rentSponsorOf(needs.db, network, account.row.address, feePayer);
  const { bank } = wanted;
  // What a partner names needs no other word than its own.
  const isConfirmed = bank !== undefined || wanted.destination.confirm_program_address;
  const trust = {
    field: "destination.confirm_program_address",
    isConfirmed: isConfirmed === true,
    isKnown: async () => isPayeeServed,
  };
  const isApproved = wanted.passkey_approval === true;
  const transfer = { from: account.address, to, currency, amountBaseUnits, memo, isApproved, sponsor, trust };
  const intent = {
    id: bank?.id ?? needs.random.uuid(),
    source: { account: account.address, currency: currency.symbol },
    destination: bank?.destination ?? {
      address: to,
      currency: currency.symbol,
      ...(memo === undefined ? {} : { memo }),
    },
  };
  const { owners, ...instructions } = await buildTransfer(network, transfer, others);
  const prepared = await prepareSynchronous(
    needs,
    network,
    {
      kind: "payment",
      account,
      members,
      feePayer,
      ...instructions,
      facts: { owners },
    },
    (made) => {
      const row = {
        id: intent.id,
        tenant_id: tenantId,
        environment: network.name,
        account_address: account.row.address,
        prepared_id: made.id,
        amount,
        currency: currency.symbol,
        source: JSON.stringify(intent.source),
        destination: JSON.stringify(intent.destination),
        rail: bank === undefined ? null : "out",
        created_at: BigInt(made.createdAt),
        open_until_height: isSelfPaid ? made.lifetime.lastValidBlockHeight : null,
        prepared_slot: isSelfPaid ? made.simulatedSlot : null,
        attempt_at: isSelfPaid ? BigInt(made.expiresAt) : null,
      };
      if (bank === undefined && wanted.listener === undefined) return { kind: intents, row };
      const rows = (name: string) => typedRows(name, intentColumns, [row]);
      return [
        // A transfer is answered once; the first member of the statement is what the next one stands on.
        ...(bank === undefined
          ? []
          : [
              // Whatever its partner reported meanwhile counts: no caller is given a transaction to an address that is not monitored
              // any more, and a process that read the transfer before reads it anew, with its intent. Nor is a bank account paid whose
              // removal has begun; a removal that begins now sees the intent.
              sql`update rail_transfer set answer = ${JSON.stringify(toPreparedFields(made))}, version = version + 1
                from remembered
                where rail_transfer.id = ${bank.id} and answer is null and given_up_at is null and told = 'awaiting_funds'
                  and exists (select from rail_external_account as bank
                    where bank.id = rail_transfer.external_account_id and bank.removed_at is null for share)
                returning rail_transfer.id`,
            ]),
        sql`${intents.write(rows)} ${bank === undefined ? sql`` : sql`cross join alongside_0`}`,
        ...(wanted.listener === undefined
          ? []
          : [wanted.listener(intent.id, made.createdAt, bank === undefined ? undefined : sql`alongside_0`)]),
      ];
    },
  );
  const createdAt = new Date(prepared.createdAt).toISOString();
  return {
    account: account.row,
    intent: {
      id: intent.id,
      state: "awaiting_funds",
      amount,
      currency: currency.symbol,
      source: intent.source,
      destination: intent.destination,
      created_at: createdAt,
      updated_at: createdAt,
    },
    prepared,
  };
}

function requireAddress({ address, payment_rail: rail }: WantedDestination): string {
  if (rail !== undefined && rail !== "solana") {
    throw new TrellisError("rail_not_available", {
      field: "destination.payment_rail",
      message: `The rail ${rail} is not available here.`,
    });
  }
  if (address === undefined) {
    throw new TrellisError("rail_not_available", {
      field: "destination.address",
      message: "Only destinations on chain can be paid here: give destination.address.",
    });
  }
  return address;
}

function requireSameCurrency(source: Currency, { currency }: WantedDestination, get: (text: string) => Currency): void {
  if (currency === undefined || get(currency).mint === source.mint) return;
  throw new TrellisError("unsupported_currency", {
    field: "destination.currency",
    message: "Currencies are not converted: the destination's currency must be the source's.",
  });
}
