import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { type RecordingNeeds, recordRequests } from "./record-requests.js";
import { RequestRecord, toWireRequest } from "./request-record.js";
import { listRequests } from "./request-store.js";

/** Gap 218. */
export const getRequest = endpoint(
  {
    operation: "getRequest",
    summary: "Get a request by its id",
    description:
      "The latest one of the tenant with this id, whichever process answered it; one with a publishable key only where there is no other. One that another process answered is there within a " +
      "second or two.",
    tag: "Requests",
    method: "GET",
    path: "/api/service/v1/requests/{request_id}",
    scope: "audit:read",
    environment: "none",
    params: Type.Object({ request_id: Type.String({ examples: ["5b0f2e0e-6f0e-4b9d-9a51-0a3f0c5d2a11"] }) }),
    response: { status: 200, envelope: true, schema: RequestRecord },
    errors: ["request_not_found"],
  },
  async (needs: RecordingNeeds, { params, caller }) => {
    await recordRequests(needs);
    const find = async (isByPage: boolean) =>
      (await listRequests(needs.db, caller, { requestId: params.request_id, isByPage }, { limit: 1 }))[0];
    // A reader of a page's key may send any id with it.
    const row = (await find(false)) ?? (await find(true));
    if (row === undefined) throw new TrellisError("request_not_found");
    return { data: toWireRequest(row) };
  },
);
