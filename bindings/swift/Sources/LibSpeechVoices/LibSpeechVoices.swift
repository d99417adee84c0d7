import Foundation

/// The voices of libspeech, as a resource of this package.
public enum LibSpeechVoices {
    /// The path of the voice bundle's folder, for `speech_engine_options_set_bundle_path`.
    public static var path: String {
        let resources = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        return resources.appendingPathComponent("voices", isDirectory: true).path
    }
}
