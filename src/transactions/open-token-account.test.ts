import { type Address, createNoopSigner } from "@solana/kit";
import {
  AuthorityType,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { assertOurs } from "@trellis/kernel/errors.js";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { decodeTokenAccount, TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { approve } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { sendAs } from "../../test/support/standing-orders.js";
import { errorOf, hashOf, publicKeyOf } from "../../test/support/test-network.js";
import { openMint } from "../../test/support/token-2022.js";
import { requestVirtualAccount } from "../rails/request-virtual-account.js";
import { openTokenAccount } from "./open-token-account.js";

const test = useTestNetwork();

describe("the token account behind bank details", () => {
  it("is opened where its address only holds lamports, which any sender can have put there", async () => {
    const { address } = (await test.openHolder("dust@example.org")).verified;
    await approve(test, address, "dust@example.org", ["base", "sepa"]);
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc");
    const [mint, program] = [usdc?.mint as Address, usdc?.tokenProgram as Address];
    const tokenAccount = deriveTokenAccount(address as Address, mint, program);
    await test.network.sandbox?.airdrop(tokenAccount, 890_880n);

    await test.call(requestVirtualAccount, { params: { address }, body: { currency: "usd" } });

    const there = await readAccount(test.network, tokenAccount);
    expect(there && decodeTokenAccount(there)).toMatchObject({ owner: address, mint });
  });

  it("is refused where its owner has handed it on: a payment into it would go to another owner", async () => {
    const { address } = (await test.openHolder("handed@example.org")).verified;
    const account = await test.needs.db
      .selectFrom("account")
      .selectAll()
      .where("address", "=", address)
      .executeTakeFirstOrThrow();
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc");
    assertOurs(usdc !== undefined, "the sandbox has play dollars");
    const [mint, tokenProgram] = [usdc.mint as Address, usdc.tokenProgram as Address];
    const owner = serviceKeyOf(hashOf("owner who hands it on"));
    await test.network.sandbox?.airdrop(owner.address, 1_000_000_000n);
    const ata = deriveTokenAccount(owner.address, mint, tokenProgram);
    const payer = createNoopSigner(owner.address);
    await sendAs(
      test.network,
      [
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: owner.address, mint, tokenProgram }),
        getSetAuthorityInstruction({
          owned: ata,
          owner: payer,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: publicKeyOf("somebody else"),
        }),
      ],
      [owner],
    );

    const opening = openTokenAccount(test.needs, test.network, { ...account, address: owner.address }, usdc);

    expect((await errorOf(opening)).code).toBe("destination_closed");
  });

  it.each([
    ["Token", TOKEN_PROGRAM_ADDRESS],
    ["Token-2022", TOKEN_2022_PROGRAM_ADDRESS],
  ] as const)(
    "is refused where the issuer has frozen it, and opened no second time: %s",
    async (name, tokenProgram) => {
      const { address } = (await test.openHolder(`frozen-${name}@example.org`)).verified;
      const account = await test.needs.db
        .selectFrom("account")
        .selectAll()
        .where("address", "=", address)
        .executeTakeFirstOrThrow();
      const [mintKey, issuer] = [serviceKeyOf(hashOf(`mint ${name}`)), serviceKeyOf(hashOf(`issuer ${name}`))];
      const mint = await openMint(test.network, mintKey, issuer, { freezable: true, tokenProgram });
      const currency = { symbol: "coin", name: "Coin", decimals: 6, mint: mint.address, tokenProgram };
      await mint.open(address as Address);
      await mint.freeze(address as Address);

      const opening = () => openTokenAccount(test.needs, test.network, account, currency);

      const refusal = await errorOf(opening());
      expect(refusal).toMatchObject({ code: "destination_frozen", details: [{ field: "address" }] });
      expect(refusal.message).toContain(mint.tokenOf(address as Address));
      await mint.thaw(address as Address);
      await expect(opening()).resolves.toBeUndefined();
      const opened = await test.needs.db
        .selectFrom("submission")
        .select("id")
        .where("account_address", "=", address)
        .where("purpose", "=", "token_account")
        .execute();
      expect(opened).toEqual([]);
    },
  );
});
