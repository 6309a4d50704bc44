/** Figures of five published texts on near-duplicate documents, and what real news say of the same. */
@org.jspecify.annotations.NullMarked
package io.neardup.sources;
