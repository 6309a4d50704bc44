package io.neardup.app;

/**
 * How far an index is with its seeds.
 *
 * @param topic that is being read; empty when all are
 * @param recordsRead of it, about: markers of transactions count too
 * @param records that it has, about
 * @param homesLeft homes that have not released all of it
 */
public record SeedingStatus(String topic, long recordsRead, long records, int homesLeft) {
    static final SeedingStatus DONE = new SeedingStatus("", 0, 0, 0);

    public boolean isDone() {
        return topic.isEmpty();
    }
}
