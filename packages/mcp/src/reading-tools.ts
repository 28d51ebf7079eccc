import { addressOfKey } from "@trellis/sdk";
import Type from "typebox";
import { accountInput, accountOf, addressInput, pageInput, pageOf } from "./inputs.js";
import { type Tool, ToolRefusal, tool } from "./tool.js";

/** Characters of a page that are given at once. */
const pageTextMax = 20_000;

/** What an agent may read, of the documentation and of the service, as far as its API key opens it. */
export const readingTools: readonly Tool[] = [
  tool({
    name: "search_docs",
    title: "Search the documentation",
    description: "Finds sections of Trellis' documentation by words. Read a page with read_doc.",
    input: Type.Object({ words: Type.String({ minLength: 2, maxLength: 200 }) }),
    isRead: true,
    run: async ({ agent, input }) => ({ text: JSON.stringify({ found: agent.docs.search(input.words, 10) }) }),
  }),
  tool({
    name: "read_doc",
    title: "Read a page of the documentation",
    description: "Reads a page, by the name that search_docs gives, in parts of 20,000 characters.",
    input: Type.Object({
      page: Type.String({ minLength: 1, maxLength: 100 }),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    }),
    isRead: true,
    run: async ({ agent, input: { page: slug, offset = 0 } }) => {
      const page = agent.docs.read(slug);
      if (page === undefined) {
        const pages = agent.docs.pages.map(({ slug: other }) => other);
        throw new ToolRefusal("page_not_found", "There is no such page.", { pages });
      }
      const part = page.markdown.slice(offset, offset + pageTextMax);
      const next = offset + pageTextMax;
      return { text: next < page.markdown.length ? `${part}\n\n(The page goes on at offset ${next}.)` : part };
    },
  }),
  tool({
    name: "explain_error",
    title: "Explain an error code",
    description: "Says what an error code of Trellis means, what leads to it and what to do.",
    input: Type.Object({ code: Type.String({ pattern: "^[a-z0-9_]{2,80}$" }) }),
    isRead: true,
    run: async ({ agent, input: { code } }) => {
      const text = agent.docs.explain(code);
      if (text === undefined) throw new ToolRefusal("error_not_found", "There is no such error code.");
      return { text };
    },
  }),
  tool({
    name: "list_accounts",
    title: "List accounts",
    description: "Lists the accounts of the tenant.",
    input: Type.Object(pageInput),
    isRead: true,
    run: async ({ client, input }) => ({ data: await client.accounts.page(pageOf(input)) }),
  }),
  tool({
    name: "get_account",
    title: "Read an account",
    description: "Reads an account: who signs for it, by which threshold and time lock.",
    input: Type.Object({ account: accountInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({ data: await client.accounts.get(accountOf(agent, input)) }),
  }),
  tool({
    name: "get_balances",
    title: "Read balances",
    description: "Reads what an account holds.",
    input: Type.Object({ account: accountInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.accounts.balances(accountOf(agent, input), { limit: 50 }),
    }),
  }),
  tool({
    name: "list_transfers",
    title: "List transfers",
    description: "Lists what an account received and sent, newest first.",
    input: Type.Object({ account: accountInput, ...pageInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.history.transfersPage(accountOf(agent, input), pageOf(input)),
    }),
  }),
  tool({
    name: "list_transactions",
    title: "List transactions",
    description: "Lists the transactions of an account on chain, newest first, with what each did.",
    input: Type.Object({ account: accountInput, ...pageInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.history.transactionsPage(accountOf(agent, input), pageOf(input)),
    }),
  }),
  tool({
    name: "list_payment_intents",
    title: "List payment intents",
    description: "Lists what became of an account's payments.",
    input: Type.Object({ account: accountInput, ...pageInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.paymentIntents.page(accountOf(agent, input), pageOf(input)),
    }),
  }),
  tool({
    name: "list_proposals",
    title: "List proposals",
    description: "Lists an account's proposals, newest first.",
    input: Type.Object({ account: accountInput, ...pageInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.proposals.page(accountOf(agent, input), pageOf(input)),
    }),
  }),
  tool({
    name: "get_proposal",
    title: "Read a proposal",
    description: "Reads a proposal: what it would do, its warnings, and who has voted.",
    input: Type.Object({ account: accountInput, proposal: addressInput("The proposal.") }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.proposals.get(accountOf(agent, input), input.proposal),
    }),
  }),
  tool({
    name: "list_standing_orders",
    title: "List standing orders",
    description: "Lists the payments that an account has ordered to be repeated.",
    input: Type.Object({ account: accountInput, ...pageInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: await client.standingOrders.page(accountOf(agent, input), pageOf(input)),
    }),
  }),
  tool({
    name: "list_events",
    title: "List events",
    description: "Lists what happened to the tenant's accounts, oldest first, from a cursor on.",
    input: Type.Object({
      type: Type.Optional(Type.String({ pattern: "^[a-z_.]{2,60}$", description: "This type, or its beginning." })),
      ...pageInput,
    }),
    isRead: true,
    run: async ({ client, input }) => {
      const { type } = input;
      return { data: await client.events.page({ ...pageOf(input), ...(type === undefined ? {} : { type: [type] }) }) };
    },
  }),
  tool({
    name: "list_allowances",
    title: "List allowances",
    description:
      "Lists what keys may pay from an account without a vote, and what is left of it. Where the host holds a key, those of that key.",
    input: Type.Object({ account: accountInput }),
    isRead: true,
    run: async ({ agent, client, input }) => ({
      data: {
        allowances: await client.allowances.list(
          agent.key === undefined
            ? { account: accountOf(agent, input) }
            : {
                agent: addressOfKey(agent.key),
                ...(input.account === undefined ? {} : { account: input.account }),
              },
        ),
      },
    }),
  }),
];
