package io.libspeech;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What needs a newer Android than the package, which needs Android 6 (API 23). It is the name that AndroidX has for it. */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface RequiresApi {
    /** The first API level that has what is used. */
    int value();
}
