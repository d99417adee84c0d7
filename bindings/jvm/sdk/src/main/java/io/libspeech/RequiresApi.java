package io.libspeech;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a member that needs a newer Android than the package's minimum, Android 6 (API 23). The
 * name is that of the AndroidX annotation.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface RequiresApi {
    /** The minimum API level. */
    int value();
}
