/// This target contains libspeech's privacy manifest, which Xcode adds to the app's privacy report.
/// It has no API.
enum LibSpeechPrivacy {}
