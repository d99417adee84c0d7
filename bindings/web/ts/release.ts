import type { VoicesBundle, VoicesFile } from "./voices-file.js";

/** The voices of this version; the build of the package writes them. */
export const VOICES: Readonly<Record<VoicesBundle, VoicesFile>> | undefined = undefined;
