/**
 * Speech synthesis that runs inside the page: text in, natural speech out, offline, in a worker.
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
export { Lexicon } from "./lexicon.js";
export { LiveStream, type Pieces } from "./live.js";
export { Player, type PlayerOptions } from "./player.js";
export type { LoadProgress, ModuleKind } from "./protocol.js";
export type { Language, LiveOptions, Quality, SampleRate, SpeechOptions, SpeechSettings, VoiceId } from "./request.js";
export { ChunkStream, Stream } from "./stream.js";
export type { VoicesBundle } from "./voices-file.js";
export { SAMPLE_RATE } from "./wav.js";
