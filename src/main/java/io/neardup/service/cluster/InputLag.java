package io.neardup.service.cluster;

/**
 * How far an input partition is behind.
 *
 * @param records behind what the group has committed
 */
public record InputLag(String topic, int partition, long records) {}
