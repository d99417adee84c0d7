/**
 * Additions to {@link io.libspeech} for Android: {@link io.libspeech.android.AndroidSpeech} loads
 * an engine with the voices in the app, and frees its scratch memory when the system is short of
 * memory.
 */
@NullMarked
package io.libspeech.android;

import org.jspecify.annotations.NullMarked;
