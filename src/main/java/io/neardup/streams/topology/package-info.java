/**
 * The flow on Kafka Streams: {@link io.neardup.streams.topology.DedupTopology}, its processors, and what leaves.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.streams.topology;

import org.jspecify.annotations.NullMarked;
