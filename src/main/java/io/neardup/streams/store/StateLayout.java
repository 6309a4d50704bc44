package io.neardup.streams.store;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The layouts of a coordinator's state that this release reads and writes. An index keeps the one that it was made
 * with: so instances of the release before can run beside those of this one, and take over again.
 */
public enum StateLayout {
    /** Of release 0.1: that by which an original is found has records of its own in the changelog. */
    INDEX_LOGGED(6),
    /** What an original is found by follows from it. */
    INDEX_DERIVED(7);

    private final int version;

    StateLayout(int version) {
        this.version = version;
    }

    /** The one with which every value of an index begins; empty where this release does not know it. */
    public static Optional<StateLayout> of(int version) {
        return Arrays.stream(values())
                .filter(layout -> layout.version == version)
                .findFirst();
    }

    static List<Integer> versions() {
        return Arrays.stream(values()).map(layout -> layout.version).toList();
    }

    /** Whether that by which an original is found has records of its own. */
    public boolean logsIndex() {
        return this == INDEX_LOGGED;
    }

    /**
     * Lays out a value as of {@link StateCodec}, which is changed: only the version differs.
     *
     * @return the same array
     */
    public byte[] order(byte[] value) {
        value[0] = (byte) version;
        return value;
    }
}
