/**
 * From a document to what the protocol knows of it, by the configured family: the band keys, and the evidence that
 * similarity is judged by.
 */
@NullMarked
package io.neardup.signing;

import org.jspecify.annotations.NullMarked;
