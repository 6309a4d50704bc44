package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.tools.local.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody changes what is around the service: it says so and stops, and loses nothing that is not lost already. */
@Tag("slow")
class ChangedWorldIT extends ChangedWorld {
    /** A broker each: where topics are deleted under it, a service may still work on its end. */
    ChangedWorldIT(@TempDir Path folder) throws Exception {
        super(EmbeddedBroker.start(folder), "neardup");
    }

    @AfterEach
    void stopBroker() {
        closeClients();
        broker.close();
    }

    // ---- while it rests

    @Test
    void shouldRefuseAChangelogThatHasGrown() throws Exception {
        makeIndex();
        grow("neardup-originals-changelog");
        assertRefused("topic neardup-originals-changelog: expected 2 partitions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup-lookups", "neardup-replies"})
    void shouldDoWithoutMessagesThatAreGone(String topic) throws Exception {
        makeIndex();
        delete(topic);
        feed(SECOND);
        assertAllComesOut();
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup-progress-changelog", "neardup-originals-changelog", "neardup-buckets-changelog"})
    void shouldRefuseAMissingChangelog(String topic) throws Exception {
        makeIndex();
        delete(topic);
        assertRefused("topic " + topic + ": expected a part of the index of application.id neardup, found none");
    }

    @Test
    void shouldRefuseAChangelogMadeAgain() throws Exception {
        makeIndex();
        delete("neardup-originals-changelog");
        create("neardup-originals-changelog");
        assertRefused("topic neardup-originals-changelog: expected a part of the index of application.id neardup,"
                + " found another topic made under its name");
    }

    @ParameterizedTest
    @CsvSource({"neardup-originals-changelog", "neardup-settings"})
    void shouldRefuseAnIndexWithoutItsBeginning(String topic) throws Exception {
        makeIndex();
        ClusterAdmin topics = new ClusterAdmin(admin, servers);
        topics.change(topic, Map.of("cleanup.policy", "delete"));
        deleteRecords(topic, 1);
        assertRefused("topic " + topic + ", partition 0: expected all that the index of application.id neardup wrote");
    }

    @ParameterizedTest
    @FieldSource("io.neardup.testing.Outputs#WITH_INPUT")
    void shouldRefuseAMissingTopic(String topic) throws Exception {
        delete(topic);
        assertRefused("topic " + topic + " does not exist: create it");
    }

    @Test
    void shouldRefuseAStateFolderThatIsInUseOrNoFolder() throws Exception {
        String state = "state.dir=" + folder.resolve("state");
        try (DedupService service = DedupService.start(config(state))) {
            assertRefused("found one that another process uses; stop that one, or give each instance", state);
            assertThat(service.ended()).isNotDone();
        }
        Path file = Files.writeString(folder.resolve("file"), "");
        assertRefused("found that it cannot (", "state.dir=" + file);
    }

    @Test
    void shouldRefuseAStateFolderThatCannotBeWritten() throws Exception {
        Path state = Files.createDirectory(folder.resolve("immutable"));
        assumeTrue(AttentionTest.isDone("chattr", "+i", state.toString()), "no way to forbid root to write");
        try {
            assertRefused("found that it cannot (", "state.dir=" + state);
        } finally {
            AttentionTest.isDone("chattr", "-i", state.toString());
        }
    }

    // ---- while it runs

    @ParameterizedTest
    @ValueSource(
            strings = {"neardup-lookups", "neardup-replies", "neardup-originals-changelog", "documents", "dead-letter"})
    void shouldStopWhenATopicIsDeleted(String topic) throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            delete(topic);
            assertStops(service, "topic " + topic + ": expected the one that the service started with, found none");
        }
    }

    @Test
    void shouldLoseNothingWhenMessagesAreDeletedInFlight() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(1, PATIENCE);
            delete("neardup-lookups");
            feed(SECOND);
            assertStops(service, "topic neardup-lookups");
        }
        assertAllComesOut();
    }

    @Test
    void shouldStopWhenTheInputIsMadeAgain() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            delete("documents");
            create("documents");
            assertStops(service, "topic documents: expected the one that the service started with, found");
        }
        feed(SECOND);
        assertAllComesOut(config().skippingDeletedInput());
    }
}
