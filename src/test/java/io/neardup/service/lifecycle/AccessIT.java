package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.http.DuplicateTexts;
import io.neardup.service.http.HttpEndpoints;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SecuredBroker;
import io.neardup.tools.cli.CommandTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/**
 * The service on a broker that lets it in by password over TLS, and to what ACLs allow alone: what it may do, what it
 * says where it may not, and that its log tells neither secrets nor texts.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AccessIT extends CommandTest {
    private static final int PARTITIONS = 2;
    private static final String TEXT = "5ec4e7d0c0ffee42";
    private static final String ID = "Qd5-marker-of-the-id-";
    private static final String SEED = "7340298173409817234";

    /** Everything that a user can switch on. */
    private static final List<String> ALL_LOGGED =
            List.of("-Dneardup.log.level=TRACE", "-Dneardup.log.kafka=TRACE", "-Dneardup.log.ordinary=TRACE");

    @TempDir
    private static Path folder;

    private static SecuredBroker broker;
    private static Admin admin;
    private static boolean hasRun;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = SecuredBroker.start(folder.resolve("secured"));
        admin = Admin.create(Map.of("bootstrap.servers", broker.plainServers()));
        Records.createTopics(broker.plainServers(), Outputs.WITH_INPUT, PARTITIONS);
        Records.createTopic(broker.plainServers(), "stories", 1);
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    private static List<String> settings(String applicationId) {
        List<String> settings = new ArrayList<>(broker.clientSettings());
        settings.add("application.id=" + applicationId);
        settings.add("num.stream.threads=1");
        return settings;
    }

    /** First, as all who read the topics later see these records too: so it makes the topics anew. */
    @Test
    @Order(0)
    void shouldLogNoTextAndNoSecretAtAnyLevel() throws Exception {
        Rights.give(admin, Rights.documented("quiet"));
        List<String> settings = settings("quiet");
        settings.addAll(List.of(
                "neardup.hash.seed=" + SEED,
                "neardup.signature=io.neardup.engine.similarity.BitSamplingFamily",
                "neardup.family.bits=64"));
        try (InstanceProcess instance = InstanceProcess.start(folder.resolve("quiet"), ALL_LOGGED, settings);
                Outputs outputs = new Outputs(broker.plainServers())) {
            send(
                    document("{\"id\":\"" + ID + "unique\",\"text\":\"" + TEXT + "\"}"),
                    document("{\"id\":\"" + ID + "duplicate\",\"text\":\"" + TEXT + "\"}"),
                    document("{\"id\":\"" + ID + "unsignable\",\"text\":\"" + TEXT + " is no picture\"}"),
                    document("{\"id\":\"" + ID + "broken\",\"text\":\"" + TEXT));
            outputs.await(4, PATIENCE);
            assertThat(outputs.of(Outputs.DUPLICATE_OF)).hasSize(1);
            assertThat(outputs.of(Outputs.DEAD_LETTER))
                    .extracting(dead -> Outputs.header(dead, "neardup.reason"))
                    .containsExactlyInAnyOrder("unsignable", "not-json");
            assertThat(instance.stop()).isEqualTo(143);

            assertThat(instance.log())
                    .contains("starting application.id=quiet", "DEBUG o.a.k")
                    .doesNotContain(TEXT, ID, SEED, SecuredBroker.PASSWORD, SecuredBroker.STORE_PASSWORD);
        }
        admin.deleteTopics(Outputs.WITH_INPUT).all().get();
        Records.createTopics(broker.plainServers(), Outputs.WITH_INPUT, PARTITIONS);
    }

    private static ProducerRecord<byte[], byte[]> document(String json) {
        return new ProducerRecord<>("documents", 0, null, json.getBytes(UTF_8));
    }

    @SafeVarargs
    private static void send(ProducerRecord<byte[], byte[]>... records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(broker.plainServers(), Map.of())) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                producer.send(record).get();
            }
        }
    }

    @Test
    @Order(1)
    void shouldRunAndPurgeWithTheDocumentedRights() throws Exception {
        runOnce();

        assertThat(beginnings("allowed-lookups")).allMatch(offset -> offset > 0);
        assertThat(beginnings("allowed-replies")).allMatch(offset -> offset > 0);
    }

    /** The service of which the commands are asked then: its topics are there, and it is stopped. */
    private void runOnce() throws Exception {
        if (hasRun) {
            return;
        }
        hasRun = true;
        Rights.give(admin, Rights.documented("allowed"));
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(settingsWithState()));
        List<News> news = NewsFeed.generate(300, 5);
        try (HttpEndpoints http = HttpEndpoints.open(config);
                DedupService service = WatchfulService.start(config);
                Outputs outputs = new Outputs(broker.plainServers());
                Feeder feeder = new Feeder(broker.plainServers(), "documents", PARTITIONS);
                Admin ofTheUser = Admin.create(StreamsSettings.clients(config))) {
            http.serve(service);
            feeder.feed(news);
            outputs.await(news.size(), PATIENCE);
            assertAnswersOverHttp("http://127.0.0.1:" + http.ports().get(0));
            outputs.drain(Duration.ofMillis(500));
            new ClusterAdmin(ofTheUser, "secured").deleteRead("allowed", new TopicNames("allowed").all());
            assertSaysThatTextsMayNotBeRead(service);

            await().atMost(PATIENCE).until(service::isRunning);
            Judge.of(news, PARTITIONS).conclude(outputs);
        }
    }

    /** Members and lag of the group are what the cluster lets the service's user see; who asks needs no right there. */
    private void assertAnswersOverHttp(String url) throws IOException {
        String document = Files.writeString(folder.resolve("asked.jsonl"), "{\"id\":\"x\",\"text\":\"Something new.\"}")
                .toString();
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode group = json("status", "--url", url, "--json").path("group");
            assertThat(group.path("state").asText()).isEqualTo("Stable");
            assertThat(group.path("members").asInt()).isPositive();
            assertThat(group.path("lagByPartition")).hasSize(PARTITIONS);
            assertThat(group.path("lag").asLong()).isZero();
        });
        assertThat(json("check", document, "--url", url, "--json")
                        .path("outcome")
                        .asText())
                .isEqualTo("unique");
    }

    /** Who may only write the outputs: the page needs more where it shows texts. */
    private static void assertSaysThatTextsMayNotBeRead(DedupService service) {
        try (DuplicateTexts texts = DuplicateTexts.of(service.config()).orElseThrow()) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(texts.latest()).isEmpty();
                assertThat(texts.problem())
                        .startsWith("topics unique and duplicate-of: expected to READ what the page shows, found ")
                        .contains("TopicAuthorizationException");
            });
        }
    }

    private static List<String> settingsWithState() {
        List<String> pairs = settings("allowed");
        pairs.add("neardup.http.listen=127.0.0.1:0");
        pairs.add("neardup.http.texts=true");
        pairs.add("state.dir=" + folder.resolve("state"));
        return pairs;
    }

    @Test
    @Order(2)
    @Tag("slow")
    void shouldSayWhichRightIsMissingToAsk() throws Exception {
        runOnce();
        shouldSayWhichRightIsMissing("status", "why nobody", "verify", "stories", "index reset --yes");
    }

    private void shouldSayWhichRightIsMissing(String... commands) throws Exception {
        for (String command : commands) {
            shouldSayWhichRightIsMissing(command, right -> true);
        }
    }

    private void shouldSayWhichRightIsMissing(String command, Predicate<AclBinding> tried) throws Exception {
        List<AclBinding> rights = Rights.toAsk(name(command), "allowed");
        for (AclBinding missing : rights.stream().filter(tried).toList()) {
            Rights.give(admin, Rights.without(rights, missing));

            assertThat(ask(command)).as(command + " without " + missing).isOne();
            assertThat(err.toString())
                    .contains("expected that this user may")
                    .contains(missing.pattern().name())
                    .contains("src/docs/reference.md lists what each command needs");
        }
    }

    /** The last of them deletes the index. */
    @Test
    @Order(3)
    void shouldAskWithTheDocumentedRights() throws Exception {
        runOnce();
        shouldDoWithTheDocumentedRights("status", "why n1", "verify", "stories", "index reset --yes");
    }

    private void shouldDoWithTheDocumentedRights(String... commands) throws Exception {
        for (String command : commands) {
            Rights.give(admin, Rights.toAsk(name(command), "allowed"));

            assertThat(ask(command)).as(command + ": " + out + err).isZero();
        }
    }

    /** As many problems as there are, at once, where a start would end at the first of them. */
    @Test
    @Order(5)
    void shouldTellBeforeAStartWhatIsAmissAndChangeNothing() throws Exception {
        List<String> settings = settings("checked");
        settings.add("state.dir=" + folder.resolve("state-of-checked"));
        Rights.give(admin, Rights.documented("checked"));
        // As a start that was cut short has left it.
        Records.createTopic(broker.plainServers(), "checked-settings", 1, Map.of("cleanup.policy", "compact"));
        Set<String> before = admin.listTopics().names().get();
        FileTime touched = Files.getLastModifiedTime(folder);

        assertThat(ask("run --check --json", settings)).as(out.toString()).isZero();
        assertThat(found("OK"))
                .contains("rights: as expected", "index: application.id checked has none: the start makes one");
        assertThat(ask("run --check --json --set neardup.unique.topic=elsewhere --create-topics", settings))
                .isOne();
        assertThat(found("WRONG")).anyMatch(found -> found.startsWith("new topics: topic elsewhere: expected"));

        List<AclBinding> rights = new ArrayList<>(Rights.documented("checked"));
        rights.removeIf(right -> Set.of(AclOperation.CREATE, AclOperation.WRITE)
                .contains(right.entry().operation()));
        Rights.give(admin, rights);
        assertThat(ask("run --check --json", settings)).isOne();
        assertThat(found("WRONG"))
                .anyMatch(found -> found.startsWith("rights: topic unique: expected that this user may WRITE"))
                .anyMatch(found -> found.contains("topics that begin with checked-: expected that this user may"))
                .anyMatch(found -> found.contains("transactional ids that begin with checked-: expected"));

        assertThat(admin.listTopics().names().get()).isEqualTo(before);
        assertThat(admin.listGroups().all().get())
                .extracting(GroupListing::groupId)
                .doesNotContain("checked");
        assertThat(admin.listTransactions().all().get())
                .filteredOn(transaction -> transaction.transactionalId().startsWith("checked-"))
                .allMatch(transaction -> transaction.state() == TransactionState.EMPTY);
        assertThat(folder.resolve("state-of-checked")).doesNotExist();
        assertThat(Files.getLastModifiedTime(folder)).isEqualTo(touched);
    }

    /** What is found with a result, each behind the name of its check. */
    private List<String> found(String result) throws IOException {
        List<String> found = new ArrayList<>();
        for (JsonNode check : new ObjectMapper().readTree(out.toString()).path("checks")) {
            if (check.path("result").asText().equals(result)) {
                found.add(check.path("check").asText() + ": "
                        + check.path("found").asText());
            }
        }
        return found;
    }

    private static String name(String command) {
        return command.replaceAll("^((index )?\\S+).*", "$1");
    }

    /** Last, as it leaves records that are of no service. */
    @Test
    @Order(4)
    void shouldSendWithTheDocumentedRights() throws Exception {
        runOnce();
        String redrive = redrive();
        String feed = feed("one");
        Predicate<AclBinding> readsPositions = right -> right.pattern().name().endsWith("-feed-positions")
                && right.entry().operation() == AclOperation.READ;

        shouldSayWhichRightIsMissing(redrive);
        shouldSayWhichRightIsMissing(feed, readsPositions.negate());
        shouldSayThatTheGroupMayNotBeReadToCount();
        shouldDoWithTheDocumentedRights(redrive, feed);

        assertThat(out.toString()).containsPattern("sent +1\\n");
        // Positions are read as soon as there are some.
        shouldSayWhichRightIsMissing(feed("two"), readsPositions);
    }

    private void shouldSayThatTheGroupMayNotBeReadToCount() throws Exception {
        List<AclBinding> rights = new ArrayList<>(Rights.toAsk("redrive", "allowed"));
        rights.removeIf(right -> right.pattern().resourceType() == ResourceType.GROUP);
        Rights.give(admin, rights);

        assertThat(ask("redrive --dry-run")).isOne();
        assertThat(err.toString()).contains("group allowed-redrive: expected that this user may READ");
    }

    /** A dead letter of its own, so that there is something to send. */
    private static String redrive() throws Exception {
        List<Header> headers = List.of(
                header(OutputRecords.REASON, "no-text"),
                header(OutputRecords.SOURCE_TOPIC, "documents"),
                header(OutputRecords.SOURCE_PARTITION, "0"));
        send(new ProducerRecord<>("dead-letter", 0, null, null, "{}".getBytes(UTF_8), headers));
        return "redrive --all";
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }

    private static String feed(String text) throws IOException {
        return "feed " + Files.writeString(folder.resolve(text + ".jsonl"), "{\"text\":\"" + text + "\"}");
    }

    private int ask(String command) {
        return ask(command, settingsWithState());
    }

    private int ask(String command, List<String> settings) {
        return execute(withSettings(settings, command.split(" ")));
    }

    private static Collection<Long> beginnings(String topic) {
        return new ClusterAdmin(admin, broker.plainServers())
                .beginnings(List.of(new TopicPartition(topic, 0)))
                .values();
    }

    @ParameterizedTest(name = "{1} on {0}")
    @CsvSource({
        "unique, WRITE, topic unique: expected",
        "denied-, DELETE, topics that begin with denied-: expected",
        "denied-, WRITE, transactional ids that begin with denied-: expected",
    })
    void shouldNotStartWithoutARight(String name, String operation, String message) throws Exception {
        List<AclBinding> all = Rights.documented("denied");
        AclBinding missing = all.stream()
                .filter(right -> right.pattern().name().equals(name)
                        && right.entry().operation().name().equals(operation)
                        && message.startsWith(of(right.pattern().resourceType())))
                .findFirst()
                .orElseThrow();
        Rights.give(admin, Rights.without(all, missing));

        List<String> settings = settings("denied");
        settings.add("state.dir=" + folder.resolve("state-of-denied"));
        requireRefused(settings);

        assertThat(err.toString()).contains(message).contains("found that it may not " + operation);
    }

    /** Nothing else fails, and the topics grow until the disks of the brokers are full. */
    @Test
    void shouldAlertWhereItMayNoLongerPurge() throws Exception {
        Rights.give(admin, Rights.documented("withdrawn"));
        List<String> settings = settings("withdrawn");
        settings.add("state.dir=" + folder.resolve("state-of-withdrawn"));
        send(document("{\"id\":\"purged\",\"text\":\"" + TEXT + "\"}"));
        try (DedupService service = WatchfulService.start(NeardupConfig.forCluster(new Settings().pairs(settings)))) {
            await().atMost(PATIENCE)
                    .until(() -> beginnings("withdrawn-lookups").stream().anyMatch(offset -> offset > 0));
            AclBinding delete = Rights.binding("topics that begin with", "withdrawn-", "DELETE");

            assertThat(admin.deleteAcls(List.of(delete.toFilter())).all().get()).containsExactly(delete);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(service.alerts()).anySatisfy(alert -> assertThat(alert)
                            .startsWith("the internal topics grow, as they cannot be purged: topics that begin with"
                                    + " withdrawn-: expected that this user may DELETE")));
        }
    }

    /** How a message begins that names one. */
    private static String of(ResourceType resource) {
        return resource.name().toLowerCase(Locale.ROOT).replaceAll("_.*", "");
    }

    /** Whoever may DESCRIBE a group sees it, and cannot join it. */
    @Test
    void shouldNotTakeLookingAtAGroupForReadingIt() throws Exception {
        Map<TopicPartition, OffsetAndMetadata> start =
                Map.of(new TopicPartition("documents", 0), new OffsetAndMetadata(0));
        admin.alterConsumerGroupOffsets("onlooker", start).all().get();
        List<AclBinding> rights = new ArrayList<>(Rights.documented("onlooker"));
        rights.removeIf(right -> right.pattern().resourceType() == ResourceType.GROUP);
        rights.add(Rights.binding("group", "onlooker", "DESCRIBE"));
        Rights.give(admin, rights);
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(settings("onlooker")));
        try (Admin ofTheUser = Admin.create(StreamsSettings.clients(config))) {
            AccessCheck access = new AccessCheck(new ClusterAdmin(ofTheUser, "secured"), config);

            assertThatThrownBy(access::check)
                    .isInstanceOf(StartupException.class)
                    .hasMessageStartingWith(
                            "group onlooker: expected that this user may READ, found that it may not READ");
        }
    }

    /**
     * Runs where it cannot start: it says so once, without a stack trace.
     *
     * @return what it logs, at the levels of the test
     */
    private String requireRefused(List<String> settings) {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(logged);
        try {
            assertThat(ask("run", settings)).isOne();
        } finally {
            root.detachAppender(logged);
        }
        assertThat(err.toString()).containsOnlyOnce("neardup run: ").doesNotContain("\tat ");
        List<ILoggingEvent> events = List.copyOf(logged.list);
        assertThat(events)
                .filteredOn(event -> event.getLoggerName().startsWith("io.neardup"))
                .allMatch(event -> event.getThrowableProxy() == null);
        return events.stream()
                .map(event -> event.getFormattedMessage()
                        + Optional.ofNullable(event.getThrowableProxy())
                                .map(ThrowableProxyUtil::asString)
                                .orElse(""))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username='u'"
                        + " password='Wz8-marker'; | found SaslAuthenticationException: Authentication failed: Invalid"
                        + " username or password",
                "sasl.jaas.config=Module Wz8-marker; | sasl.jaas.config: expected a login module",
                "ssl.truststore.location=OTHER | found SslAuthenticationException: SSL handshake failed",
                "ssl.truststore.location=nowhere.p12 | nowhere.p12",
                "ssl.truststore.password=Wz8-marker | trust.p12",
            })
    void shouldSayOnceWhyItIsNotLetIn(String wrong, String message) throws Exception {
        List<String> settings = settings("quiet");
        settings.removeIf(setting -> setting.startsWith(wrong.substring(0, wrong.indexOf('=') + 1)));
        settings.add(wrong.replace("OTHER", broker.otherTrustStore().toString()).replace('\'', '"'));

        String told = requireRefused(settings) + err;
        assertThat(err.toString()).contains(message);
        assertThat(ask("run --check --json", settings)).isPositive();

        assertThat(out.toString() + err).contains(message);
        assertThat(told + out + err).doesNotContain("Wz8-marker", SecuredBroker.PASSWORD, SecuredBroker.STORE_PASSWORD);
    }

    /** Kafka logs a stack trace of this. */
    @Test
    void shouldLogNoStackTraceWhereAProcessIsNotLetIn() throws Exception {
        List<String> settings = settings("quiet");
        settings.removeIf(setting -> setting.startsWith("ssl.truststore.location="));
        settings.add("ssl.truststore.location=nowhere.p12");
        try (InstanceProcess instance = InstanceProcess.start(folder.resolve("refused"), settings)) {
            assertThat(instance.awaitEnd(PATIENCE)).isOne();
            assertThat(instance.log())
                    .containsOnlyOnce("neardup run: ")
                    .contains("nowhere.p12")
                    .doesNotContain("\tat ", SecuredBroker.PASSWORD, SecuredBroker.STORE_PASSWORD);
        }
    }
}
