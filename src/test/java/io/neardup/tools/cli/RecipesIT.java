package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.Chapter;
import io.neardup.docs.Chapter.Block;
import io.neardup.docs.Shell;
import io.neardup.docs.Shell.Call;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The recipes of the chapter on change, with their commands as they stand there; one of them in the ordinary run, all
 * with -Pdocs. That of a new release: ChangedInputIT.
 */
class RecipesIT extends CommandTest {
    private static final int PROGRAM =
            List.of("java", "-jar", "target/neardup.jar").size();
    private static final Path CHAPTER = Chapter.FOLDER.resolve("change.md");

    /** With another one in some of a hundred pairs may miss each other: the S-curve says so. */
    private static final String SEED = "neardup.hash.seed=7";

    @RegisterExtension
    private static final World WORLD = new World();

    private int blocks;

    /** The commands of the block that has this, for the broker and the folder of the test. */
    private List<List<String>> commands(String part) throws Exception {
        Block block = Chapter.read(CHAPTER).blocks().stream()
                .filter(one -> one.info().startsWith("sh parsed: it needs a cluster")
                        && one.text().contains(part))
                .findFirst()
                .orElseThrow();
        List<List<String>> commands = new ArrayList<>();
        for (Call call :
                Shell.calls(block.text(), Files.createDirectories(WORLD.folder().resolve("block-" + blocks++)))) {
            commands.add(call.line().subList(PROGRAM, call.line().size()).stream()
                    .map(argument -> argument.replace("localhost:9092", WORLD.servers())
                            .replace("/var/lib/neardup", WORLD.folder().toString())
                            .replaceAll("^archive\\.jsonl\\.gz$", WORLD.folder() + "/$0"))
                    .toList());
        }
        return commands;
    }

    private int execute(List<String> command) {
        return execute(command.toArray(String[]::new));
    }

    private InstanceProcess start(String name, List<String> command, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(command);
        if (arguments.stream().noneMatch(argument -> argument.startsWith("state.dir="))) {
            arguments.addAll(List.of("--set", "state.dir=" + WORLD.folder().resolve(name + "-state")));
        }
        for (String pair : more) {
            arguments.addAll(List.of("--set", pair));
        }
        return InstanceProcess.command(WORLD.folder().resolve(name), arguments);
    }

    private static void await(String topic, int count) {
        assertThat(Records.readCommitted(WORLD.servers(), topic, count)).hasSize(count);
    }

    /** Similar to it above 0.7, and below 0.8. */
    private static News cut(News news) {
        int length = (int) (0.75 * news.text().length());
        return new News("cut-of-" + news.id(), news.text().substring(0, length));
    }

