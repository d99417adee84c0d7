/**
 * Exceptions for services built on the library, so that all errors look alike. The library never
 * throws them.
 */
@NullMarked
package io.libspeech.service;

import org.jspecify.annotations.NullMarked;
