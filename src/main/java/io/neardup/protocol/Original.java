package io.neardup.protocol;

import io.neardup.sketch.Evidence;

/** What the index keeps of a unique document, for later documents to be judged against. */
public record Original(String id, Evidence evidence) {}
