/**
 * Speech synthesis that runs inside the application: text in, natural speech out, on the CPU,
 * offline.
 *
 * <pre>{@code
 * try (SpeechEngine engine = SpeechEngine.load()) {
 *     engine.synthesize("Hello, world.").save(new File("hello.wav"));
 * }
 * }</pre>
 *
 * <p>{@link io.libspeech.SpeechEngine} loads the voices once and serves any number of threads.
 * {@code synthesize} returns the speech of a whole text, {@code stream} returns one sentence at a
 * time, and {@code live} speaks a text while it arrives. Every failure is a {@link
 * io.libspeech.SpeechException}, which is unchecked. A null argument is rejected with a {@link
 * NullPointerException} unless its type allows null.
 */
@NullMarked
package io.libspeech;

import org.jspecify.annotations.NullMarked;
