import { randomUUID } from "node:crypto";
import { type PartnerRef, type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { openHolder } from "./payments.js";
import { type Stage, unexpectedAlarms } from "./stage.js";

const api = "/api/service/v1";
const dayMs = 86_400_000;

/** A payer pays an account from a bank, or does not, and its partner says anything of it. */
export async function playPayIns(stage: Stage): Promise<void> {
  const { world, draw, counts, wrong, note, rest, persist } = stage;
  const holder = await openHolder(world, draw, true);
  const before = await world.held(holder.address, "usdc");
  world.wild.setManner(stage.partners);
  if (stage.partners === "wild") counts.wild += 1;
  const key = randomUUID();
  const asked = await persist("the payment from a bank", 20, () =>
    world.request(
      "POST",
      `${api}/accounts/${holder.address}/payment-intent`,
      {
        amount: `${draw.between(5, 40)}.00`,
        source: { payment_rail: "wire", currency: "usd" },
        destination: { currency: "usdc" },
      },
      key,
    ),
  );
  const isAsked = asked.status < 300;
  // No payer uses details that were lost before they were reported.
  const known = isAsked
    ? await world.db
        .selectFrom("rail_transfer")
        .select("partner_ref")
        .where("id", "=", asked.data.id)
        .executeTakeFirst()
    : undefined;
  const ref = known?.partner_ref as PartnerRef | null | undefined;
  // A payer may do so late, or without having received the details.
  const pays = draw.oneOf(["at once", "days later", "too late", "never"]);
  const arrive = async () => {
    if (ref == null) return;
    note("the money arrives at the bank");
    await world.rails.simulator?.setTransfer(ref, "funds_received");
  };
  if (pays === "at once") await arrive();
  for (let round = 0; round < 6; round += 1) await rest(draw.between(5_000, 120_000), 15);
  if (pays === "days later") await arrive();
  for (let day = 0; day < 16; day += 1) await rest(dayMs, 5);
  if (pays === "too late") await arrive();
  for (let round = 0; round < 4; round += 1) await rest(draw.between(60_000, 3_600_000), 10);

  note("the faults end");
  const word: RailTransferState | "honest" =
    draw.percent(70) || stage.partners === "honest"
      ? "honest"
      : draw.oneOf([...railTransferStates] as [RailTransferState, ...RailTransferState[]]);
  world.wild.setManner(word);
  for (let day = 0; day < 45; day += 1) await rest(dayMs, 0);

  const received = (await world.held(holder.address, "usdc")) - before;
  if (received > 0n) counts.paid += 1;
  else counts.unpaid += 1;
  if (!isAsked) {
    note(`it was refused: ${asked.code}`);
    return;
  }
  const { status, data } = await world.request(
    "GET",
    `${api}/accounts/${holder.address}/payment-intent/${asked.data.id}`,
  );
  // Its row was lost with the answer that the client had heard.
  if (status === 404) return;
  const transfer = await world.db
    .selectFrom("rail_transfer")
    .selectAll()
    .where("id", "=", asked.data.id)
    .executeTakeFirstOrThrow();
  const view = `it is ${data.state} (${data.error?.message ?? "no error"}), its partner says ${word}`;
  const isKnown = world.alarms.slice(stage.alarmsFrom).some(({ fields }) => JSON.stringify(fields).includes(data.id));
  if (data.error?.message.includes("Nothing was paid") && received > 0n) wrong.add(`the money came, and ${view}`);
  if (data.state === "payment_processed" && received === 0n) wrong.add(`no money came, and ${view}`);
  const isOver = ["payment_processed", "canceled", "error", "refunded"].includes(data.state);
  if (!isOver && transfer.look_at === null && !isKnown) wrong.add(`nobody asks any more, and ${view}`);
  if (word === "honest" && received > 0n && data.state !== "payment_processed" && !isKnown)
    wrong.add(`the money came, nobody was alarmed, and ${view}`);
  if (word === "honest" && received === 0n && !isOver) wrong.add(`no money came, and ${view}`);
  for (const line of unexpectedAlarms(stage, ["partner", "bank"])) wrong.add(line);
}
