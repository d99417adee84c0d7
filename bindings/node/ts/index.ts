/**
 * Speech synthesis that runs inside the application: text in, natural speech out, on the CPU,
 * offline.
 */

export {
  Audio,
  Chunk,
  type Diagnostic,
  type Mark,
  type Phoneme,
  Samples,
  type Sentence,
  type Span,
  type Viseme,
  type VisemeName,
  type Word,
} from "./audio.js";
export type { Encoding } from "./encoding.js";
export { Engine, type EngineOptions } from "./engine.js";
export {
  type Advice,
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetail,
  type LibraryErrorCode,
  type ServiceErrorCode,
  SpeechError,
  type SpeechErrorOptions,
} from "./errors.js";
export { type ServiceRequest, parseRequest } from "./json.js";
export { Lexicon } from "./lexicon.js";
export { parseLexicon, parsePls } from "./lexicons.js";
export { LiveStream, type Pieces } from "./live.js";
export type { Language, LiveOptions, Quality, SampleRate, SpeechOptions, SpeechSettings, VoiceId } from "./request.js";
export { ChunkStream, Stream } from "./stream.js";
export { MAX_CHARACTERS, type Segment, Segmenter, splitText } from "./text.js";
export {
  type Availability,
  type Context,
  type Tier,
  type TierCatalogue,
  type TierEntry,
  type UseCase,
  charge,
  chargeSamples,
  rankTiers,
  resolveTier,
  tiers,
} from "./tiers.js";
export { type VoiceListing, voices } from "./voices.js";
export { SAMPLE_RATE } from "./wav.js";
