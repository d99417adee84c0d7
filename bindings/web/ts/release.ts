import type { VoicesFile } from "./voices-file.js";

/** The voices of this version; the build of the package writes it. */
export const VOICES: VoicesFile | undefined = undefined;
