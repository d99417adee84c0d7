package io.libspeech;

/** Checks arguments. */
final class Checks {
    private Checks() {}

    /** Returns a string if it is valid Unicode. */
    static String unicode(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!Character.isSurrogate(value.charAt(i))) {
                continue;
            }
            if (!Character.isHighSurrogate(value.charAt(i))
                    || i + 1 == value.length()
                    || !Character.isLowSurrogate(value.charAt(i + 1))) {
                throw new InvalidRequestException(name + " has half a surrogate pair at index " + i);
            }
            i++;
        }
        return value;
    }

    /** Returns a number if it is in a range. */
    static int inRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidRequestException(
                    name + " must be a whole number from " + min + " to " + max);
        }
        return value;
    }
}
