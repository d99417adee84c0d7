package com.example.speech

import android.media.AudioAttributes
import android.media.AudioFormat
import android.media.AudioTrack
import io.libspeech.CancelledException
import io.libspeech.Speech
import io.libspeech.SpeechStream

/** Plays a stream while it is computed. [start] starts it, on the thread of [run]. */
class Playback(private val start: () -> SpeechStream) {
    private val lock = Any()

    /** Guarded by [lock], as what follows. */
    private var stopped = false
    private var stream: SpeechStream? = null
    private var track: AudioTrack? = null

    /**
     * Plays to the end, and waits for it.
     *
     * @throws io.libspeech.SpeechException if the text is refused, or cannot be spoken
     */
    fun run() {
        try {
            val chunks = start()
            synchronized(lock) { stream = chunks }
            val output = track()
            synchronized(lock) { track = output }
            if (!isStopped()) {
                output.play()
                val frames = chunks.fold(0) { written, chunk -> written + write(output, chunk.toByteArray()) }
                drain(output, frames)
            }
        } catch (cancelled: CancelledException) {
            if (!isStopped()) {
                throw cancelled
            }
        } finally {
            synchronized(lock) {
                stream?.close()
                track?.release()
                track = null
            }
        }
    }

    /** Stops it at once. Any thread may call it, at any time. */
    fun stop() {
        synchronized(lock) {
            stopped = true
            stream?.close()
            // What is buffered is not played, and a write that waits returns.
            track?.pause()
            track?.flush()
        }
    }

    private fun isStopped() = synchronized(lock) { stopped }

    /** Writes samples of two bytes, and waits while the buffer is full. Gives how many frames were taken. */
    private fun write(output: AudioTrack, bytes: ByteArray): Int {
        var written = 0
        while (written < bytes.size && !isStopped()) {
            val taken = output.write(bytes, written, bytes.size - written)
            check(taken > 0 || isStopped()) { "the audio track does not play: $taken" }
            written += maxOf(taken, 0)
        }
        return written / 2
    }

    /** Waits until what was written has been played. */
    private fun drain(output: AudioTrack, frames: Int) {
        // A track begins to play when its buffer is full, which a short text does not fill.
        write(output, ByteArray(2 * output.bufferSizeInFrames))
        var head = -1
        // One that does not go on has no loudspeaker any more.
        while (!isStopped() && head < frames && output.playbackHeadPosition > head) {
            head = output.playbackHeadPosition
            Thread.sleep(POLL)
        }
    }

    private fun track(): AudioTrack {
        val attributes =
            AudioAttributes.Builder()
                .setUsage(AudioAttributes.USAGE_MEDIA)
                .setContentType(AudioAttributes.CONTENT_TYPE_SPEECH)
                .build()
        val format =
            AudioFormat.Builder()
                .setSampleRate(Speech.SAMPLE_RATE)
                .setEncoding(AudioFormat.ENCODING_PCM_16BIT)
                .setChannelMask(AudioFormat.CHANNEL_OUT_MONO)
                .build()
        val least =
            AudioTrack.getMinBufferSize(
                Speech.SAMPLE_RATE,
                AudioFormat.CHANNEL_OUT_MONO,
                AudioFormat.ENCODING_PCM_16BIT,
            )
        return AudioTrack.Builder()
            .setAudioAttributes(attributes)
            .setAudioFormat(format)
            // A quarter of a second of samples of two bytes.
            .setBufferSizeInBytes(maxOf(least, Speech.SAMPLE_RATE / 4 * 2))
            .build()
    }

    private companion object {
        const val POLL = 200L
    }
}
