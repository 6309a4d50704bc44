package io.neardup.streams.topology;

/**
 * That a coordinator has released all documents of a seed: a record of the settings topic, under a key of its own.
 *
 * @param topic the seed
 * @param endSequence the number of the seed's end at its coordinator, above those of all its documents
 */
public record SeedRead(String topic, int coordinator, long endSequence) {
    /** The keys of these, and of no other record of the topic, begin with it. */
    public static final String PREFIX = "seed-read/";

    private static final int VERSION = 1;
    private static final String SEPARATOR = "/";

    /** No other of the same coordinator and topic has it. */
    public String key() {
        return PREFIX + coordinator + SEPARATOR + endSequence + SEPARATOR + topic;
    }

    public String value() {
        return String.valueOf(VERSION);
    }

    /**
     * What a key and its value say.
     *
     * @throws IllegalArgumentException if it is none, or of another version
     */
    public static SeedRead of(String key, String value) {
        String[] parts = key.split(SEPARATOR, 4);
        try {
            if (parts.length == 4 && Integer.parseInt(value) == VERSION) {
                return new SeedRead(parts[3], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("that a coordinator has read a seed: expected version " + VERSION
                + " under a key like " + PREFIX + "0/12/topic, found " + value + " under " + key);
    }
}
