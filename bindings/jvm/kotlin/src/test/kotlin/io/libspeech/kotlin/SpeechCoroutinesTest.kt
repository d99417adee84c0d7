package io.libspeech.kotlin

import io.libspeech.CancelledException
import io.libspeech.EmptyTextException
import io.libspeech.InternalException
import io.libspeech.InvalidRequestException
import io.libspeech.Lexicon
import io.libspeech.ModelException
import io.libspeech.SpeechChunk
import io.libspeech.SpeechEngine
import io.libspeech.SpeechOptions
import io.libspeech.Voice
import java.io.ByteArrayOutputStream
import java.io.File
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.security.MessageDigest
import kotlin.io.path.createTempDirectory
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

private const val TEXT = "First this, of 25 words. Then that! And it ends here."
private val LONG = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(13)

private fun builder(variable: String): SpeechEngine.Builder =
    SpeechEngine.builder().bundle(File(checkNotNull(System.getenv(variable)) { "$variable is not set" })).threads(1)

private fun fake(): SpeechEngine = builder("SPEECH_FAKE_MODEL").load()

/** An engine that fails to speak: the weights of its vocoder are NaN. */
private fun failing(folder: File): SpeechEngine {
    File(System.getenv("SPEECH_FAKE_MODEL")).copyRecursively(folder)
    val vocoder = folder.resolve("vocoder.safetensors")
    val weights = vocoder.readBytes()
    val before = sha256(weights)
    weights.fill(-1, 8 + ByteBuffer.wrap(weights).order(ByteOrder.LITTLE_ENDIAN).getLong().toInt())
    vocoder.writeBytes(weights)
    val manifest = folder.resolve("bundle.json")
    val json = manifest.readText().replace(before, sha256(weights))
    val seal = json.substringAfter("\"manifest_sha256\":\"").take(before.length)
    manifest.writeText(json.replace(seal, sha256(json.replace(seal, "0".repeat(seal.length)).toByteArray())))
    return SpeechEngine.builder().bundle(folder).threads(1).load()
}

private fun sha256(bytes: ByteArray): String =
    MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") { "%02x".format(it) }

private suspend fun joined(chunks: Flow<SpeechChunk>): ByteArray {
    val bytes = ByteArrayOutputStream()
    chunks.collect { chunk -> bytes.write(chunk.toByteArray()) }
    return bytes.toByteArray()
}

@Timeout(120)
class SpeechCoroutinesTest {
    @Test
    fun `the same speech in every way`(): Unit = runBlocking {
        builder("SPEECH_FAKE_MODEL").loadSuspending().use { engine ->
            val expected = engine.synthesize(TEXT).toByteArray()
            assertArrayEquals(expected, engine.synthesizeSuspending(TEXT).toByteArray())
            assertArrayEquals(expected, joined(engine.streamAsFlow(TEXT)))
            assertArrayEquals(expected, joined(engine.streamLongAsFlow(TEXT)))
            assertArrayEquals(expected, joined(engine.stream(TEXT).asFlow()))
            assertArrayEquals(expected, joined(engine.speakLive(flowOf(TEXT.take(9), TEXT.drop(9)))))
            val options = SpeechOptions.builder().lexicon(Lexicon.parse("Initially\tFirst")).build()
            assertArrayEquals(expected, joined(engine.streamAsFlow(TEXT.replace("First", "Initially"), options)))
        }
    }

    @Test
    fun `a flow is spoken anew for each collector`(): Unit = runBlocking {
        fake().use { engine ->
            val chunks = engine.streamAsFlow(TEXT, SpeechOptions.builder().voice(Voice.LEO).build())
            assertEquals(3, chunks.toList().size)
            assertEquals(1, chunks.take(1).toList().size)
            assertEquals(3, chunks.toList().size)
        }
    }

    @Test
    fun `many coroutines on one thread`(): Unit = runBlocking {
        fake().use { engine ->
            val expected = engine.synthesize(TEXT).toByteArray()
            val spoken = List(40) { async { engine.synthesizeSuspending(TEXT).toByteArray() } }
            spoken.awaitAll().forEach { assertArrayEquals(expected, it) }
        }
    }

