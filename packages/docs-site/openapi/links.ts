/** A call that follows from an answer: which operation, and what of the answer goes where in it. */
interface Link {
  readonly operation: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
  readonly description: string;
}

const ofPath = { address: "$request.path.address" };
const ofAnswer = { address: "$response.body#/data/address" };

const submitOne: Link = {
  operation: "submitTransactions",
  parameters: ofPath,
  body: { transaction: "$response.body#/data/transaction" },
  description: "Sign `kms_payloads`, and submit the transaction with the signatures.",
};
const submitBare: Link = { ...submitOne, body: { transaction: "$response.body#/transaction" } };
const submitSeveral: Link = {
  ...submitOne,
  body: { transactions: "$response.body#/data/transactions" },
  description: "Sign every list of `kms_payloads`, and submit the transactions with the signatures.",
};
const readAccount: Link = { operation: "getAccount", parameters: ofAnswer, description: "Read the account." };
const readBalances: Link = { operation: "getBalances", parameters: ofAnswer, description: "What the account holds." };
const prepare: Link = { operation: "preparePayment", parameters: ofAnswer, description: "Pay from the account." };
const fund: Link = {
  operation: "sandboxAirdrop",
  body: { address: "$response.body#/data/address" },
  description: "In the sandbox: give the account money.",
};

/** The ways that operations lead to, by operation: a story from the creation of an account to its payments. */
export const operationLinks: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  createAccount: {
    verify: {
      operation: "verifyAccount",
      body: { email: "$request.body#/email" },
      description: "The `email` form: verify the code that was sent, which creates the account.",
    },
    readAccount,
  },
  createCustomAccount: { readAccount, fund },
  verifyAccount: { readAccount, fund, readBalances, prepare },
  startAuthentication: {
    verify: {
      operation: "verifyAuthentication",
      body: { email: "$response.body#/email" },
      description: "Verify the code that was sent, which opens a session.",
    },
  },
  initAuthentication: {
    verify: {
      operation: "verifyAuthentication",
      body: { email: "$response.body#/email" },
      description: "Verify the code that was sent, which opens a session.",
    },
  },
  verifyAuthentication: { readAccount, readBalances, prepare },
  preparePayment: {
    submit: submitOne,
    read: {
      operation: "getPaymentIntent",
      parameters: { ...ofPath, id: "$response.body#/data/id" },
      description: "Where the payment stands.",
    },
  },
  prepareTransaction: { submit: submitOne },
  updateAccount: { submit: submitOne },
  protectAccount: {
    submit: { ...submitOne, body: { transaction: "$response.body#/data/change/transaction" } },
  },
  createSpendingLimit: {
    submit: submitBare,
    read: {
      operation: "getSpendingLimit",
      parameters: { ...ofPath, spending_limit_address: "$response.body#/spending_limit_address" },
      description: "The limit, once it is there.",
    },
  },
  updateSpendingLimit: { submit: submitBare },
  deleteSpendingLimit: { submit: submitBare },
  prepareLimitPayment: { submit: submitBare },
  createStandingOrder: {
    submit: submitOne,
    read: {
      operation: "getStandingOrder",
      parameters: { ...ofPath, id: "$response.body#/data/id" },
      description: "The order.",
    },
  },
  createProposal: {
    submit: submitSeveral,
    vote: {
      operation: "voteOnProposal",
      parameters: { ...ofPath, proposal_address: "$response.body#/data/proposalAddress" },
      description: "Vote on it, once it has been submitted.",
    },
  },
  voteOnProposal: { submit: submitOne },
  executeProposal: { submit: submitSeveral },
  voteAndExecuteProposal: { submit: submitSeveral },
  startKyc: {
    read: {
      operation: "getKyc",
      parameters: { ...ofPath, kyc_id: "$response.body#/data/id" },
      description: "Where the verification stands.",
    },
  },
  createWebhookEndpoint: {
    test: {
      operation: "testWebhookEndpoint",
      parameters: { endpoint_id: "$response.body#/data/id" },
      description: "Send it an event.",
    },
  },
};

/** The links of an operation, as far as the document has their ends; undefined for none. */
export function linksOf(operation: string, known: ReadonlySet<string>): Record<string, object> | undefined {
  const own = Object.entries(operationLinks[operation] ?? {}).filter(([, link]) => known.has(link.operation));
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map(([name, { operation: operationId, parameters, body, description }]) => [
      name,
      {
        operationId,
        ...(parameters ? { parameters } : {}),
        ...(body ? { requestBody: bodyOf(body) } : {}),
        description,
      },
    ]),
  );
}

/** As one text with expressions in it: what is no text is refused by a generator in wide use. */
function bodyOf(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, from]) => [name, `{${from}}`])));
}
