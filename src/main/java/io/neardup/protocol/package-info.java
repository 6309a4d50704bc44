/**
 * The protocol by which homes and band partitions agree on what is unique, as two pure state machines: {@link
 * io.neardup.protocol.DocumentHome} and {@link io.neardup.protocol.BandIndex}. It knows band keys and opaque evidence,
 * never text, and nothing of Kafka.
 */
@NullMarked
package io.neardup.protocol;

import org.jspecify.annotations.NullMarked;
