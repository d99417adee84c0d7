package io.libspeech;

import org.jspecify.annotations.Nullable;

/** Answers of the native library: values, or errors in their place. */
final class Answer {
    private static final int OK = 0;

    private Answer() {}

    /** The fields of an answer. Throws its error. */
    static WireReader read(byte @Nullable [] answer) {
        if (answer == null) {
            throw new InternalException("the virtual machine has no memory for the answer");
        }
        WireReader reader = new WireReader(answer);
        if (reader.byteValue() == OK) {
            return reader;
        }
        throw error(reader);
    }

    private static SpeechException error(WireReader reader) {
        ErrorKind kind = ErrorKind.of(reader.string());
        String message = reader.string();
        String requestId = reader.string();
        String detail = reader.optionalString();
        String path = reader.optionalString();
        String advice = reader.optionalString();
        String cause = reader.optionalString();
        SpeechException error = kind.exception(message(message, detail));
        error.describe(requestId, detail, path, advice);
        if (cause != null) {
            error.initCause(new Exception(cause));
        }
        return error;
    }

    /** The message in the words of this package where the core, which knows no build tools, cannot say what helps. */
    private static String message(String message, @Nullable String detail) {
        if (!"bundle_not_found".equals(detail)) {
            return message;
        }
        if (NativeLibrary.isAndroid()) {
            return "no voice bundle: io.libspeech.android.AndroidSpeech.load(context) takes that of the dependency"
                    + " io.libspeech:libspeech-sdk-voices-android; or give its file";
        }
        return "no voice bundle: the dependency io.libspeech:libspeech-sdk-voices brings one;"
                + " or give its directory, or set SPEECH_BUNDLE";
    }
}
