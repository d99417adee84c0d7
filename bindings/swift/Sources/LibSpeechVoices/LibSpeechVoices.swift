import Foundation

/// The voices of libspeech, as a resource of this package.
public enum LibSpeechVoices {
    /// The folder of the voice bundle, which `speech_engine_options_set_bundle_path` takes.
    public static var path: String {
        let resources = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        return resources.appendingPathComponent("voices", isDirectory: true).path
    }
}
