/**
 * Who decides on a document: coordinators and index partitions as state machines, and what they say to each other.
 * Pure: no Kafka, clock or randomness of its own.
 *
 * <p>Internal, but for {@link Decision}, {@link Provenance}, {@link SignedDocument}.
 */
@NullMarked
package io.neardup.engine.protocol;

import org.jspecify.annotations.NullMarked;
