package io.neardup.tools.local;

import io.neardup.record.Story;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last state of each story that a run has added a copy to, and whether it has all of them. */
final class LocalStories {
    private static final int LARGEST_MAX = 3;

    /** By place, in the order in which they began. */
    private final Map<String, byte[]> last = new LinkedHashMap<>();

    /** How many copies of earlier starts those had that came before. */
    private final Map<String, Long> before = new HashMap<>();

    private final Map<String, Long> copies = new HashMap<>();
    private final Map<String, Long> expected = new HashMap<>();
    /** How many of them lack copies that have come out. */
    private int incomplete;

    /** A revision that an earlier start has left. */
    void takeEarlier(byte[] json) throws IOException {
        Story story = Story.decode(json);
        before.put(story.story(), story.copies());
    }

    /** A duplicate of the story has come out. */
    void expect(String place) {
        incomplete -= isIncomplete(place) ? 1 : 0;
        expected.merge(place, 1L, Long::sum);
        incomplete += isIncomplete(place) ? 1 : 0;
    }

    /** A revision has come out. */
    void take(byte[] json) throws IOException {
        Story story = Story.decode(json);
        String place = story.story();
        incomplete -= isIncomplete(place) ? 1 : 0;
        last.put(place, json);
        copies.put(place, story.copies());
        incomplete += isIncomplete(place) ? 1 : 0;
    }

    private boolean isIncomplete(String place) {
        long known = before.getOrDefault(place, 0L);
        return copies.getOrDefault(place, known) < known + expected.getOrDefault(place, 0L);
    }

    boolean isComplete() {
        return incomplete == 0;
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
