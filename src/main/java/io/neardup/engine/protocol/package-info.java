/**
 * The protocol that decides on documents: coordinators and index partitions as state machines, and their messages.
 * Pure: no Kafka, clock or randomness of its own.
 *
 * <p>Internal, but for {@link Decision}, {@link Provenance}, {@link SignedDocument}.
 */
@NullMarked
package io.neardup.engine.protocol;

import org.jspecify.annotations.NullMarked;
