/**
 * The protocol on Kafka Streams: {@link io.neardup.streams.DedupTopology} tells the flow; the processors only decode,
 * call the core, and forward.
 */
@NullMarked
package io.neardup.streams;

import org.jspecify.annotations.NullMarked;
