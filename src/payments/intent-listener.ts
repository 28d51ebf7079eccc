import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { type RawBuilder, sql } from "kysely";
import { showSecret } from "../events/sign-webhook.js";
import { checkUrl, makeNames, secretContext } from "../events/webhook-endpoint.js";

/** What a `webhook_url` asks of the world. */
export interface ListenerNeeds {
  readonly random: Random;
  readonly keyring: Keyring;
  readonly webhookSender: WebhookSender;
}

/** What follows from a `webhook_url`: nothing where there is none. */
export interface IntentListener {
  /** SQL of the endpoint for the events of one intent, for every row of `made` or of `remembered`: part of its statement. */
  readonly listener?: (intentId: string, now: number, made?: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** What those events are signed with. */
  readonly wire: { readonly webhook_secret?: string };
}

/** An endpoint for the events of one payment (gap 91). Throws `invalid_webhook_url`. */
export async function openListener(
  needs: ListenerNeeds,
  network: Pick<Network, "name">,
  tenantId: string,
  url: string | undefined,
): Promise<IntentListener> {
  if (url === undefined) return { wire: {} };
  const dialled = await checkUrl(needs.webhookSender, url, network.name, "webhook_url");
  const names = makeNames(needs, undefined);
  const listener = (intentId: string, now: number, made = sql`remembered`) => sql`
    insert into webhook_endpoint (id, tenant_id, environment, url, types, object_id, status, secret, created_at, updated_at)
    select ${names.id}::text, ${tenantId}::text, ${network.name}::text, ${dialled}::text,
      array['payment_intent']::text[], ${intentId}::text, 'enabled',
      ${needs.keyring.wrap(names.secret, secretContext(names.id))}::bytea, ${now}::int8, ${now}::int8
    from ${made}`;
  return { listener, wire: { webhook_secret: showSecret(names.secret) } };
}

/** The secret that was made with an intent: a repetition that finds one made another, which signs nothing. */
export async function storedSecret(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  tenantId: string,
  intentId: string,
  url: string | undefined,
): Promise<IntentListener["wire"]> {
  if (url === undefined) return {};
  const row = await db
    .selectFrom("webhook_endpoint")
    .select(["id", "secret"])
    .where("tenant_id", "=", tenantId)
    .where("object_id", "=", intentId)
    .executeTakeFirst();
  return row?.secret == null ? {} : { webhook_secret: showSecret(keyring.unwrap(row.secret, secretContext(row.id))) };
}
