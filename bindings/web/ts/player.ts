import { type Audio, type Chunk, SAMPLE_RATE, type Samples, type Word } from "./audio.js";
import { SpeechError } from "./errors.js";
import type { ToProcessor } from "./worklet.js";

/** How to make a player. */
export interface PlayerOptions {
  /** Called when a word is heard, with where its text is. */
  onWord?: ((word: Word) => void) | undefined;
}

/** What waits for the end of what is played. */
interface Playing {
  /** Words that are to be heard. */
  words: Word[];
  /** Whether all of its samples were handed over. */
  isComplete: boolean;
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
 * await player.play(await engine.stream("First this. Then that."));
 * ```
 */
export class Player {
  readonly #context: AudioContext;
  readonly #node: AudioWorkletNode;
  readonly #onWord: (word: Word) => void;
  #playing: Playing | undefined;
  #played = 0;

  private constructor(context: AudioContext, node: AudioWorkletNode, onWord: (word: Word) => void) {
    this.#context = context;
    this.#node = node;
    this.#onWord = onWord;
    node.port.onmessage = ({ data }: MessageEvent<{ played: number; isEmpty: boolean }>) => {
      this.#played = data.played;
      this.#report(data.isEmpty);
    };
    node.connect(context.destination);
  }

  /** Makes a player, with a context of its own at the rate of the speech. */
  static async create(options: PlayerOptions = {}): Promise<Player> {
    const context = new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: "interactive" });
    try {
      await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
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
    const latency = this.#context.outputLatency || this.#context.baseLatency || 0;
    return Math.max(0, this.#played / SAMPLE_RATE - latency);
  }

  /**
   * Plays a speech or a stream, in the place of what plays. Resolved when it was heard, or something else plays.
   *
   * @throws what the stream throws.
   */
  async play(speech: Audio | AsyncIterable<Chunk>): Promise<void> {
    this.stop();
    await this.resume();
    const playing: Playing = { words: [], isComplete: false, resolve: () => undefined };
    const done = new Promise<void>((resolve) => {
      playing.resolve = resolve;
    });
    this.#playing = playing;
    const parts: AsyncIterable<Samples> = Symbol.asyncIterator in speech ? speech : once(speech);
    for await (const samples of parts) {
      if (this.#playing !== playing) return;
      playing.words.push(...samples.words);
      const float32 = samples.float32;
      this.#send({ samples: float32 }, [float32.buffer]);
    }
    playing.isComplete = true;
    this.#report(false);
    return done;
  }

  /** Stops at once; `heard` tells how far it came until something else is played. */
  stop(): void {
    const playing = this.#playing;
    this.#playing = undefined;
    this.#send({ clear: true });
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

  #report(isEmpty: boolean): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    while (playing.words.length > 0 && playing.words[0]!.start <= this.#played / SAMPLE_RATE) {
      this.#onWord(playing.words.shift()!);
    }
    if (playing.isComplete && isEmpty) {
      this.#playing = undefined;
      playing.resolve();
    }
  }

  #send(message: ToProcessor, transfer: Transferable[] = []): void {
    this.#node.port.postMessage(message, transfer);
  }
}

async function* once(samples: Samples): AsyncGenerator<Samples> {
  yield samples;
}
