import type { Audio, Chunk, Samples, Word } from "./audio.js";
import { SpeechError } from "./errors.js";
import type { SampleRate } from "./request.js";
import { SAMPLE_RATE } from "./wav.js";
import type { Report, ToProcessor } from "./worklet.js";

/** How to make a player. */
export interface PlayerOptions {
  /** Called when a word is heard, with where its text is. */
  onWord?: ((word: Word) => void) | undefined;
  /** Samples a second of what it plays. By default 22,050. */
  sampleRate?: SampleRate | undefined;
}

/** What is played, until it was heard. */
interface Playing {
  /** Words that are to be heard. */
  words: Word[];
  done: Promise<void>;
  resolve(): void;
}

/**
 * Plays speech from its first chunk on, and tells what is heard.
 *
 * Browsers let a page sound only after the user has done something in it: make it, or call {@link Player.resume}, when a button is
 * pressed.
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
  /** The number of what was played last: what the processor told of others comes too late. */
  #number = 0;
  #played = 0;
  /**
   * Whether `AudioContext.outputLatency` may be read: Firefox asks PulseAudio for it under a lock that the thread of the audio may be
   * waiting for while PulseAudio waits for that thread, and then the tab hangs for good (seen in Firefox 153).
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

  /** Makes a player, with a context of its own at the rate of the speech. */
  static async create(options: PlayerOptions = {}): Promise<Player> {
    if (!isSecureContext) {
      throw new SpeechError("invalid_request", "a page that came without HTTPS has no audio worklet, which the player needs");
    }
    const context = new AudioContext({ sampleRate: options.sampleRate ?? SAMPLE_RATE, latencyHint: "interactive" });
    try {
      // Vite would make a `data:` address of it, which a content security policy forbids.
      await context.audioWorklet.addModule(new URL("./worklet.js?no-inline", import.meta.url));
    } catch (cause) {
      await context.close();
      throw new SpeechError("internal", "the audio worklet could not be loaded", { cause });
    }
    const node = new AudioWorkletNode(context, "libspeech", { numberOfInputs: 0, outputChannelCount: [1] });
    return new Player(context, node, options.onWord ?? (() => undefined));
  }

  /** The node that sounds, for effects and analysers. */
  get node(): AudioNode {
    return this.#node;
  }

  /** How many seconds of what is played were heard: what is on its way to the loudspeaker is not among them. */
  get heard(): number {
    return Math.max(0, this.#played / this.#context.sampleRate - this.#latency);
  }

  /** How many seconds a sample is on its way to the loudspeaker. */
  get #latency(): number {
    return (this.#tellsLatency && this.#context.outputLatency) || this.#context.baseLatency || 0;
  }

  /**
   * Plays a speech or a stream, in the place of what plays. Resolved when it was heard, or something else plays.
   *
   * @throws what the stream throws, and `invalid_request` for speech of another sample rate.
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
    // What is stopped meanwhile is not waited for.
    return Promise.race([this.#feed(playing, Symbol.asyncIterator in speech ? speech : once(speech)), done]);
  }

  async #feed(playing: Playing, parts: AsyncIterable<Samples>): Promise<void> {
    await this.resume();
    for await (const samples of parts) {
      if (this.#playing !== playing) return;
      const { sampleRate } = this.#context;
      if (samples.sampleRate !== sampleRate) {
        // Not `stop()`, which would resolve what is to be rejected.
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

  /** Stops at once; `heard` tells how far it came until something else is played. */
  stop(): void {
    const playing = this.#playing;
    this.#playing = undefined;
    this.#send({ stop: true });
    playing?.resolve();
  }

  /** Pauses what plays. */
  async pause(): Promise<void> {
    await this.#context.suspend();
  }

  /** Goes on. */
  async resume(): Promise<void> {
    await this.#context.resume();
  }

  /** Frees what it holds of the browser. */
  async close(): Promise<void> {
    this.stop();
    await this.#context.close();
  }

  #take({ played, isEnd }: Report): void {
    this.#played = played;
    const playing = this.#playing;
    if (playing === undefined) return;
    this.#tell(playing);
    // The last of it is still on its way to the loudspeaker.
    if (isEnd) setTimeout(() => this.#end(playing), this.#latency * 1000);
  }

  /** Tells the words that have begun to be heard. */
  #tell(playing: Playing, heard = this.heard): void {
    while (playing.words.length > 0 && playing.words[0]!.start <= heard) {
      const word = playing.words.shift()!;
      // What it throws is reported as an error of the page, and does not keep the rest from being told.
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
