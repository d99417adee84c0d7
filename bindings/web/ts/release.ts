import type { VoicesBundle, VoicesFile } from "./voices-file.js";

/** The voices of this version, filled in by the build of the package. */
export const VOICES: Readonly<Record<VoicesBundle, VoicesFile>> | undefined = undefined;
