package io.neardup.streams.input;

import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Position;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How often each input topic was deleted and recreated in the life of the index. Records of another generation stand
 * at the same offsets, so a coordinator keeps its positions under a name of the generation's own.
 *
 * @param byTopic 0 where a topic is still the first, or is absent
 * @param removed topics that were inputs and are no more
 */
public record InputGenerations(Map<String, Integer> byTopic, Set<String> removed) {
    /** Topics that nobody has recreated, and none removed. */
    public static final InputGenerations FIRST = new InputGenerations(Map.of(), Set.of());

    /** No topic has it in its name. */
    private static final char MARK = '#';

    private static final Pattern MARK_OF_PLACE = Pattern.compile(MARK + "\\d+(?=-\\d+-\\d+$)");

    public InputGenerations {
        byTopic = Map.copyOf(byTopic);
        removed = Set.copyOf(removed);
    }

    boolean isFirst(String topic) {
        return byTopic.getOrDefault(topic, 0) == 0;
    }

    /** The inputs that were deleted and recreated. */
    public Stream<String> recreated() {
        return byTopic.keySet().stream().filter(topic -> !isFirst(topic) && !removed.contains(topic));
    }

    /** What the coordinator calls this generation of the topic. */
    public String nameOf(String topic) {
        return isFirst(topic) ? topic : topic + MARK + byTopic.get(topic);
    }

    /** The place of a record of this generation, by that name: no other record of the index has it, or had. */
    public String placeOf(InputRecord record) {
        return new Position(nameOf(record.topic()), record.partition(), record.offset()).toString();
    }

    /** Such a place by the name of the topic: records of other generations may have been there too. */
    public static String withoutGeneration(String place) {
        return MARK_OF_PLACE.matcher(place).replaceFirst("");
    }

    /** Whether nothing comes under a name any more: of an earlier generation, or of a topic that is no input now. */
    public boolean isPast(String name) {
        String topic = topicOf(name);
        return removed.contains(topic) || !name.equals(nameOf(topic));
    }

    public static String topicOf(String name) {
        int mark = name.indexOf(MARK);
        return mark < 0 ? name : name.substring(0, mark);
    }
}
