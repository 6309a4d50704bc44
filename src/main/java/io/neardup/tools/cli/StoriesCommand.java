package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Printable;
import io.neardup.record.Story;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
        name = "stories",
        description = {
            "Shows the originals that most publishers repeat.",
            "Those with the most publishers come first, of these those with the most copies. It reads"
                    + " the topic of stories, which a service writes with"
                    + " neardup.outputs=records,stories."
        },
        footer = {
            "Examples: the largest, and then each that grows, until Ctrl-C:",
            "  java -jar neardup.jar stories --top 20 --bootstrap-server localhost:9092",
            "  java -jar neardup.jar stories --follow --bootstrap-server localhost:9092",
            "",
            "It changes nothing and joins no group. With --follow --json each story is one",
            "line, as it is on the topic."
        })
final class StoriesCommand extends ClusterCommand {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int TOP_MAX = 1_000;

    @Option(names = "--follow", description = "Go on with each revision that comes, until Ctrl-C.")
    private boolean follow;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Show so many stories, 1 to 1,000. By default ${DEFAULT-VALUE}.")
    private int top = 10;

    /** Their places: all that is kept of those that are not shown. */
    private final Set<String> places = new HashSet<>();

    private final Map<String, Story> largest = new HashMap<>();

    @Override
    public Integer call() throws IOException {
        check("--top", top, 1, TOP_MAX);
        NeardupConfig config = clusterConfig(options);
        try (ClusterView cluster = new ClusterView(config);
                KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            List<TopicPartition> partitions = cluster.partitionsOf(List.of(config.storiesTopic()));
            Map<TopicPartition, Long> ends = cluster.admin().committedEnds(partitions);
            try (ProgressLines progress = progress()) {
                new TopicReading(consumer, cluster.admin().beginnings(partitions), ends)
                        .readAll(this::take, progress::update);
            }
            List<Story> shown = largest.values().stream()
                    .sorted(Story.LARGEST_FIRST)
                    .limit(top)
                    .toList();
            if (follow && isJson()) {
                shown.forEach(story -> out().println(new String(story.encode(), UTF_8)));
            } else {
                print(
                        () -> text(shown),
                        () -> Json.object().put("count", places.size()).putPOJO("stories", shown));
            }
            if (follow) {
                consumer.resume(partitions);
                ends.forEach(consumer::seek);
                follow(consumer);
            }
        }
        return ExitCode.OK;
    }

    private void follow(KafkaConsumer<byte[], byte[]> consumer) throws IOException {
        // Stops when the reader of the output has closed it, as head does.
        while (!Thread.currentThread().isInterrupted() && !out().checkError()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.value() != null) {
                    Story story = Story.decode(record.value());
                    out().println(isJson() ? new String(record.value(), UTF_8) : line(story));
                }
            }
        }
    }

    /** A story that is left out, as many precede it, comes back with its next revision. */
    private void take(InputRecord record) throws IOException {
        String place = new String(Objects.requireNonNullElse(record.key(), new byte[0]), UTF_8);
        byte[] revision = record.value();
        if (revision == null) {
            places.remove(place);
            largest.remove(place);
            return;
        }
        Story story = Story.decode(revision);
        places.add(place);
        largest.put(place, story);
        if (largest.size() > 10 * TOP_MAX) {
            List<Story> sorted = new ArrayList<>(largest.values());
            sorted.sort(Story.LARGEST_FIRST);
            sorted.subList(TOP_MAX, sorted.size()).forEach(small -> largest.remove(small.story()));
        }
    }

    static String line(Story story) {
        return format(
                "copies %,d, publishers %s%,d: %s (%s)%s",
                story.copies(),
                story.exact() ? "" : "about ",
                story.publishers(),
                Printable.of(story.id()),
                story.story(),
                story.ended() ? ", ended" : "");
    }

    private TextTable text(List<Story> stories) {
        TextTable text = new TextTable();
        text.row("stories", places.size()).blank();
        return text.asIs(stories.stream().map(StoriesCommand::line).toList());
    }
}
