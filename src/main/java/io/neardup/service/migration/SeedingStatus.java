package io.neardup.service.migration;

/**
 * How far an index is with its seeds, or with what it is made from.
 *
 * @param topic that is being read; empty when all are
 * @param recordsRead of it, about: markers of transactions count too
 * @param records that it has, about
 * @param coordinatorsLeft coordinators that have not released all of it
 * @param predecessor the application.id of the index that it takes over from; empty for seeds
 * @param isFollowing whether that index keeps its input as yet, so that its records become more
 */
public record SeedingStatus(
        String topic, long recordsRead, long records, int coordinatorsLeft, String predecessor, boolean isFollowing) {
    public static final SeedingStatus DONE = new SeedingStatus("", 0, 0, 0, "", false);

    public boolean isDone() {
        return topic.isEmpty();
    }
}
