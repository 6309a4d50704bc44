/** Signatures and sketches of documents, how similar they say that two are, and the families of both. */
@NullMarked
package io.neardup.engine.similarity;

import org.jspecify.annotations.NullMarked;
