package io.neardup.streams.input;

import java.util.Map;
import java.util.stream.Stream;

/**
 * How often each input topic was deleted and made again in the life of the index. Records of another generation stand at
 * the same offsets, so a home keeps its positions under a name of the generation's own.
 *
 * @param byTopic 0 where a topic is still the first, or is left out
 */
public record InputGenerations(Map<String, Integer> byTopic) {
    /** Topics that nobody has made again. */
    public static final InputGenerations FIRST = new InputGenerations(Map.of());

    /** No topic has it in its name. */
    private static final char MARK = '#';

    public InputGenerations {
        byTopic = Map.copyOf(byTopic);
    }

    boolean isFirst(String topic) {
        return byTopic.getOrDefault(topic, 0) == 0;
    }

    /** The topics that are not the first of their names. */
    public Stream<String> madeAgain() {
        return byTopic.keySet().stream().filter(topic -> !isFirst(topic));
    }

    /** What the home calls this generation of the topic. */
    public String nameOf(String topic) {
        return isFirst(topic) ? topic : topic + MARK + byTopic.get(topic);
    }

    /** Whether a name is that of an earlier generation, of which nothing comes any more. */
    public boolean isPast(String name) {
        return !name.equals(nameOf(topicOf(name)));
    }

    public static String topicOf(String name) {
        int mark = name.indexOf(MARK);
        return mark < 0 ? name : name.substring(0, mark);
    }
}
