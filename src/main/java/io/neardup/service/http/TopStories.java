package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Story;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stories with the most publishers, of all instances: read from the topic of stories, from a day back on, but for
 * the last {@value #RECORDS_BACK} revisions at the most, and {@value #SECOND_RECORDS} or {@value
 * #SECOND_BYTES} bytes a second. Thread-safe.
 */
final class TopStories extends OnDemandReader {
    static final int LISTED_MAX = 10;
    static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
    static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final Logger LOG = LoggerFactory.getLogger(TopStories.class);
    static final int RECORDS_BACK = 100_000;
    private static final int SECOND_RECORDS = 20_000;
    private static final int SECOND_BYTES = 32 << 20;

    private final NeardupConfig config;
    private final StoryWindow window = new StoryWindow();
    private volatile Lists lists = Lists.NONE;
    /** Partitions with more revisions of the last day than are read, until their first record is read. */
    private final Set<TopicPartition> cut = new HashSet<>();

    private long sinceMillis;

    TopStories(NeardupConfig config) {
        super(config, new Subject("stories", "topic " + config.storiesTopic(), SECOND_RECORDS, SECOND_BYTES));
        this.config = config;
    }

    /**
     * What is listed, those with the most publishers first.
     *
     * @param problem why there are none; empty where nothing is wrong
     * @param since from when on the topic was read, in milliseconds since 1970; 0 as long as it was not
     * @param hour of which a copy was written in the last hour
     */
    record Lists(String problem, long since, List<Line> hour, List<Line> day) {
        static final Lists NONE = new Lists("", 0, List.of(), List.of());
    }

    /**
     * A story in a list.
     *
     * @param growing whether one more publisher has carried it in the last {@value StoryWindow#GROWING_MINUTES} minutes
     */
    record Line(
            String story,
            String id,
            long copies,
            long publishers,
            boolean exact,
            long first,
            long last,
            boolean growing,
            boolean ended) {}

    /** Does not wait: who asks first gets none. */
    Lists lists() {
        ask();
        return problem().isEmpty() ? lists : new Lists(problem(), 0, List.of(), List.of());
    }

    /** A story that is listed, or was shortly, with the sources that have the most copies. */
    Optional<Story> find(String place) {
        ask();
        return window.find(place);
    }

    @Override
    void begin(KafkaConsumer<byte[], byte[]> consumer) {
        cut.clear();
        sinceMillis = System.currentTimeMillis() - DAY_MILLIS;
        List<TopicPartition> partitions = partitions(consumer, config.storiesTopic());
        consumer.assign(partitions);
        Map<TopicPartition, Long> times =
                partitions.stream().collect(Collectors.toMap(Function.identity(), unused -> sinceMillis));
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long back = Math.max(1, RECORDS_BACK / partitions.size());
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            long end = Objects.requireNonNull(ends.get(partition));
            long from = found == null ? end : found.offset();
            consumer.seek(partition, Math.max(from, end - back));
            if (from < end - back) {
                cut.add(partition);
            }
        });
    }

    @Override
    void endSecond(KafkaConsumer<byte[], byte[]> consumer) {
        long nowMillis = System.currentTimeMillis();
        lists = new Lists(
                "",
                sinceMillis,
                window.most(nowMillis, HOUR_MILLIS, LISTED_MAX),
                window.most(nowMillis, DAY_MILLIS, LISTED_MAX));
    }

    @Override
    void take(ConsumerRecord<byte[], byte[]> record) {
        if (cut.remove(new TopicPartition(record.topic(), record.partition()))) {
            sinceMillis = Math.max(sinceMillis, record.timestamp());
        }
        if (record.key() == null) {
            return; // Nobody but this service should write there.
        }
        String place = new String(record.key(), UTF_8);
        if (record.value() == null) {
            window.remove(place);
            return;
        }
        try {
            window.take(Story.decode(record.value()), record.timestamp());
        } catch (IOException e) {
            LOG.debug("no story in partition={} offset={}", record.partition(), record.offset(), e);
        }
    }

    @Override
    void forget() {
        lists = Lists.NONE;
        window.clear();
    }

    /**
     * Of the stories that were written last, those with the most publishers, each with its last revision. It keeps at
     * most {@value #STORIES_MAX} with {@value #SOURCES_MAX} sources each. Thread-safe.
     */
    static final class StoryWindow {
        static final int GROWING_MINUTES = 10;
        static final int STORIES_MAX = 500;
        static final int SOURCES_MAX = 100;
        /** Of the last hour, and of the last day: those that are kept when there are too many. */
        private static final int KEPT_MAX = STORIES_MAX / 4;

        private final Map<String, Known> stories = new HashMap<>();

        /**
         * @param copiedMillis when the last copy was written
         * @param grownMillis when the last publisher was
         */
        private record Known(Story story, long copiedMillis, long grownMillis) {
            Known after(Story next, long writtenMillis) {
                return new Known(
                        next,
                        next.copies() > story.copies() ? writtenMillis : copiedMillis,
                        next.publishers() > story.publishers() ? writtenMillis : grownMillis);
            }

            boolean isGrowing(long nowMillis) {
                return nowMillis - grownMillis < TimeUnit.MINUTES.toMillis(GROWING_MINUTES);
            }
        }

        /** Takes a revision. The last one of a story has no new copy: alone it makes no story that is listed. */
        synchronized void take(Story story, long writtenMillis) {
            Known before = stories.get(story.story());
            if (before != null) {
                stories.put(story.story(), before.after(story.withSources(SOURCES_MAX), writtenMillis));
            } else if (!story.ended()) {
                long grownMillis = story.revision() == 1 ? writtenMillis : 0;
                stories.put(story.story(), new Known(story.withSources(SOURCES_MAX), writtenMillis, grownMillis));
            }
            if (stories.size() > STORIES_MAX) {
                Set<Known> kept = Stream.of(HOUR_MILLIS, DAY_MILLIS)
                        .flatMap(millis -> known(writtenMillis, millis).limit(KEPT_MAX))
                        .collect(Collectors.toSet());
                stories.values().retainAll(kept);
            }
        }

        synchronized void remove(String place) {
            stories.remove(place);
        }

        synchronized void clear() {
            stories.clear();
        }

        synchronized Optional<Story> find(String place) {
            return Optional.ofNullable(stories.get(place)).map(Known::story);
        }

        /** Those of which a copy was written in this time, with the most publishers first. */
        synchronized List<Line> most(long nowMillis, long millis, int max) {
            return known(nowMillis, millis)
                    .limit(max)
                    .map(known -> line(known.story, known.isGrowing(nowMillis)))
                    .toList();
        }

        private Stream<Known> known(long nowMillis, long millis) {
            return stories.values().stream()
                    .filter(known -> nowMillis - known.copiedMillis < millis)
                    .sorted(Comparator.comparing(Known::story, Story.LARGEST_FIRST));
        }

        private static Line line(Story story, boolean isGrowing) {
            return new Line(
                    story.story(),
                    story.id(),
                    story.copies(),
                    story.publishers(),
                    story.exact(),
                    story.first(),
                    story.last(),
                    isGrowing && !story.ended(),
                    story.ended());
        }
    }
}
