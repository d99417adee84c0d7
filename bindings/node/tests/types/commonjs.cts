/** `require` returns the same exports as `import`. */

import speech = require("libspeech-sdk");
import type {
  Advice,
  Availability,
  Context,
  Diagnostic,
  Encoding,
  EngineOptions,
  ErrorCode,
  ErrorDetail,
  Language,
  LibraryErrorCode,
  LiveOptions,
  Mark,
  Phoneme,
  Pieces,
  Quality,
  SampleRate,
  Segment,
  Sentence,
  ServiceErrorCode,
  ServiceRequest,
  Span,
  SpeechErrorOptions,
  SpeechOptions,
  SpeechSettings,
  Tier,
  TierCatalogue,
  TierEntry,
  UseCase,
  Viseme,
  VisemeName,
  VoiceId,
  VoiceListing,
  Word,
} from "libspeech-sdk";

type Imported = typeof import("libspeech-sdk", { with: { "resolution-mode": "import" } });
type Required = typeof speech;

/** Compiles if both have the same exports with the same types. */
const asImported = (required: Required): Imported => required;
const asRequired = (imported: Imported): Required => imported;

/** Every type. */
type Types = [
  Advice,
  Availability,
  Context,
  Diagnostic,
  Encoding,
  EngineOptions,
  ErrorCode,
  ErrorDetail,
  Language,
  LibraryErrorCode,
  LiveOptions,
  Mark,
  Phoneme,
  Pieces,
  Quality,
  SampleRate,
  Segment,
  Sentence,
  ServiceErrorCode,
  ServiceRequest,
  Span,
  SpeechErrorOptions,
  SpeechOptions,
  SpeechSettings,
  Tier,
  TierCatalogue,
  TierEntry,
  UseCase,
  Viseme,
  VisemeName,
  VoiceId,
  VoiceListing,
  Word,
];

async function main({ text, format, ...options }: ServiceRequest): Promise<Types["length"]> {
  const engine: speech.Engine = await speech.Engine.load({ threads: 1 });
  for await (const chunk of engine.stream(text, options)) void [format, chunk.samples.length];
  // @ts-expect-error: there is no such export.
  void speech.native;
  await (await import("libspeech-sdk")).Engine.load().then((other) => [engine, other].map((each) => each.close()));
  return 33;
}

export = { asImported, asRequired, main };
