import type { AuthorityType, EffectType, ProposalDetails, SettingsActionType, SummaryEntry } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createReviews } from "../../packages/react/src/proposal-review.js";
import { createSpelling } from "../../packages/react/src/sentence.js";
import type { components } from "../contract/generated/openapi.js";

const isSame: [Same<Effect["type"], EffectType>, Same<Action["type"], SettingsActionType>] = [true, true];

const spell = createSpelling("sandbox");

const sol = { type: "transfer", from: "me", to: "you", mint: null, amount: "1500000000" } as const;
const tokens = { ...sol, mint: "m", amount: "18446744073709551615" } as const;
const sides = { from_token_account: "mine", to_token_account: "yours" } as const;
const call = { program: "p", accounts: ["a", "b"], data: "AQID" };

describe("what people read of a proposal before they approve it", () => {
  it("has words for every type of effect and of change, and offers no approval of calls that cannot be read", () => {
    expect(isSame).toEqual([true, true]);
    const unreadable = new Set(["instruction", "undecided", "other"]);
    const forms = [...transfers.map(([entry]) => entry), ...Object.values(effects), ...Object.values(actions)];
    for (const entry of forms.filter((one) => one !== effects.transfer)) {
      const { effects: view, refusal } = reviewOf([entry]);
      expect(
        view.map(({ isReadable }) => isReadable),
        entry.type,
      ).toEqual([!unreadable.has(entry.type)]);
      expect(refusal === undefined, entry.type).toBe(!unreadable.has(entry.type));
      expect(said(view[0]?.parts ?? []), entry.type).not.toMatch(/undefined|null|[{}]/);
    }
  });

  it("says transfers in every form, with what they cost besides", () => {
    for (const [entry, words] of transfers) expect(read(entry)).toBe(words);
    // Forms that exclude one another: their effect is unknown.
    expect(read(effects.transfer)).toBeUndefined();
    expect(read({ ...sol, fee: "7" })).toBeUndefined();
    expect(read({ ...sol, closes_account: true })).toBeUndefined();
    expect(read({ ...tokens, ...sides, closes_account: true })).toBeUndefined();
    expect(read({ ...tokens, ...sides, opens_account_for: "p" })).toBeUndefined();
  });

  it("says who may take what, and what is handed away or destroyed", () => {
    expect(read(effects.approve_delegate)).toBe(
      "Lets <you> take up to 9007199254740993 base units of the token <m> out of the token account <mine>, at any time and without any vote",
    );
    expect(read(delegate)).toBe(
      "Lets <you> take up to 9007199254740993 base units of the token out of the token account <mine>, at any time and without any vote",
    );
    expect(read(effects.burn)).toBe("Destroys 5 base units of the token <m> in the token account <mine>, for good");
    expect(read(effects.close_token_account)).toBe("Closes the token account <mine>; the SOL in it goes to <me>");
    expect(read(effects.settings_change)).toBe("Removes the signer <you>");
    expect(read(actions.remove_policy)).toBe(
      "Ends the policy <policy>: its signers can no longer act for this account by it",
    );
  });

  it("says every power over an account that is handed over or given up, and none that it does not know", () => {
    for (const [type, power] of Object.entries(authorities)) {
      const isOwner = type === "owner_program";
      const handed = isOwner ? ", to the program <you>" : ", from <me> to <you>";
      const given = `Gives up for good ${power} <mine>: <me> has it now, and no one afterwards`;
      expect(read({ ...authority, authority_type: type })).toBe(`Gives away ${power} <mine>${handed}`);
      expect(read({ ...authority, authority_type: type, new_authority: null })).toBe(isOwner ? undefined : given);
    }
    for (const type of ["number_17", "toString", "__proto__"]) {
      expect(read({ ...authority, authority_type: type })).toBeUndefined();
    }
  });

  it("is no approval where a member is missing, is of another shape, or is not known here", () => {
    const every = [...transfers.map(([entry]) => entry), ...Object.values(effects), ...Object.values(actions)];
    for (const entry of every.filter((one) => one.type !== "settings_change" && read(one) !== undefined)) {
      expect(read({ ...entry, of_tomorrow: true }), entry.type).toBeUndefined();
      for (const name of Object.keys(entry).filter((one) => one !== "type")) {
        // Members that no sentence names may say anything.
        expect(read({ ...entry, [name]: { not: "a text" } }) ?? "", `${entry.type}.${name}`).not.toMatch(/object/);
      }
      for (const name of ["amount", "threshold", "time_lock"].filter((one) => one in entry)) {
        for (const value of [undefined, "-1", "1e3", -1, 1.5, null, "0x1"]) {
          expect(read({ ...entry, [name]: value }), `${entry.type}.${name} ${value}`).toBeUndefined();
        }
      }
    }
    const review = reviewOf([sol, { ...sol, of_tomorrow: true }]);
    expect(review.refusal).toBeTypeOf("string");
  });

  it("shows what is done twice as two, and a warning that applies twice once", () => {
    const warning = { code: "burns_tokens", message: "…" };
    const review = reviewOf([sol, sol], [warning, warning]);
    expect(new Set(review.effects.map(({ key }) => key)).size).toBe(2);
    expect(review.warnings).toHaveLength(1);
    const of = (address: string) => ({ code: "unpayable_destination" as const, message: `Nobody gets at ${address}.` });
    const view = reviewOf([sol, sol], [of("the first"), of("the second")]).warnings;
    expect(view.map(({ message }) => message.split("The service says: ")[1])).toEqual([
      "Nobody gets at the first.",
      "Nobody gets at the second.",
    ]);
  });

  it("has words of its own for every warning of the service", () => {
    const warnings = {
      durable_nonce: true,
      stale: true,
      no_time_lock: true,
      lowers_threshold: true,
      removes_signer: true,
      old_approvals: true,
      grants_spending_limit: true,
      changes_time_lock: true,
      simulation_failed: true,
      blocks_account: true,
      never_executable: true,
      unpayable_destination: true,
      not_whole: true,
      grants_delegate: true,
      changes_authority: true,
      burns_tokens: true,
      pays_out_account: true,
      unreadable_content: true,
      undecided_content: true,
      grants_policy: true,
    } satisfies Record<Warning["code"], true>;
    for (const code of Object.keys(warnings)) {
      const message = "x-for-developers must be a SPKI DER.";
      const [view] = reviewOf([sol], [{ code, message }]).warnings;
      expect(view?.message, code).toMatch(/^[A-Z][^_`{}]{10,}[.]$/);
      expect(view?.message, code).not.toBe(message);
    }
  });
});

type Effect = components["schemas"]["Effect"];
type Action = components["schemas"]["SettingsAction"];
type Warning = components["schemas"]["ProposalWarning"];

/** Compiles only when both are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;

/** One entry of each type with every member that it can have, as the service's own document says. */
type Whole<Entry extends { type: string }> = { readonly [T in Entry["type"]]: Required<Extract<Entry, { type: T }>> };

const authority = {
  type: "set_authority",
  account: "mine",
  authority: "me",
  new_authority: "you",
  program: "p",
} as const;

const delegate = {
  type: "approve_delegate",
  token_account: "mine",
  owner: "me",
  delegate: "you",
  amount: "9007199254740993",
} as const;

const effects: Whole<Effect> = {
  transfer: { ...sol, ...sides, fee: "7", closes_account: true, opens_account_for: "p" },
  create_token_account: { type: "create_token_account", owner: "you", mint: "m", token_account: "yours", payer: "me" },
  close_token_account: { type: "close_token_account", token_account: "mine", owner: "me" },
  approve_delegate: { ...delegate, mint: "m" },
  set_authority: { ...authority, authority_type: "account_owner" },
  burn: { type: "burn", token_account: "mine", owner: "me", mint: "m", amount: "5" },
  memo: { type: "memo", text: "Rent", ...call },
  use_spending_limit: { ...sol, ...sides, type: "use_spending_limit", spending_limit: "limit", signer: "s" },
  settings_change: {
    type: "settings_change",
    settings: "mine",
    by: ["me"],
    actions: [{ type: "remove_signer", address: "you" }],
  },
  instruction: { type: "instruction", ...call },
  undecided: { type: "undecided", ...call },
};

const actions: Whole<Action> = {
  add_signer: { type: "add_signer", address: "you", permissions: ["CAN_VOTE"] },
  remove_signer: { type: "remove_signer", address: "you" },
  change_threshold: { type: "change_threshold", threshold: 2 },
  set_time_lock: { type: "set_time_lock", time_lock: 90 },
  set_admin: { type: "set_admin", admin_address: "you", irreversible: false },
  add_spending_limit: {
    type: "add_spending_limit",
    spending_limit: "limit",
    mint: null,
    amount: "1",
    period: "day",
    signers: ["you"],
    destinations: ["them", "others"],
    expires_at: 86_400,
  },
  remove_spending_limit: { type: "remove_spending_limit", spending_limit: "limit" },
  remove_policy: { type: "remove_policy", policy: "policy" },
  other: { type: "other", name: "PolicyCreate" },
};

/** Every form of a transfer that the service or the library makes; no two can be one. */
const transfers: readonly (readonly [SummaryEntry, string])[] = [
  [sol, "Pays 1.5 SOL to <you>"],
  [
    { ...tokens, ...sides },
    "Pays 18446744073709551615 base units of the token <m> to <you>, to the token account <yours>",
  ],
  [
    { ...tokens, ...sides, fee: "7" },
    "Pays 18446744073709551615 base units of the token <m> to <you>, to the token account <yours>, " +
      "of which 7 base units of the token <m> are kept back as a fee of the token",
  ],
  [
    { ...sol, from_token_account: "mine", closes_account: true },
    "Closes the token account <mine> and pays all the SOL in it, which is 1.5 SOL now, to <you>",
  ],
  [
    { ...sol, from_token_account: "mine" },
    "Pays 1.5 SOL, or all that is in it by then, out of the token account <mine> to <you>",
  ],
  [
    { ...sol, opens_account_for: "p" },
    "Pays 1.5 SOL into the new account <you>, out of which only the program <p> can pay",
  ],
];

const authorities: Readonly<Record<AuthorityType, string>> = {
  owner_program: "everything in the account",
  nonce: "the power over the durable nonce, and the SOL, in the account",
  staker: "the power to choose where the stake works, over the stake account",
  withdrawer: "the power to take everything out of the stake account",
  program_upgrade: "the power to replace the program whose code is in",
  mint_tokens: "the power to make any amount of new tokens of the mint",
  freeze_account: "the power to freeze any holder's tokens of the mint",
  account_owner: "the ownership of everything in the token account",
  close_account: "the power to close, and to take the SOL that is in it, the account",
  transfer_fee_config: "the power to set the fee of every transfer of the mint",
  withheld_withdraw: "the power to take the fees that were withheld for the mint",
  close_mint: "the power to close the mint",
  interest_rate: "the power to set the interest rate of the mint",
  permanent_delegate: "the power to take and to destroy any holder's tokens of the mint",
  confidential_transfer_mint: "the power to set the rules of confidential transfers of the mint",
  transfer_hook_program: "the power to choose a program that every transfer runs, of the mint",
  confidential_transfer_fee_config: "the power to set the fees of confidential transfers of the mint",
  metadata_pointer: "the power to choose where name and picture are kept, of the mint",
  group_pointer: "the power to choose where its group is kept, of the mint",
  group_member_pointer: "the power to choose where its membership of a group is kept, of the mint",
  scaled_ui_amount: "the power to change how wallets display amounts of the mint",
  pause: "the power to stop every transfer of the mint",
};

const reviewOf = (summary: readonly SummaryEntry[], warnings: ProposalDetails["warnings"] = []) =>
  createReviews(spell).of({ kind: "transaction", summary, warnings } as unknown as ProposalDetails);

/** What people read, with addresses in angle brackets; undefined where it cannot be approved. */
const read = (entry: SummaryEntry): string | undefined => {
  const { effects, refusal } = reviewOf([entry]);
  return refusal === undefined ? said(effects[0]?.parts ?? []) : undefined;
};

const said = (parts: readonly ({ text: string } | { address: string })[]) =>
  parts.map((part) => ("text" in part ? part.text : `<${part.address}>`)).join("");
