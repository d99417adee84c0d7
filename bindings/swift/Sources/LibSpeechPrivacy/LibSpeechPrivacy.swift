/// Its resource is the privacy manifest of libspeech, which Xcode puts into the app's privacy report. There is nothing to call.
enum LibSpeechPrivacy {}
