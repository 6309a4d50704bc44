/**
 * Signatures and sketches of documents, how similar they say that two are, and the families of both.
 *
 * <p>Internal, but for {@link Evidence}, {@link Family}, {@link SignedText}, {@link Similarity},
 * {@link SimilarityJudge}, {@link TextSigner}, {@link UnsignableException}.
 */
@NullMarked
package io.neardup.engine.similarity;

import org.jspecify.annotations.NullMarked;
