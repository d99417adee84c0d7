/**
 * What {@link io.libspeech} has for Android besides: {@link io.libspeech.android.AndroidSpeech} loads an engine with the voices
 * that are in the app, and gives its memory back when the system is short of it.
 */
@NullMarked
package io.libspeech.android;

import org.jspecify.annotations.NullMarked;
