import type { Audio, Chunk, Samples, Word } from "./audio.js";
import { SpeechError } from "./errors.js";
import type { SampleRate } from "./request.js";
import { SAMPLE_RATE } from "./wav.js";
import type { Report, ToProcessor } from "./worklet.js";

/** The options of a player. */
export interface PlayerOptions {
  /** Called when a word is heard, with its span in the text. */
  onWord?: ((word: Word) => void) | undefined;
  /** The sample rate of the speech, in hertz. By default 22,050. */
  sampleRate?: SampleRate | undefined;
}

/** The current speech, until all of it was heard. */
interface Playing {
  /** The words not yet heard. */
  words: Word[];
  done: Promise<void>;
  resolve(): void;
}

/**
 * Plays speech from its first chunk on, and reports the words as they are heard.
 *
 * Browsers let a page play audio only after the user has interacted with it: create the player, or
 * call {@link Player.resume}, when a button is pressed.
 *
 * ```ts
 * const player = await Player.create({ onWord: (word) => light(word.span) });
 * await player.play(engine.stream("First this. Then that."));
 * ```
 */
export class Player {
  readonly #context: AudioContext;
  readonly #node: AudioWorkletNode;
  readonly #onWord: (word: Word) => void;
  #playing: Playing | undefined;
  /** The number of the current speech; reports of earlier ones are ignored. */
  #number = 0;
  #played = 0;
  /**
   * Whether `AudioContext.outputLatency` is safe to read. Firefox asks PulseAudio for it while
   * holding a lock that the audio thread may be waiting for, while PulseAudio waits for that
   * thread; then the tab hangs for good (seen in Firefox 153).
   */
  readonly #tellsLatency = !/\bX11\b.*\bFirefox\//.test(navigator.userAgent);

  private constructor(context: AudioContext, node: AudioWorkletNode, onWord: (word: Word) => void) {
    this.#context = context;
    this.#node = node;
    this.#onWord = onWord;
    node.port.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.number === this.#number) this.#take(data);
    };
    node.connect(context.destination);
  }

  /** Creates a player, with an audio context of its own at the sample rate of the speech. */
  static async create(options: PlayerOptions = {}): Promise<Player> {
    if (!isSecureContext) {
      throw new SpeechError("invalid_request", "a page that came without HTTPS has no audio worklet, which the player needs");
    }
    const context = new AudioContext({ sampleRate: options.sampleRate ?? SAMPLE_RATE, latencyHint: "interactive" });
    try {
      // Without `no-inline`, Vite makes a `data:` URL of it, which a content security policy
      // forbids.
      await context.audioWorklet.addModule(new URL("./worklet.js?no-inline", import.meta.url));
    } catch (cause) {
      await context.close();
      throw new SpeechError("internal", "the audio worklet could not be loaded", { cause });
    }
    const node = new AudioWorkletNode(context, "libspeech", { numberOfInputs: 0, outputChannelCount: [1] });
    return new Player(context, node, options.onWord ?? (() => undefined));
  }

  /** The output node, to connect effects and analyzers. */
  get node(): AudioNode {
    return this.#node;
  }

  /**
   * The seconds of the current speech that were heard, without the audio still on its way to the
   * loudspeaker.
   */
  get heard(): number {
    return Math.max(0, this.#played / this.#context.sampleRate - this.#latency);
  }

  /** The output latency: the seconds that a sample takes to reach the loudspeaker. */
  get #latency(): number {
    return (this.#tellsLatency && this.#context.outputLatency) || this.#context.baseLatency || 0;
  }

  /**
   * Plays speech or a stream, and stops the current one. Resolves when all of it was heard, or
   * other speech starts.
   *
   * @throws the errors of the stream, and `invalid_request` for speech of another sample rate.
   */
  async play(speech: Audio | AsyncIterable<Chunk>): Promise<void> {
    this.stop();
    this.#number += 1;
    this.#played = 0;
    this.#send({ begin: this.#number });
    let resolve!: () => void;
    const done = new Promise<void>((heard) => {
      resolve = heard;
    });
    const playing: Playing = { words: [], done, resolve };
    this.#playing = playing;
    // Resolves early if it is stopped.
    return Promise.race([this.#feed(playing, Symbol.asyncIterator in speech ? speech : once(speech)), done]);
  }

  async #feed(playing: Playing, parts: AsyncIterable<Samples>): Promise<void> {
    await this.resume();
    for await (const samples of parts) {
      if (this.#playing !== playing) return;
      const { sampleRate } = this.#context;
      if (samples.sampleRate !== sampleRate) {
        // Not `stop()`, which would resolve the promise to be rejected.
        this.#playing = undefined;
        this.#send({ stop: true });
        const message = `the player plays ${sampleRate} samples a second, and not ${samples.sampleRate}`;
        throw new SpeechError("invalid_request", message);
      }
      playing.words.push(...samples.words);
      const float32 = samples.float32;
      this.#send({ samples: float32 }, [float32.buffer]);
    }
    if (this.#playing === playing) this.#send({ end: true });
    await playing.done;
  }

  /** Stops at once. `heard` keeps the position until other speech starts. */
  stop(): void {
    const playing = this.#playing;
    this.#playing = undefined;
    this.#send({ stop: true });
    playing?.resolve();
  }

  /** Pauses playback. */
  async pause(): Promise<void> {
    await this.#context.suspend();
  }

  /** Resumes playback. */
  async resume(): Promise<void> {
    await this.#context.resume();
  }

  /** Frees the audio context. */
  async close(): Promise<void> {
    this.stop();
    await this.#context.close();
  }

  #take({ played, isEnd }: Report): void {
    this.#played = played;
    const playing = this.#playing;
    if (playing === undefined) return;
    this.#tell(playing);
    // Waits until the last samples have reached the loudspeaker.
    if (isEnd) setTimeout(() => this.#end(playing), this.#latency * 1000);
  }

  /** Reports the words that have begun to be heard. */
  #tell(playing: Playing, heard = this.heard): void {
    while (playing.words.length > 0 && playing.words[0]!.start <= heard) {
      const word = playing.words.shift()!;
      // An exception of the callback is reported as an error of the page, and does not prevent the
      // other calls.
      queueMicrotask(() => this.#onWord(word));
    }
  }

  #end(playing: Playing): void {
    if (this.#playing !== playing) return;
    this.#tell(playing, Infinity);
    this.#playing = undefined;
    playing.resolve();
  }

  #send(message: ToProcessor, transfer: Transferable[] = []): void {
    this.#node.port.postMessage(message, transfer);
  }
}

async function* once(samples: Samples): AsyncGenerator<Samples> {
  yield samples;
}