    @Test
    fun `a flow that never ends is collected as it is spoken`(): Unit = runBlocking {
        fake().use { engine ->
            var taken = 0
            val pieces = flow {
                while (true) {
                    taken += 1
                    emit("Hello there. ".repeat(100))
                }
            }
            var ahead = 0
            val chunks = engine.speakLive(pieces).onEach { if (ahead == 0) delay(300).also { ahead = taken } }
            chunks.take(200).collect {}
            assertTrue(ahead in 11..19)
            assertTrue(taken in ahead + 1..39)
        }
    }

    @Test
    fun `refusals are thrown`(): Unit = runBlocking {
        val engine = fake()
        assertThrows<EmptyTextException> { runBlocking { engine.synthesizeSuspending(" ") } }
        assertThrows<EmptyTextException> { runBlocking { engine.streamAsFlow(" ").toList() } }
        engine.close()
        assertThrows<InvalidRequestException> { runBlocking { engine.synthesizeSuspending("a") } }
        assertThrows<InvalidRequestException> { runBlocking { engine.streamAsFlow("a").toList() } }
        assertThrows<ModelException> {
            runBlocking { SpeechEngine.builder().bundle(File("/nowhere")).loadSuspending() }
        }
        Unit
    }

    @Test
    fun `cancelling a coroutine stops the computation`(): Unit = runBlocking(Dispatchers.Default) {
        val engine = builder("SPEECH_REFERENCE_BUNDLE").load()
        val other = builder("SPEECH_REFERENCE_BUNDLE").load()
        val calls: List<suspend () -> Unit> =
            listOf(
                { engine.synthesizeSuspending(LONG) },
                { engine.streamAsFlow(LONG).collect {} },
                { engine.streamLongAsFlow(LONG).collect {} },
                { engine.speakLive(flow { while (true) { emit(LONG); delay(1) } }).collect {} },
                // Its pieces are pushed while the stream is closed.
                { engine.speakLive(flow { while (true) emit("a ") }).collect {} },
            )
        for (call in calls) {
            val jobs = List(20) { launch { call() } }
            delay(100)
            jobs.forEach { it.cancelAndJoin() }
            assertTrue(jobs.all { it.isCancelled })
            // Sentences are computed in the order of their requests: without the cancellation,
            // twenty come before this one.
            val reference = async { other.synthesizeSuspending(LONG.take(LONG.length / 2)) }
            engine.synthesizeSuspending("Now.")
            assertTrue(reference.isActive)
            reference.cancelAndJoin()
        }
        engine.close()
        other.close()
    }

    @Test
    fun `closing a stream is heard by who waits for it`(): Unit = runBlocking {
        builder("SPEECH_REFERENCE_BUNDLE").load().use { engine ->
            val stream = engine.stream(LONG)
            val waiting = async(Dispatchers.Default) { runCatching { stream.asFlow().toList() } }
            delay(100)
            stream.close()
            assertTrue(waiting.await().exceptionOrNull() is CancelledException)
            assertThrows<CancelledException> { runBlocking { stream.nextOrNull() } }
        }
    }

    @Test
    fun `the error of the speech is thrown and not that more text is refused`(): Unit = runBlocking {
        val folder = createTempDirectory().toFile()
        failing(folder).use { engine ->
            val pieces = flow {
                emit("A sentence.\n\n")
                while (true) emit("a ")
            }
            repeat(20) {
                assertThrows<InternalException> {
                    runBlocking(Dispatchers.Default) { engine.speakLive(pieces).collect {} }
                }
            }
        }
        folder.deleteRecursively()
    }

    @Test
    fun `what the source of a live text throws is thrown to the collector`(): Unit = runBlocking {
        fake().use { engine ->
            val failure = IllegalStateException("of the source")
            val pieces = flow {
                emit("A sentence. ")
                delay(20)
                throw failure
            }
            val thrown = runCatching { engine.speakLive(pieces).toList() }.exceptionOrNull()
            assertSame(failure.javaClass, thrown?.javaClass)
            assertEquals(failure.message, thrown?.message)
        }
    }

    @Test
    fun `the source of a live text ends with its collector`(): Unit = runBlocking {
        fake().use { engine ->
            var ended: Throwable? = null
            val pieces = flow {
                try {
                    while (true) {
                        emit("A sentence. ")
                        delay(5)
                    }
                } catch (error: CancellationException) {
                    ended = error
                    throw error
                }
            }
            withContext(Dispatchers.Default) {
                assertEquals(2, engine.speakLive(pieces).take(2).toList().size)
            }
            assertTrue(ended is CancellationException)
        }
    }
}
