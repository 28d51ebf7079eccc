import { playRows } from "./play-rows.js";
import { rowsOfProposals } from "./rows-of-proposals.js";

playRows(rowsOfProposals);
