// The example of Speaker.m in Swift. Experimental: never compiled with a Swift compiler.

import AVFoundation
import LibSpeech
import UIKit

/// An error of the library, with its message.
struct SpeechFailure: LocalizedError {
    let status: SpeechStatus
    let errorDescription: String?

    /// Converts an error of the library, and frees it.
    init(_ error: OpaquePointer?) {
        status = speech_error_status(error)
        errorDescription = String(cString: speech_error_message(error))
        speech_error_free(error)
    }
}

/// Calls a function of the library with its error output, and throws the error. The end of a stream
/// is not an error.
@discardableResult
func check(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> SpeechStatus) throws -> SpeechStatus {
    var error: OpaquePointer?
    let status = call(&error)
    if status != .ok && status != .end { throw SpeechFailure(error) }
    return status
}

/// Speaks texts through the loudspeaker, one at a time.
final class Speaker {
    private let engine: OpaquePointer
    private let output = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let format: AVAudioFormat
    private let queue = DispatchQueue(label: "speaker")
    private let lock = NSLock()
    /// Cancels the current text.
    private var token: OpaquePointer?
    private var memoryWarnings: NSObjectProtocol?

    /// Loads the voices from a folder. It takes about a second, so do not call it on the main
    /// thread.
    init(voices path: String) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(SPEECH_SAMPLE_RATE), channels: 1) else {
            throw CocoaError(.featureUnsupported)
        }
        self.format = format
        let options = speech_engine_options_new()
        defer { speech_engine_options_free(options) }
        try check { speech_engine_options_set_bundle_path(options, path, $0) }
        var loaded: OpaquePointer?
        try check { speech_engine_load(options, &loaded, $0) }
        guard let loaded else { throw CocoaError(.featureUnsupported) }
        engine = loaded
        try startOutput()
        // On a memory warning: frees up to 64 MB; the voices stay loaded.
        memoryWarnings = NotificationCenter.default.addObserver(
            forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil
        ) { _ in _ = speech_engine_trim(loaded, nil) }
    }

    deinit {
        if let memoryWarnings { NotificationCenter.default.removeObserver(memoryWarnings) }
        output.stop()
        speech_cancel_token_free(token)
        speech_engine_free(engine)
    }

    /// Connects a player to the loudspeaker. The system resamples from 22,050 Hz.
    private func startOutput() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback)
        try session.setActive(true)
        output.attach(player)
        output.connect(player, to: output.mainMixerNode, format: format)
        try output.start()
    }

    /// Speaks a text of any length after the current one.
    func speak(_ text: String, done: @escaping (Error?) -> Void) {
        queue.async {
            do {
                try self.play(text)
                done(nil)
            } catch {
                done(error)
            }
        }
    }

    /// Stops at once.
    func stop() {
        lock.lock()
        defer { lock.unlock() }
        if let token { _ = speech_cancel_token_cancel(token, nil) }
        player.stop()
    }

    /// Computes a text one sentence at a time, and schedules each sentence as soon as it is ready.
    private func play(_ text: String) throws {
        let token = begin()
        var request: OpaquePointer?
        var stream: OpaquePointer?
        defer {
            speech_stream_free(stream)
            speech_request_free(request)
        }
        try check { speech_request_new(text, text.utf8.count, &request, $0) }
        guard let request else { return }
        try check { speech_engine_stream_long(engine, request, token, &stream, $0) }
        guard let stream else { return }
        var chunk: OpaquePointer?
        while try check({ speech_stream_next(stream, &chunk, $0) }) != .end {
            guard let chunk else { return }
            defer { speech_audio_free(chunk) }
            schedule(chunk, token)
        }
    }

    /// A cancelled token stays cancelled, so each text gets a new one.
    private func begin() -> OpaquePointer {
        lock.lock()
        defer { lock.unlock() }
        speech_cancel_token_free(token)
        let fresh = speech_cancel_token_new()
        token = fresh
        player.play()
        return fresh
    }

    private func schedule(_ chunk: OpaquePointer, _ token: OpaquePointer) {
        var count = 0
        guard let samples = speech_audio_samples_f32(chunk, &count),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)),
            let channels = buffer.floatChannelData
        else { return }
        buffer.frameLength = AVAudioFrameCount(count)
        channels[0].update(from: samples, count: count)
        lock.lock()
        defer { lock.unlock() }
        if !speech_cancel_token_is_cancelled(token) { player.scheduleBuffer(buffer, completionHandler: nil) }
    }
}
