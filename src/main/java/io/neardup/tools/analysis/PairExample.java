package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Two documents and how similar they are by some shingle.
 *
 * @param first the one that comes first in the file
 * @param jaccard 0 to 1
 */
public record PairExample(
        ComparedText first,
        ComparedText second,
        @JsonProperty("similarity") double jaccard) {}
