package io.neardup.tools.local;

import io.neardup.record.Story;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The last state of each story that a run has added a copy to, and whether it has all of them. */
final class LocalStories {
    private static final int LARGEST_MAX = 3;

    /** By place, in the order in which they began. */
    private final Map<String, byte[]> last = new LinkedHashMap<>();

    /** Copies by place, as the last revision has them, and with all that have come out. */
    private final Map<String, Long> copies = new HashMap<>();

    private final Map<String, Long> expected = new HashMap<>();
    private final Set<String> incomplete = new HashSet<>();

    /** A revision that an earlier start has left. */
    void takeEarlier(byte[] json) throws IOException {
        Story story = Story.decode(json);
        copies.put(story.story(), story.copies());
        expected.put(story.story(), story.copies());
    }

    /** A duplicate of the story has come out. */
    void expect(String place) {
        expected.merge(place, 1L, Long::sum);
        compare(place);
    }

    /** A revision has come out. */
    void take(byte[] json) throws IOException {
        Story story = Story.decode(json);
        last.put(story.story(), json);
        copies.put(story.story(), story.copies());
        compare(story.story());
    }

    private void compare(String place) {
        if (copies.getOrDefault(place, 0L) < expected.getOrDefault(place, 0L)) {
            incomplete.add(place);
        } else {
            incomplete.remove(place);
        }
    }

    boolean isComplete() {
        return incomplete.isEmpty();
    }

    Collection<byte[]> last() {
        return last.values();
    }

    /** The largest first. */
    List<Story> largest() throws IOException {
        List<Story> largest = new ArrayList<>();
        for (byte[] json : last.values()) {
            largest.add(Story.decode(json));
            largest.sort(Story.LARGEST_FIRST);
            largest.subList(Math.min(LARGEST_MAX, largest.size()), largest.size())
                    .clear();
        }
        return largest;
    }
}
