package io.neardup.tools.local;

import io.neardup.engine.similarity.Similarity;
import java.util.Optional;

/**
 * A duplicate and the document it repeats.
 *
 * @param originalText the beginning of it
 * @param duplicateText the beginning of it, unless only a verdict came out
 */
public record DuplicateExample(
        String originalId,
        String originalText,
        String duplicateId,
        Optional<String> duplicateText,
        Similarity similarity) {}
