import { addressOfKey, type ProposedAction, type ProposedContent } from "@trellis/sdk";
import Type, { type Static } from "typebox";
import { accountInput, accountOf, addressInput, amountInput, currencyInput, referenceInput } from "./inputs.js";
import { keyOfReference } from "./pay.js";
import { type Tool, ToolRefusal, tool } from "./tool.js";

const closed = { additionalProperties: false };
const transferFields = {
  currency: currencyInput,
  amount: amountInput,
  destination: addressInput("The owner's address that is to be paid."),
  memo: Type.Optional(Type.String({ maxLength: 256, description: "What the payee is to read with it." })),
};
const transactionText = Type.String({ pattern: "^[A-Za-z0-9+/=]{1,20000}$", description: "Base64." });
const Content = Type.Union([
  Type.Object({ type: Type.Literal("transfer"), ...transferFields }, closed),
  Type.Object(
    {
      type: Type.Literal("transfers"),
      transfers: Type.Array(Type.Object(transferFields, closed), { minItems: 2, maxItems: 20 }),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("spending_limit"),
      currency: currencyInput,
      amount: amountInput,
      period: Type.Enum(["one_time", "day", "week", "month"]),
      signers: Type.Array(addressInput("Who may use it."), { minItems: 1, maxItems: 10 }),
      payees: Type.Optional(Type.Array(addressInput("An owner that may be paid."), { maxItems: 20 })),
      end: Type.Optional(Type.String({ format: "date-time", maxLength: 40 })),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("settings"),
      actions: Type.Array(Type.Object({ type: Type.String({ maxLength: 40 }) }, { additionalProperties: true }), {
        minItems: 1,
        maxItems: 10,
        description: "As the documentation's page contract-proposals has them, such as {type: AddSigner, …}.",
      }),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("custom"), transaction: transactionText }, closed),
  Type.Object(
    { type: Type.Literal("batch"), transactions: Type.Array(transactionText, { minItems: 2, maxItems: 20 }) },
    closed,
  ),
]);

/** Proposals that one transaction makes, which somebody else can sign. */
const singles: ReadonlySet<string> = new Set(["transfer", "spending_limit", "settings"]);

/** Puts something to a vote. It never approves: what is proposed takes effect when the account's owners have approved it. */
export const proposeTool: Tool = tool({
  name: "propose",
  title: "Propose something to the owners",
  description:
    "Puts something to a vote of an account's owners: payments, a spending limit, changes of the settings, transactions. It approves nothing. " +
    "Where this server holds a key that may propose, the proposal is made; otherwise the checked transaction is answered, for `signer` to sign.",
  input: Type.Object(
    {
      account: accountInput,
      content: Content,
      reference: referenceInput,
      signer: Type.Optional(addressInput("Who proposes, where this server holds no key.")),
    },
    closed,
  ),
  isRead: false,
  run: async ({ agent, client, input }) => {
    const account = accountOf(agent, input);
    const content = contentOf(input.content);
    const signer = agent.key === undefined ? input.signer : addressOfKey(agent.key);
    if (signer === undefined) throw new ToolRefusal("signer_missing", "This server holds no key: name the signer.");
    const options = { idempotencyKey: keyOfReference("propose", signer, input.reference) };
    if (agent.key !== undefined) {
      const { proposalAddress, transactionIndex, signature } = await client.proposals.create(
        { account, content, signer, keys: [agent.key] },
        options,
      );
      return { data: { status: "proposed", proposalAddress, transactionIndex, signature } };
    }
    if (!singles.has(content.type)) {
      throw new ToolRefusal("no_key", "This takes several signatures: it is proposed by a server that holds a key.");
    }
    const transaction = await prepareFor(signer, (sign) =>
      client.proposals.create({ account, content, signer, offlineKeys: [{ address: signer, sign }] }, options),
    );
    return { data: { status: "to_be_signed", signer, transaction } };
  },
});

/** The transaction that would be signed, after it was checked. Nothing is signed. */
async function prepareFor(
  signer: string,
  propose: (sign: (transaction: string) => Promise<string>) => Promise<unknown>,
): Promise<string> {
  const signedElsewhere = new Error(`${signer} signs elsewhere`);
  let prepared: string | undefined;
  await propose((transaction) => {
    prepared = transaction;
    return Promise.reject(signedElsewhere);
  }).catch((error: unknown) => {
    if (error !== signedElsewhere) throw error;
  });
  if (prepared === undefined) throw new ToolRefusal("not_prepared", "The service prepared nothing to be signed.");
  return prepared;
}

function contentOf(content: Static<typeof Content>): ProposedContent {
  switch (content.type) {
    case "transfer": {
      const { amount, ...transfer } = content;
      return { ...transfer, uiAmount: amount };
    }
    case "transfers":
      return {
        type: "transfers",
        transfers: content.transfers.map(({ amount, ...transfer }) => ({ ...transfer, uiAmount: amount })),
      };
    case "spending_limit": {
      const { currency, amount, period, signers, payees, end } = content;
      const limit = { currency, uiAmount: amount, period, signers };
      return {
        type: "spending_limit",
        limit: {
          ...limit,
          ...(payees === undefined ? {} : { destinations: payees }),
          ...(end === undefined ? {} : { expiration: new Date(end) }),
        },
      };
    }
    case "settings":
      // The service judges them, and the library compares what it prepared with them.
      return { type: "settings", actions: content.actions as unknown as readonly ProposedAction[] };
    case "custom":
    case "batch":
      return content;
  }
}
