/**
 * Suspending functions and flows over [SpeechEngine]. Cancelling a coroutine cancels the
 * computation that it waits for.
 *
 * Each is named after its blocking counterpart, with the suffix `Suspending` or `AsFlow`.
 */

package io.libspeech.kotlin

import io.libspeech.CancelledException
import io.libspeech.LiveStream
import io.libspeech.SpeechAudio
import io.libspeech.SpeechCall
import io.libspeech.SpeechCallback
import io.libspeech.SpeechChunk
import io.libspeech.SpeechEngine
import io.libspeech.SpeechException
import io.libspeech.SpeechOptions
import io.libspeech.SpeechStream
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Loads the engine without blocking a thread.
 *
 * @throws SpeechException as [SpeechEngine.Builder.load]
 */
public suspend fun SpeechEngine.Builder.loadSuspending(): SpeechEngine =
    suspendCancellableCoroutine { continuation ->
        start(continuation, onLost = { engine -> engine.close() }) { callback -> load(callback) }
    }

/**
 * Speaks a whole text without blocking a thread.
 *
 * @throws SpeechException as [SpeechEngine.synthesize]
 */
public suspend fun SpeechEngine.synthesizeSuspending(
    text: String,
    options: SpeechOptions = SpeechOptions.defaults(),
): SpeechAudio =
    suspendCancellableCoroutine { continuation ->
        start(continuation) { callback -> synthesize(text, options, callback) }
    }

/**
 * The speech of a text, one sentence at a time. Each collector starts a new computation. One chunk
 * is computed ahead of the collector.
 *
 * @throws SpeechException when it is collected, as [SpeechEngine.stream]
 */
public fun SpeechEngine.streamAsFlow(
    text: String,
    options: SpeechOptions = SpeechOptions.defaults(),
): Flow<SpeechChunk> = flowOf { stream(text, options) }

/**
 * The speech of a text of any length, one sentence at a time.
 *
 * @throws SpeechException when it is collected, as [SpeechEngine.streamLong]
 */
public fun SpeechEngine.streamLongAsFlow(
    text: String,
    options: SpeechOptions = SpeechOptions.defaults(),
): Flow<SpeechChunk> = flowOf { streamLong(text, options) }

/**
 * Speaks the text of a flow, such as the tokens of a language model, while it arrives. The pieces
 * are collected only while the speech is collected. An exception of their flow is thrown to the
 * collector of the speech.
 *
 * @throws SpeechException when it is collected, as [SpeechEngine.live]
 */
public fun SpeechEngine.speakLive(
    pieces: Flow<String>,
    options: SpeechOptions = SpeechOptions.defaults(),
): Flow<SpeechChunk> = flow {
    live(options).use { stream ->
        coroutineScope {
            val source = launch(start = CoroutineStart.UNDISPATCHED) { push(pieces, stream) }
            generateChunks(stream) { chunk -> emit(chunk) }
            source.cancel()
        }
    }
}

/**
 * The next chunk of a stream, without blocking a thread; null after the last one. Cancelling the
 * coroutine closes the stream.
 *
 * @throws SpeechException as [SpeechStream.next]
 */
public suspend fun SpeechStream.nextOrNull(): SpeechChunk? =
    suspendCancellableCoroutine { continuation ->
        start<SpeechChunk?>(continuation) { callback ->
            next(callback)
            SpeechCall { close() }
        }
    }

/** The remaining chunks of a stream. The end of the collection closes the stream. */
public fun SpeechStream.asFlow(): Flow<SpeechChunk> = flowOf { this }

private fun flowOf(open: () -> SpeechStream): Flow<SpeechChunk> = flow {
    open().use { stream -> generateChunks(stream) { chunk -> emit(chunk) } }
}

private suspend fun generateChunks(stream: SpeechStream, emit: suspend (SpeechChunk) -> Unit) {
    while (true) {
        emit(stream.nextOrNull() ?: return)
    }
}

/** The time between two checks whether a live stream accepts more text. */
private val FULL = 20.milliseconds

private suspend fun push(pieces: Flow<String>, stream: LiveStream) {
    pieces.collect { piece ->
        try {
            stream.push(piece)
        } catch (ended: CancelledException) {
            // The collector of the speech receives the error and cancels this coroutine.
            awaitCancellation()
        }
        while (stream.isFull) delay(FULL)
    }
    stream.finish()
}

/**
 * Starts a call that resumes a coroutine when it ends. Cancelling the coroutine cancels the call.
 */
private fun <T> start(
    continuation: CancellableContinuation<T>,
    onLost: (T) -> Unit = {},
    call: (SpeechCallback<T>) -> SpeechCall,
) {
    val callback =
        object : SpeechCallback<T> {
            override fun onResult(result: T) {
                continuation.resume(result) { _, lost, _ -> onLost(lost) }
            }

            override fun onError(error: SpeechException) {
                // Has no effect if the coroutine was cancelled.
                continuation.resumeWithException(error)
            }
        }
    val started =
        try {
            call(callback)
        } catch (refused: SpeechException) {
            continuation.resumeWithException(refused)
            return
        }
    continuation.invokeOnCancellation { started.cancel() }
}
