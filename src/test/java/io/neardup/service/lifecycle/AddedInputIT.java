package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.Feeder;
import io.neardup.testing.Promises;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An input topic that is added to the settings of one instance after the other. */
class AddedInputIT extends SharedWorld {
    private static final String ADDED = "documents2";
    private static final String BOTH = "neardup.input.topics=documents,documents2";

    private void feedAdded() throws Exception {
        try (Feeder feeder = new Feeder(servers, ADDED, PARTITIONS)) {
            feeder.feed(SECOND);
        }
    }

    /** The first instance leads the group, and shares out what it knows of alone. */
    @Test
    void shouldTellWhoLacksAnInputTopicUntilAllInstancesReadIt() throws Exception {
        create(ADDED);
        DedupService first = DedupService.start(config());
        try {
            await("a leader").atMost(PATIENCE).until(first::isRunning);
            try (DedupService added = DedupService.start(config(BOTH))) {
                shouldWaitForWhoLacksIt(first, added);
                first.close();
                first = DedupService.start(config(BOTH));
                shouldReadAll(first, added);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void shouldTellOfAnInstanceWithMoreInputsAsLongAsItRuns() throws Exception {
        create(ADDED);
        try (DedupService service = DedupService.start(config())) {
            await("a leader").atMost(PATIENCE).until(service::isRunning);
            try (DedupService wrong = DedupService.start(config(BOTH))) {
                awaitNote(wrong, "no instance is assigned the input topics [documents2]");
                awaitNote(service, "this instance reads the input topics [documents], and the one");
            }
            awaitNoWord(service);
        }
    }

    /** Kafka Streams by itself would share out again without end, and none of the input would be read. */
    @Test
    void shouldGoOnWithWhatAllReadWhereTheInstanceThatLeadsReadsMore() throws Exception {
        create(ADDED);
        try (DedupService leader = DedupService.start(config(BOTH))) {
            await("a leader").atMost(PATIENCE).until(leader::isRunning);
            DedupService lacking = DedupService.start(config());
            try {
                await("two instances").atMost(PATIENCE).until(() -> members() == 4 && lacking.isRunning());
                feed(FIRST);
                outputs.await(FIRST.size(), PATIENCE);
            } finally {
                lacking.close();
            }
            try (DedupService other = DedupService.start(config(BOTH))) {
                feedAdded();
                shouldReadAll(leader, other);
            }
        }
    }

    /** The tasks of the others would lose the topic while they run, at which Kafka Streams 4.3.1 fails. */
    @Test
    void shouldRefuseToStartWithoutAnInputTopicThatOthersRead() throws Exception {
        create(ADDED);
        try (DedupService service = DedupService.start(config(BOTH))) {
            feedAdded();
            outputs.await(SECOND.size(), PATIENCE);

            assertRefused("topic documents2: expected no instance to read it any more before it is taken out of"
                    + " neardup.input.topics, found instances that do; stop all instances first, or put it back");
            feed(FIRST);
            outputs.await(NEWS.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        DedupService.start(config()).close();
    }

    private int members() throws Exception {
        return Objects.requireNonNull(admin.describeConsumerGroups(List.of(applicationId))
                        .describedGroups()
                        .get(applicationId))
                .get()
                .members()
                .size();
    }

    private void shouldWaitForWhoLacksIt(DedupService lacking, DedupService added) throws Exception {
        feed(FIRST);
        feedAdded();
        outputs.await(FIRST.size(), PATIENCE);

        awaitNote(
                lacking,
                "this instance reads the input topics [documents], and the one that was started last [documents,"
                        + " documents2]");
        awaitNote(added, "no instance is assigned the input topics [documents2]");
        assertThat(outputs.size()).isEqualTo(FIRST.size());
    }

    private void shouldReadAll(DedupService... services) throws Exception {
        outputs.await(NEWS.size(), PATIENCE);
        new Promises(NEWS, outputs).check(PARTITIONS);
        for (DedupService service : services) {
            awaitNoWord(service);
        }
    }

    private static void awaitNoWord(DedupService service) {
        await("no word of inputs").atMost(PATIENCE).until(() -> service.attention().stream()
                .noneMatch(note -> note.contains(ADDED)));
    }

    private static void awaitNote(DedupService service, String note) {
        await(note).atMost(PATIENCE).until(() -> service.attention().stream().anyMatch(found -> found.contains(note)));
    }
}
