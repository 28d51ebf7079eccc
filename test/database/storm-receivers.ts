import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What a receiver does with a request while it is not honest: takes it; in three of ten refuses it, breaks it off, or takes it
 * and breaks off before the sender hears of it; never answers; or says, after the first few, that it has been removed.
 */
export type Manner = "takes" | "fails" | "hangs" | "leaves";

/** What one receiver has got under one id. */
export interface Got {
  readonly digest: string;
  times: number;
  isTaken: boolean;
  /** The same id arrived with another body. */
  isAltered: boolean;
}

/** So many it still takes before it leaves. */
const claimedBeforeLeaving = 5;

/** Receivers on one server, by the first part of the path. */
export async function openReceivers(manners: Readonly<Record<string, Manner>>, onRequest: () => void) {
  const got = new Map<string, Map<string, Got>>(Object.keys(manners).map((name) => [name, new Map()]));
  const hanging = new Set<ServerResponse>();
  const faults: string[] = [];
  let isHonest = false;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk) => chunks.push(chunk));
    // What a process that dies has not sent whole has not arrived.
    request.on("end", () => {
      onRequest();
      const name = (request.url ?? "").slice(1);
      const body = Buffer.concat(chunks);
      const id = String(request.headers["webhook-id"]);
      const mine = got.get(name);
      if (mine === undefined || (JSON.parse(body.toString("utf8")) as { id: string }).id !== id) {
        faults.push(`${name} got ${id}: ${body.toString("utf8")}`);
        return;
      }
      const digest = createHash("sha256").update(body).digest("base64");
      const one = mine.get(id) ?? { digest, times: 0, isTaken: false, isAltered: false };
      mine.set(id, one);
      one.times += 1;
      one.isAltered ||= one.digest !== digest;
      answer(isHonest ? "takes" : (manners[name] ?? "takes"), mine, one, response);
    });
  });
  function answer(manner: Manner, mine: ReadonlyMap<string, Got>, one: Got, response: ServerResponse): void {
    const chance = manner === "fails" ? Math.random() : 1;
    if (manner === "hangs") {
      hanging.add(response);
      response.on("close", () => hanging.delete(response));
    } else if (manner === "leaves" && mine.size > claimedBeforeLeaving) response.writeHead(410).end();
    else if (chance < 0.1) response.writeHead(503).end();
    else if (chance < 0.2) response.destroy();
    else {
      one.isTaken = true;
      if (chance < 0.3) response.destroy();
      else response.writeHead(204).end();
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: (name: string) => `http://localhost:${(server.address() as AddressInfo).port}/${name}`,
    got,
    /** What arrived that was no event of ours. */
    faults,
    /** From now on all of them take everything. */
    mend: () => {
      isHonest = true;
      for (const response of hanging) response.destroy();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
