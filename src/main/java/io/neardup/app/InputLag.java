package io.neardup.app;

/**
 * How far an input partition is behind.
 *
 * @param records behind what the group has committed
 */
public record InputLag(String topic, int partition, long records) {}
