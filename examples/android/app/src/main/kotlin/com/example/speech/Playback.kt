package com.example.speech

import android.media.AudioAttributes
import android.media.AudioFormat
import android.media.AudioTrack
import io.libspeech.CancelledException
import io.libspeech.Speech
import io.libspeech.SpeechStream

/** Plays a stream while it is computed. [run] calls [start] on its own thread. */
class Playback(private val start: () -> SpeechStream) {
    private val lock = Any()

    /** Guarded by [lock], as are `stream` and `track`. */
    private var stopped = false
    private var stream: SpeechStream? = null
    private var track: AudioTrack? = null

    /**
     * Plays to the end; returns when everything was heard.
     *
     * @throws io.libspeech.SpeechException if the text is rejected, or cannot be spoken
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

    /** Stops the playback at once. Any thread may call it, at any time. */
    fun stop() {
        synchronized(lock) {
            stopped = true
            stream?.close()
            // Discards the buffered audio, and unblocks a waiting write.
            track?.pause()
            track?.flush()
        }
    }

    private fun isStopped() = synchronized(lock) { stopped }

    /**
     * Writes samples of two bytes; waits while the buffer is full. Returns the number of frames
     * written.
     */
    private fun write(output: AudioTrack, bytes: ByteArray): Int {
        var written = 0
        while (written < bytes.size && !isStopped()) {
            val taken = output.write(bytes, written, bytes.size - written)
            check(taken > 0 || isStopped()) { "the audio track does not play: $taken" }
            written += maxOf(taken, 0)
        }
        return written / 2
    }

    /** Waits until all written frames have been played. */
    private fun drain(output: AudioTrack, frames: Int) {
        // A track begins to play when its buffer is full, and a short text does not fill it.
        write(output, ByteArray(2 * output.bufferSizeInFrames))
        var head = -1
        // If the position does not advance, the loudspeaker is gone.
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
            // A quarter of a second, at two bytes per sample.
            .setBufferSizeInBytes(maxOf(least, Speech.SAMPLE_RATE / 4 * 2))
            .build()
    }

    private companion object {
        const val POLL = 200L
    }
}