    private static List<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(record -> new String(record.key(), UTF_8)).toList();
    }

    @Test
    void shouldJudgeTheFirstDocumentAgainstACorpusOfOnesOwn() throws Exception {
        List<News> corpus = NewsFeed.generateShort(200, 5);
        try (OutputStream archive =
                new GZIPOutputStream(Files.newOutputStream(WORLD.folder().resolve("archive.jsonl.gz")))) {
            for (News one : corpus) {
                archive.write(one.json());
                archive.write('\n');
            }
        }
        Records.createTopic(WORLD.servers(), "corpus", 3);
        WORLD.createTopics(2);
        List<News> copies = corpus.stream()
                .map(one -> new News("copy-of-" + one.id(), one.text()))
                .toList();
        WORLD.feed(copies);
        List<List<String>> commands = commands("--topic corpus");

        assertThat(execute(commands.get(0))).as(err.toString()).isZero();
        try (InstanceProcess service = start("seeded", commands.get(1));
                Outputs outputs = WORLD.outputs()) {
            WORLD.awaitOutputs(copies.size());

            assertThat(service.isAlive()).isTrue();
            assertThat(outputs.of(Outputs.UNIQUE)).isEmpty();
            assertThat(outputs.of(Outputs.DUPLICATE_OF)).hasSize(copies.size()).allSatisfy(copy -> assertThat(
                            Outputs.header(copy, OutputRecords.DUPLICATE_OF_SEED))
                    .isEqualTo("corpus"));
        }
    }

    @Test
    @Tag("docs")
    void shouldTryTwoSettingsSideBySideAndThenDecide() throws Exception {
        List<News> news = NewsFeed.generate(1_000, 6);
        WORLD.createTopics(2);
        WORLD.feed(news);
        List<String> live = List.of("run", "--create-topics", "--set", "bootstrap.servers=" + WORLD.servers());
        String[] banding = {"neardup.banding=26x5", "neardup.outputs=records,verdicts"};
        try (InstanceProcess service = start("live", live, banding)) {
            await("verdicts", news.size());
            List<String> shadow = commands("neardup.outputs=verdicts").get(0);
            try (InstanceProcess other = start("shadow", shadow)) {
                await("shadow-verdicts", news.size());
                assertThat(execute(commands(" diff verdicts shadow-verdicts").get(0)))
                        .as(err.toString())
                        .isZero();
                assertThat(other.stop()).isEqualTo(143);
            }
            assertThat(out.toString()).contains("1,000 records were judged by both");
            assertThat(service.stop()).isEqualTo(143);
        }
        int parted = partedAsDuplicatesInA();
        assertThat(parted).isPositive();

        shouldGiveUpTheSecond();
        shouldTakeTheThreshold(live, banding, news);
    }

    private int partedAsDuplicatesInA() {
        String line = out.toString()
                .lines()
                .filter(one -> one.endsWith("duplicate in A, unique in B"))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(line.strip().replaceFirst(" .*", ""));
    }

    private void shouldGiveUpTheSecond() throws Exception {
        List<String> shadow = List.of(
                "bootstrap.servers=" + WORLD.servers(),
                "application.id=shadow",
                "state.dir=" + WORLD.folder().resolve("shadow"));
        String unused = printed(withSettings(shadow, "index", "reset", "--yes"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", WORLD.servers()))) {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                            admin.listTopics().names().get())
                    .contains("shadow-verdicts", "neardup-settings")
                    .doesNotContain("shadow-settings"));
        }
    }

    /** Copies of half their text: below the threshold that holds from now on. */
    private void shouldTakeTheThreshold(List<String> live, String[] banding, List<News> news) throws Exception {
        List<String> taken = new ArrayList<>(live);
        taken.addAll(List.of("--set", "neardup.similarity.threshold=0.8"));
        News cut = cut(news.get(0));
        try (InstanceProcess again = start("live", taken, banding);
                Outputs outputs = WORLD.outputs()) {
            WORLD.feed(List.of(cut));
            WORLD.awaitOutputs(news.size() + 1);
            assertThat(keys(outputs.of(Outputs.UNIQUE))).contains(cut.id());
            assertThat(again.isAlive()).isTrue();
        }
    }

    /** From 0.7 to 0.8, back, and to more partitions on the way. */
    @Test
    @Tag("docs")
    void shouldTakeAnotherThresholdAndGoBackWithMorePartitions() throws Exception {
        List<News> news = NewsFeed.generateShort(100, 7);
        WORLD.createTopics(4);
        WORLD.feed(news);
        List<String> first = List.of("run", "--set", "bootstrap.servers=" + WORLD.servers());
        List<List<String>> handOver = commands("index cutover --from neardup --to neardup-2");
        List<List<String>> back = commands("index cutover --from neardup-2 --to neardup-3");
        try (Outputs outputs = WORLD.outputs();
                InstanceProcess old = start("old", first, SEED)) {
            WORLD.awaitOutputs(100);
            List<String> unique = keys(outputs.of(Outputs.UNIQUE));
            List<News> cuts = news.stream()
                    .filter(one -> unique.contains(one.id()))
                    .map(RecipesIT::cut)
                    .toList();
            try (InstanceProcess second =
                    start("second", commands("neardup.successor.of=neardup ").get(0), SEED)) {
                handOver(handOver.get(0), old);
                assertThat(execute(handOver.get(1))).as(err.toString()).isZero();
                assertThat(out.toString()).startsWith("neardup has handed its input over to neardup-2");
                WORLD.feed(cuts.subList(0, 1));
                WORLD.awaitOutputs(101);
                assertThat(keys(outputs.of(Outputs.UNIQUE)))
                        .contains(cuts.get(0).id());

                WORLD.grow("documents", 12);
                try (InstanceProcess third = start("third", back.get(0), SEED)) {
                    handOver(back.get(1), second);
                    WORLD.feed(cuts.subList(1, cuts.size()));
                    WORLD.awaitOutputs(100 + cuts.size());
                    assertThat(third.isAlive()).isTrue();
                }
            }
            assertThat(keys(outputs.of(Outputs.DUPLICATE_OF)))
                    .containsAll(cuts.stream().skip(1).map(News::id).toList());
        }
    }

    /** As soon as the successor is there. */
    private void handOver(List<String> command, InstanceProcess old) throws Exception {
        List<String> sure = new ArrayList<>(command);
        sure.add("--yes");
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(execute(sure))
                .as(err.toString())
                .isZero());
        assertThat(old.awaitEnd(PATIENCE)).isZero();
    }
}
