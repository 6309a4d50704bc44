package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Printable;
import io.neardup.record.Story;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The largest of the stories that a service writes. */
@Command(
        name = "stories",
        description = {
            "Shows the originals that most publishers repeat.",
            "Those with the most publishers come first, of these those with the most copies. It reads"
                    + " the topic of stories, which a service writes with"
                    + " neardup.outputs=records,stories."
        },
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar stories --top 20 --bootstrap-server localhost:9092",
            "",
            "It changes nothing and joins no group.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or settings."
        })
final class StoriesCommand extends ReportingCommand {
    private static final int TOP_MAX = 1_000;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Show so many stories, 1 to 1,000. By default ${DEFAULT-VALUE}.")
    private int top = 10;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    /** By place: all that is kept of those that are not shown. */
    private final Set<String> open = new HashSet<>();

    private final Map<String, Story> largest = new HashMap<>();

    @Override
    public Integer call() throws IOException {
        check("--top", top, 1, TOP_MAX);
        NeardupConfig config = asking(options);
        try (ClusterView cluster = new ClusterView(config);
                KafkaConsumer<byte[], byte[]> consumer = cluster.reader();
                ProgressLines progress = progress()) {
            List<TopicPartition> partitions = cluster.partitionsOf(List.of(config.storiesTopic()));
            new TopicReading(
                            consumer,
                            cluster.admin().beginnings(partitions),
                            cluster.admin().committedEnds(partitions))
                    .readAll(this::take, progress::passing);
        }
        print(new Largest(
                open.size(),
                largest.values().stream().sorted(Story.LARGEST_FIRST).limit(top).toList()));
        return ExitCode.OK;
    }

    /** A story that is left out, as many precede it, comes back with its next revision. */
    private void take(InputRecord record) throws IOException {
        String place = new String(Objects.requireNonNullElse(record.key(), new byte[0]), UTF_8);
        byte[] revision = record.value();
        if (revision == null) {
            open.remove(place);
            largest.remove(place);
            return;
        }
        open.add(place);
        largest.put(place, Story.decode(revision));
        if (largest.size() > 10 * TOP_MAX) {
            List<Story> sorted = new ArrayList<>(largest.values());
            sorted.sort(Story.LARGEST_FIRST);
            sorted.subList(TOP_MAX, sorted.size()).forEach(story -> largest.remove(story.story()));
        }
    }

    static String line(Story story) {
        return TextTable.format(
                "copies %,d, publishers %s%,d: %s (%s)%s",
                story.copies(),
                story.exact() ? "" : "about ",
                story.publishers(),
                Printable.of(story.id()),
                story.story(),
                story.ended() ? ", ended" : "");
    }

    /** The largest of all stories, and how many these are. */
    record Largest(int count, List<Story> stories) implements Report {
        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            text.row("stories", count);
            if (!stories.isEmpty()) {
                text.blank();
                text.row("publishers", "copies", "last document", "original");
                stories.forEach(story -> text.row(
                        TextTable.figure(story.exact() ? "%,d" : "about %,d", story.publishers()),
                        story.copies(),
                        Instant.ofEpochMilli(story.last()),
                        story.id() + " (" + story.story() + ")" + (story.ended() ? ", ended" : "")));
            }
            return text;
        }
    }
}
