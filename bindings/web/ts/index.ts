/** Speech synthesis that runs inside the page: text in, natural speech out, offline, in a worker. */

export {
  Audio,
  Chunk,
  type Diagnostic,
  type Mark,
  type Phoneme,
  SAMPLE_RATE,
  Samples,
  type Sentence,
  type Span,
  type Viseme,
  type Word,
} from "./audio.js";
export { type CallOptions, Engine, type EngineOptions } from "./engine.js";
export { type Advice, type ErrorCode, type ErrorDetail, SpeechError, type SpeechErrorOptions } from "./errors.js";
export { LiveStream, type Pieces } from "./live.js";
export { Player, type PlayerOptions } from "./player.js";
export type { LoadProgress, ModuleKind } from "./protocol.js";
export type { Language, LongRequest, Quality, SpeechRequest, SpeechSettings, VoiceId } from "./request.js";
export { ChunkStream, Stream } from "./stream.js";
export type { VoicesBundle } from "./voices-file.js";
