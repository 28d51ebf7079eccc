import type { Address } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { assertBuffersAreClosed } from "./assert-buffer.js";
import { assertFee } from "./assert-transfer.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { deriveSmartAccountAddress } from "./program-address.js";
import { type ProposalLimits, readProposalCalls } from "./proposal-frame.js";
import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { CloseBuffersRequest, PreparedBufferClosing } from "./wire.js";

/** What is left of proposals that were begun and never finished, to be given up in one go. */
export type CloseBuffers = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  readonly limits?: ProposalLimits;
  /** Whose buffers; default: the first of the holder's addresses. */
  readonly signer?: string;
  /** Which; default: the first ten there are. */
  readonly buffers?: readonly string[];
};

export type BuffersClosed = {
  readonly buffers: readonly string[];
  /** Whether there are others. */
  readonly more: boolean;
};

/** The calls about transaction buffers (gap 110). */
export function createBufferCalls({ act, post }: Pick<ServiceCalls, "post"> & { readonly act: Act }) {
  /** Prepares it. Check it before signing, or use `closeBuffers`, which does. */
  const prepareCloseBuffers = (account: string, request: CloseBuffersRequest, callOptions?: CallOptions) =>
    post<PreparedBufferClosing>(
      `/accounts/${encodeURIComponent(account)}/transaction-buffers/close`,
      request,
      callOptions,
    );
  return {
    prepareCloseBuffers,
    /** Closes transaction buffers of a signer's, who gets their rent. Rejects with `no_changes` where there are none. */
    closeBuffers: (
      closing: CloseBuffers,
      submitOptions: SubmitOptions<BuffersClosed> = {},
    ): Promise<BuffersClosed & Confirmation> => {
      const account = requireAddress(closing.account);
      const signer = requireAddress(closing.signer ?? addressesOfHolder(closing)[0] ?? "");
      const request = { signer, ...(closing.buffers ? { buffers: closing.buffers } : {}) };
      return act(submitOptions, {
        account,
        holder: closing,
        prepare: (options) => prepareCloseBuffers(account, request, options),
        check: (prepared) => {
          const buffers = assertClosing(prepared, {
            ...closing.limits,
            account,
            signer,
            ...(closing.buffers ? { asked: closing.buffers } : {}),
          });
          return { members: [signer], membersOnly: true, receipt: { buffers, more: prepared.more } };
        },
      });
    },
  };
}

function assertClosing(
  { transaction, buffers }: PreparedBufferClosing,
  expected: ProposalLimits & {
    readonly account: Address;
    readonly signer: Address;
    readonly asked?: readonly string[];
  },
): readonly Address[] {
  const decoded = decodeTransaction(transaction);
  const { calls, others } = readProposalCalls(decoded);
  const [further] = others;
  if (further !== undefined) {
    throw new TransactionMismatchError("unexpected_instruction", "something else is done than closing buffers", {
      actual: further.type,
    });
  }
  for (const settings of new Set(calls.map((call) => call.settings))) {
    const isOther = expected.settings !== undefined && settings !== expected.settings;
    if (isOther || deriveSmartAccountAddress(settings) !== expected.account) {
      throw new TransactionMismatchError("settings_account", "a buffer of another account is closed", {
        actual: settings,
      });
    }
  }
  const closed = assertBuffersAreClosed(calls, expected.signer, expected.asked);
  const said = buffers.map(({ address }) => address);
  if (said.length !== closed.length || said.some((address, at) => address !== closed[at])) {
    throw new TransactionMismatchError("content", "the service speaks of other buffers than it closes", {
      expected: said.join(", "),
      actual: closed.join(", "),
    });
  }
  const { feePayer, requiredSigners } = decoded;
  if (expected.feePayer === undefined ? feePayer === expected.signer : feePayer !== expected.feePayer) {
    throw new TransactionMismatchError("fee_payer", "another address pays the fee", {
      expected: expected.feePayer,
      actual: feePayer,
    });
  }
  const other = requiredSigners.find((address) => address !== feePayer && address !== expected.signer);
  if (other !== undefined) {
    throw new TransactionMismatchError("signers", "another address has to sign", { actual: other });
  }
  assertFee(decoded, expected);
  return closed;
}
