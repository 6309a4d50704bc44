package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.testing.Outputs;
import io.neardup.testing.TopicCopies;
import io.neardup.testing.World;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An input topic that is taken out of the settings while documents of it wait behind one that is pending. */
class RemovedInputIT {
    private static final String REMOVED = "extra";
    private static final String BOTH = "neardup.input.topics=documents,extra";
    private static final Pattern ID = Pattern.compile("extra-([0-9]+)");
    private static final List<Integer> TEXTS = IntStream.range(0, 20).boxed().toList();

    @RegisterExtension
    static final World WORLD = new World();

    @BeforeEach
    void leaveDocumentsBehindOneThatIsPending() throws Exception {
        WORLD.createTopics(2);
        WORLD.createTopic(REMOVED);
        DedupService service = WORLD.start(config(BOTH));
        AutoCloseable lookups = WORLD.holdUp(WORLD.applicationId() + "-lookups", 0);
        feed(REMOVED);
        await("an original that has not left").atMost(PATIENCE).until(() -> !heldOriginals()
                .isEmpty());
        // Or it would go on where the transaction ends, and more would leave.
        WORLD.stop(service);
        lookups.close();
    }

    /** A document is looked up in one index partition alone; the seed says in which. */
    private static NeardupConfig config(String... more) {
        return WORLD.configElsewhere(Stream.concat(
                        Stream.of("neardup.signature=exact", "neardup.bands.partitions=2", "neardup.hash.seed=1"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static void feed(String topic) throws Exception {
        WORLD.send(TEXTS.stream()
                .map(text -> "{\"id\":\"" + topic + "-" + text + "\",\"text\":\"the text of number " + text + "\"}")
                .map(json -> new ProducerRecord<byte[], byte[]>(topic, 0, null, json.getBytes(UTF_8)))
                .toList());
    }

    /**
     * The texts of originals that have not left. An original is written in the transaction that it may leave in, so
     * what has left is read after it.
     */
    private static Set<Integer> heldOriginals() {
        Set<Integer> held = numbers(WORLD.applicationId() + "-originals-changelog");
        held.removeAll(numbers(Outputs.UNIQUE));
        return held;
    }

    /** What there is committed in the first partition. */
    private static Set<Integer> numbers(String topic) {
        return new TopicCopies(WORLD.servers(), 1)
                .read(topic).stream()
                        .map(record -> new String(record.value(), ISO_8859_1))
                        .flatMap(value -> ID.matcher(value).results())
                        .map(found -> Integer.valueOf(found.group(1)))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void requireEveryDuplicateToNameWhatIsOnUnique() {
        Set<String> unique = WORLD.outputs().of(Outputs.UNIQUE).stream()
                .map(record -> new String(record.value(), UTF_8).replaceAll(".*\"id\":\"([^\"]*)\".*", "$1"))
                .collect(Collectors.toSet());
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF))
                .extracting(record -> Outputs.header(record, "neardup.duplicate-of"))
                .allMatch(unique::contains);
    }

    @Test
    void shouldRefuseToForgetWhatHasNotLeftBeforeItHasDrained() throws Exception {
        WORLD.requireProblems(
                config(),
                "topic extra, partition 0: expected all that was read to have left before the topic is taken out of"
                        + " neardup.input.topics, found that at most ",
                "Put the topic back",
                "--input-removed forget");

        WORLD.runUntil(TEXTS.size(), config(BOTH));
        feed("documents");
        WORLD.runUntil(2 * TEXTS.size(), config());

        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).hasSameSizeAs(TEXTS);
        requireEveryDuplicateToNameWhatIsOnUnique();
    }

    @Test
    void shouldForgetOnRequestWhatHasNotLeft() throws Exception {
        int left = numbers(Outputs.UNIQUE).size();
        feed("documents");
        WORLD.runUntil(left + TEXTS.size(), config().forgettingRemovedInput());
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).hasSize(left);
        requireEveryDuplicateToNameWhatIsOnUnique();

        WORLD.start(config()).close();
        WORLD.runUntil(2 * TEXTS.size(), config(BOTH));
        WORLD.requireOutputs(2 * TEXTS.size());
        assertThat(WORLD.outputs().of(Outputs.UNIQUE)).hasSameSizeAs(TEXTS);
        requireEveryDuplicateToNameWhatIsOnUnique();
    }
}
