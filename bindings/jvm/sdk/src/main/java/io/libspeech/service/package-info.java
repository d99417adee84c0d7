/** Exceptions that the library never throws: they are for services that are built on it, so that all errors look alike. */
@NullMarked
package io.libspeech.service;

import org.jspecify.annotations.NullMarked;
