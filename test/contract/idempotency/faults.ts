import { randomUUID } from "node:crypto";
import { judgeByOneNode } from "@trellis/solana/one-node.js";
import { makeKey } from "../../adversarial/support.js";
import { breakConnection } from "../../support/test-network.js";
import { scene } from "./scene.js";
import {
  app,
  type Code,
  type Fault,
  inBoth,
  letCustodiansAnswer,
  letMailGo,
  letPartnerAnswer,
  send,
  test,
} from "./world.js";

/** Overrides one method of the chain's answers for the duration. */
function breakRpc(code: Code, breaks: (method: string) => boolean): Fault {
  return {
    code,
    begin: () => inBoth({ rpc: breakConnection(test.network, breaks).rpc }),
    end: () => inBoth({ rpc: test.network.rpc }),
  };
}

/** The chain takes transactions and says of none what became of it. */
const silent: Fault = {
  code: "submission_in_progress",
  begin: () => {
    const { sandbox } = test.network;
    const handleRpc = async (payload: unknown) => {
      const answer = (await sandbox?.handleRpc(payload)) as { result?: { value?: unknown } };
      const { method } = payload as { method: string };
      return method === "getSignatureStatuses" ? { ...answer, result: { ...answer.result, value: [null] } } : answer;
    };
    const muted = breakConnection({ ...test.network, sandbox: { ...sandbox, handleRpc } as never }, () => false);
    inBoth({ rpc: muted.rpc, judgeUnseen: judgeByOneNode(muted.rpc, test.network.clock) });
  },
  end: () => inBoth({ rpc: test.network.rpc, judgeUnseen: test.network.judgeUnseen }),
};

/** The service has paid for as many open proposals of the account as it pays for at a time. */
const crowded: Fault = {
  code: "sponsorship_limit_exceeded",
  begin: async () => {
    const row = await test.needs.db
      .selectFrom("proposal")
      .selectAll()
      .where("proposal_address", "=", scene.proposed)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 20 }, (_, at) => ({
      ...row,
      transaction_index: 1_000n + BigInt(at),
      proposal_address: makeKey().address,
      transaction_address: makeKey().address,
    }));
    await test.needs.db.insertInto("proposal").values(copies).execute();
  },
  end: async () => {
    await test.needs.db.deleteFrom("proposal").where("transaction_index", ">=", 1_000n).execute();
  },
};

let mailsBefore: string[] = [];
/** Everything that may go wrong for a while. */
export const faults: Readonly<Record<string, Fault>> = {
  "the chain is away": breakRpc("chain_unavailable", () => true),
  "the chain is lost after sending": breakRpc("chain_unavailable", (method) => method === "getSignatureStatuses"),
  "the chain decides nothing": silent,
  "the budget is used up": {
    code: "sponsorship_limit_exceeded",
    begin: () => inBoth({ sponsorship: { ...test.network.sponsorship, perTransaction: 0n } }),
    end: () => inBoth({ sponsorship: test.network.sponsorship }),
  },
  "too many proposals are open": crowded,
  "the custodian is away": {
    code: "provider_unavailable",
    begin: () => {
      letCustodiansAnswer(false);
    },
    end: () => {
      letCustodiansAnswer(true);
    },
  },
  "the partner is away": {
    code: "partner_unavailable",
    begin: () => {
      letPartnerAnswer(false);
    },
    end: () => {
      letPartnerAnswer(true);
    },
  },
  "mail does not go out": {
    code: "mail_unavailable",
    begin: () => {
      letMailGo(false);
    },
    end: () => {
      letMailGo(true);
    },
  },
  "the address has had its mails": {
    code: "mail_limit_exceeded",
    begin: async (trial) => {
      mailsBefore = (await test.needs.db.selectFrom("mail").select("id").execute()).map(({ id }) => id);
      if (!("email" in trial.body) || "otp_code" in trial.body) return;
      for (let count = 0; count < 5; count += 1) await send(app, trial);
    },
    end: async () => {
      await test.needs.db
        .deleteFrom("mail")
        .where("id", "not in", ["", ...mailsBefore])
        .execute();
    },
  },
  "the address is blocked": {
    code: "otp_address_blocked",
    begin: async () => {
      const users = await test.needs.db
        .selectFrom("one_time_code")
        .select(["tenant_id", "environment", "email"])
        .execute();
      const failures = users.flatMap((user) => Array.from({ length: 10 }, () => user));
      const failed_at = BigInt(test.network.clock.now());
      if (failures.length === 0) return;
      await test.needs.db
        .insertInto("otp_failure")
        .values(failures.map((user) => ({ ...user, id: randomUUID(), failed_at })))
        .execute();
    },
    end: async () => {
      await test.needs.db.deleteFrom("otp_failure").execute();
      await test.needs.db.deleteFrom("one_time_code").where("state", "!=", "live").execute();
    },
  },
};

/** Beside `create-on-chain.test.ts`: each failure of a creation that passes, crossed with one key; and the queue's own test. */
const ofCreations: readonly Code[] = ["creation_queue_full", "service_unavailable"];
/** Also declared, and played elsewhere. */
export const notProvoked: Readonly<Record<string, readonly Code[]>> = {
  createAccount: ofCreations,
  createCustomAccount: ofCreations,
  createPasskeyAccount: ofCreations,
  beginPasskeyApproval: ["submission_in_progress"],
  verifyAccount: ofCreations,
  // A page's sign-in that ends in an account is made by the steps of verifyAccount.
  verifyAuthentication: [...ofCreations, "sponsorship_limit_exceeded", "submission_in_progress"],
  // The growth of a cancelled proposal is paid for one at a time: `test/proposals`.
  voteOnProposal: ["submission_in_progress"],
  // What stands in the way of opening a token account is crossed with virtual accounts, which open it by the same steps.
  preparePayment: ["sponsorship_limit_exceeded", "submission_in_progress"],
  createLegacyPaymentIntent: ["sponsorship_limit_exceeded", "submission_in_progress"],
  // That a change opens a proposal is played by the call that adds one.
  removeAccountPasskey: ["sponsorship_limit_exceeded"],
  // Only a change that is put to a vote opens a proposal, by the steps of updateAccount.
  protectAccount: ["sponsorship_limit_exceeded"],
  // An order that others change at the same moment, or that has a payment under way: `test/standing-orders`.
  cancelStandingOrder: ["submission_in_progress"],
  // Its partner is asked again only about an approval that is a day old.
  resumeStandingOrder: ["submission_in_progress", "partner_unavailable"],
};
