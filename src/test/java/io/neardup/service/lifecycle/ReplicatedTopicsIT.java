package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.lifecycle.StartChecks.Finding;
import io.neardup.service.lifecycle.StartChecks.Result;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.Outputs;
import io.neardup.testing.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Three brokers that take a write for done when one of them has it, unless a topic says otherwise. */
class ReplicatedTopicsIT {
    private static final String MIN_IN_SYNC = "min.insync.replicas";

    @TempDir
    private Path folder;

    @Tag("slow")
    @Test
    void shouldLoseNoRecordOfItsTopicsWithOneBroker() throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 3);
                Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", cluster.bootstrapServers()))) {
            NeardupConfig config = NeardupConfig.forCluster(new Settings()
                    .pairs(List.of(
                            "bootstrap.servers=" + cluster.bootstrapServers(),
                            "state.dir=" + folder.resolve("state"))));
            ClusterAdmin topics = new ClusterAdmin(admin, cluster.bootstrapServers());
            takeWritesOfOneBroker(admin);

            DedupService.createTopics(config, 1);
            DedupService.start(config).close();

            List<String> all = new ArrayList<>(Outputs.WITH_INPUT);
            TopicNames own = new TopicNames(config.applicationId());
            all.addAll(own.changelogs(config));
            all.addAll(own.inFlight(config));
            all.add(own.settings());
            assertThat(topics.settings(all)).hasSameSizeAs(all).allSatisfy((topic, settings) -> assertThat(
                            settings.get(MIN_IN_SYNC).value())
                    .isEqualTo("2"));
            assertThat(StartChecks.report(config, Optional.empty(), () -> {}))
                    .extracting(Finding::result)
                    .containsOnly(Result.OK);

            topics.change("unique", Map.of(MIN_IN_SYNC, "1"));
            await().atMost(World.PATIENCE).untilAsserted(() -> assertThat(found(config, Result.ADVICE))
                    .singleElement()
                    .asString()
                    .contains("topics=[unique] have three"));

            topics.change("unique", Map.of(MIN_IN_SYNC, "3"));
            cluster.broker(2).killHard();
            await().atMost(World.PATIENCE).untilAsserted(() -> assertThat(found(config, Result.WRONG))
                    .singleElement()
                    .asString()
                    .contains("expected 3 replicas in sync (min.insync.replicas), found 2 of 3"));
            assertThat(loggedByAStart(config))
                    .singleElement()
                    .asString()
                    .contains("topic unique: expected 3 replicas in sync (min.insync.replicas), found 2 of 3");
        }
    }

    private static List<String> loggedByAStart(NeardupConfig config) {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger checks = (Logger) LoggerFactory.getLogger(StartChecks.class);
        checks.addAppender(logged);
        checks.setLevel(Level.WARN);
        try {
            DedupService.start(config).close();
        } finally {
            checks.setLevel(null);
            checks.detachAppender(logged);
        }
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static List<String> found(NeardupConfig config, Result result) {
        return StartChecks.report(config, Optional.empty(), () -> {}).stream()
                .filter(finding -> finding.result() == result)
                .map(Finding::found)
                .toList();
    }

    private static void takeWritesOfOneBroker(Admin admin) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""),
                        List.of(new AlterConfigOp(new ConfigEntry(MIN_IN_SYNC, "1"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}
