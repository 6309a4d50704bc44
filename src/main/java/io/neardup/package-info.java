/**
 * Near-duplicate removal for live Kafka streams; {@code io.neardup.streams.topology.DedupTopology} tells the whole
 * flow.
 */
@org.jspecify.annotations.NullMarked
package io.neardup;
