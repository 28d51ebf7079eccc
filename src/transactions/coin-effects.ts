import type { Address, Instruction } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, tokenPrograms } from "@trellis/solana/token-accounts.js";
import Type, { type Static } from "typebox";
import { type CoinAction, readCoinAction } from "./coin-bytes.js";

/** A token account as far as it is known: from the chain, or from what a transaction opens. */
export interface KnownTokenAccount {
  readonly owner: Address;
  readonly mint: Address;
  /** Base units; undefined where the chain was not asked. */
  readonly amount?: bigint;
  readonly lamports?: bigint;
}

/** Token accounts by their addresses, as far as the chain was asked. */
export type KnownTokenAccounts = ReadonlyMap<Address, KnownTokenAccount>;

const tokenAccount = addressText();

/** Coins that move. */
export const TransferEffect = Type.Object(
  {
    type: Type.Literal("transfer"),
    from: addressText({ description: "Who pays: the owner, not its token account." }),
    to: addressText({
      description: "Who receives: the owner where the bytes or the chain name it, else the token account.",
    }),
    mint: Type.Union([addressText(), Type.Null()], { description: "Null is SOL." }),
    amount: amountText({
      description: "What leaves. Of a token account that is closed or unwrapped whole: what it holds at this moment.",
    }),
    from_token_account: Type.Optional(addressText()),
    to_token_account: Type.Optional(addressText()),
    fee: Type.Optional(amountText({ description: "What of the amount the mint withholds, as the bytes say." })),
    closes_account: Type.Optional(
      Type.Boolean({ description: "True: `from_token_account` is closed, and all of its lamports go to `to`." }),
    ),
    opens_account_for: Type.Optional(
      addressText({
        description: "`to` is a new account, and this program owns it: only the program moves what is in it.",
      }),
    ),
  },
  { $id: "TransferEffect" },
);

/** Power over coins that is handed over, and coins that are destroyed. */
export const authorityEffects = [
  Type.Object(
    {
      type: Type.Literal("close_token_account"),
      token_account: tokenAccount,
      owner: addressText({ description: "Who closes it and gets its lamports." }),
    },
    { $id: "CloseTokenAccountEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("approve_delegate"),
      token_account: tokenAccount,
      owner: addressText(),
      delegate: addressText({ description: "Who may move the tokens from then on, at any time." }),
      mint: Type.Optional(addressText()),
      amount: amountText({ description: "How much of them." }),
    },
    { $id: "ApproveDelegateEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("set_authority"),
      account: addressText({ description: "Over which account." }),
      authority: addressText({ description: "Who has the power now." }),
      authority_type: Type.String({
        description:
          "Of a token account `account_owner` or `close_account`; of a mint `mint_tokens`, `freeze_account`, …; " +
          "`owner_program`, `nonce`, `staker`, `withdrawer`, `program_upgrade`.",
      }),
      new_authority: Type.Union([addressText(), Type.Null()], { description: "Null: no one, for good." }),
      program: addressText(),
    },
    { $id: "SetAuthorityEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("burn"),
      token_account: tokenAccount,
      owner: addressText({ description: "Who burns." }),
      mint: addressText(),
      amount: amountText(),
    },
    { $id: "BurnEffect" },
  ),
] as const;

export type CoinEffect = Static<typeof TransferEffect> | Static<(typeof authorityEffects)[number]>;

/**
 * What one instruction does with coins, read from its bytes; undefined where it does nothing of the kind, or where a mint is
 * not known: then it is displayed as it is. `known` are the token accounts; one that the instruction opens is added.
 */
export function coinEffect(instruction: Instruction, known: Map<Address, KnownTokenAccount>): CoinEffect | undefined {
  const action = readCoinAction(instruction);
  if (action?.kind === "opened") known.set(action.account, { owner: action.owner, mint: action.mint });
  return action && effectOf(action, instruction.programAddress, known);
}

function effectOf(action: CoinAction, program: Address, known: KnownTokenAccounts): CoinEffect | undefined {
  switch (action.kind) {
    case "sol": {
      const { from, to, amount, opensFor } = action;
      const opens = opensFor === undefined ? {} : { opens_account_for: opensFor };
      return { type: "transfer", from, to, mint: null, amount: amount.toString(), ...opens };
    }
    case "tokens": {
      const { source, destination, authority, amount, fee } = action;
      const mint = action.mint ?? known.get(source)?.mint ?? known.get(destination)?.mint;
      if (mint === undefined) return undefined;
      return {
        type: "transfer",
        from: authority,
        to: known.get(destination)?.owner ?? destination,
        mint,
        amount: amount.toString(),
        from_token_account: source,
        to_token_account: destination,
        ...(fee === undefined ? {} : { fee: fee.toString() }),
      };
    }
    case "unwrap": {
      const { source, to, authority } = action;
      const amount = action.amount ?? known.get(source)?.amount ?? 0n;
      return {
        type: "transfer",
        from: authority,
        to,
        mint: null,
        amount: amount.toString(),
        from_token_account: source,
      };
    }
    case "close": {
      const { account, to, authority } = action;
      if (to === authority) return { type: "close_token_account", token_account: account, owner: authority };
      const amount = (known.get(account)?.lamports ?? 0n).toString();
      const closed = { from_token_account: account, closes_account: true };
      return { type: "transfer", from: authority, to, mint: null, amount, ...closed };
    }
    case "approve": {
      const { account, owner, delegate, amount } = action;
      const mint = action.mint ?? known.get(account)?.mint;
      return {
        type: "approve_delegate",
        token_account: account,
        owner,
        delegate,
        amount: amount.toString(),
        ...(mint === undefined ? {} : { mint }),
      };
    }
    case "burn": {
      const { account, authority, mint, amount } = action;
      return { type: "burn", token_account: account, owner: authority, mint, amount: amount.toString() };
    }
    case "authority": {
      const { account, authority, what, next } = action;
      return { type: "set_authority", account, authority, authority_type: what, new_authority: next, program };
    }
    case "opened":
      return undefined;
  }
}

/** As many accounts as one call of a node reads. */
const accountsPerCall = 100;

/**
 * The token accounts that token programs are called with, as the chain has them: summaries name people rather than accounts,
 * and the mint of a transfer that does not. Throws `chain_unavailable`.
 */
export async function readKnownTokenAccounts(
  network: Pick<Network, "rpc">,
  instructions: readonly Instruction[],
): Promise<KnownTokenAccounts> {
  const named = instructions
    .filter(({ programAddress }) => tokenPrograms.includes(programAddress))
    .flatMap(({ accounts = [] }) => accounts.map(({ address }) => address));
  const addresses = [...new Set(named)];
  const parts = Array.from({ length: Math.ceil(addresses.length / accountsPerCall) }, (_, i) =>
    addresses.slice(i * accountsPerCall, (i + 1) * accountsPerCall),
  );
  const known = new Map<Address, KnownTokenAccount>();
  for (const part of parts) {
    for (const account of await readAccounts(network, part)) {
      const token = account && decodeTokenAccount(account);
      if (token === undefined || account === undefined) continue;
      const { owner, mint, amount } = token;
      known.set(token.address, { owner, mint, amount, lamports: account.lamports });
    }
  }
  return known;
}
