package io.libspeech;

import org.jspecify.annotations.Nullable;

/** Reads the answers of the native library: objects, or errors. */
final class Answer {
    private Answer() {}

    /** Returns the fields of an answer. Throws its error. */
    static Fields read(byte @Nullable [] answer) {
        if (answer == null) {
            throw new InternalException("the virtual machine has no memory for the result");
        }
        Fields fields = Fields.read(answer);
        if (fields.has("error")) {
            throw error(fields.object("error"));
        }
        return fields;
    }

    private static SpeechException error(Fields fields) {
        String detail = fields.optionalString("detail");
        SpeechException error = ErrorKind.of(fields.string("kind")).exception(message(fields.string("message"), detail));
        error.describe(
                fields.string("request_id"), detail, fields.optionalString("path"), fields.optionalString("advice"));
        String cause = fields.optionalString("cause");
        if (cause != null) {
            error.initCause(new Exception(cause));
        }
        return error;
    }

    /** The message to show: the core knows no build tools, so the package adds what to install. */
    private static String message(String message, @Nullable String detail) {
        if (!"bundle_not_found".equals(detail)) {
            return message;
        }
        if (NativeLibrary.isAndroid()) {
            return "no voice bundle: add the dependency io.libspeech:libspeech-sdk-voices-android and call"
                    + " io.libspeech.android.AndroidSpeech.load(context), or pass the file of a bundle";
        }
        return "no voice bundle: add the dependency io.libspeech:libspeech-sdk-voices, pass the directory of a"
                + " bundle, or set SPEECH_BUNDLE";
    }
}
